import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clockTime, startOfDay } from '../../common/days.ts';
import { ask, type StepPosition } from '../generate/inputSteps.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { plainText } from '../window/plainText.ts';
import { copiedImage, type LeftImage, leftImages } from './leftImages.ts';

/** How long new thumbnails are gathered before the list is drawn again, in milliseconds. */
const gathering = 50;

/** A row of the list; without an image, the one that asks for a file. */
export interface LeftImageRow extends vscode.QuickPickItem {
  image?: LeftImage;
}

/** Returns a row for each image, that of the clipboard first, and one that asks for a file. */
export async function rowsOfLeftImages(): Promise<LeftImageRow[]> {
  const [copied, left] = await Promise.all([copiedImage(), leftImages()]);
  return [
    ...(copied ? [rowOf(copied)] : []),
    ...left.map(rowOf),
    { label: l10n.t('Choose File…'), iconPath: new vscode.ThemeIcon('folder-opened'), alwaysShow: true },
  ];
}

function rowOf(image: LeftImage): LeftImageRow {
  const { name, from, at, size } = image;
  const facts = [
    plainText(from),
    ...(at === undefined ? [] : [timeText(at)]),
    ...(size === undefined
      ? []
      : [l10n.t('{0} KB', Math.ceil(size / 1024).toLocaleString(vscode.env.language))]),
  ];
  return {
    label: plainText(name),
    description: facts.join(' · '),
    iconPath: new vscode.ThemeIcon('file-media'),
    image,
  };
}

/** Returns the time of day for an image of today, else the date. */
function timeText(at: number): string {
  return at >= startOfDay(Date.now())
    ? clockTime(at, vscode.env.language)
    : new Date(at).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}

/** Asks for an image, and shows the thumbnails as they are made. */
export async function askLeftImage(
  title: string,
  rows: readonly LeftImageRow[],
  engine: EngineHost,
  place: StepPosition,
): Promise<LeftImageRow> {
  const input = vscode.window.createQuickPick<LeftImageRow>();
  input.items = rows;
  input.placeholder = l10n.t('Image to copy into the workspace');
  input.prompt = l10n.t(
    "To add a picture that you copied, paste it into a document: extensions can't read it from the clipboard.",
  );
  input.matchOnDescription = true;
  // The order of the list is that of time. VS Code would sort what matches by its name.
  Object.assign(input, { sortByLabel: false, keepScrollPosition: true });
  let isOpen = true;
  let drawing: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const [active] = input.activeItems;
    input.items = rows;
    input.activeItems = active ? [active] : [];
  };
  const addThumbnails = async (): Promise<void> => {
    const { thumbnails } = await engine.get();
    for (const row of rows.filter(({ iconPath }) => iconPath instanceof vscode.ThemeIcon)) {
      const file = row.image?.source;
      const path = file instanceof vscode.Uri && isOpen ? await thumbnails.of(file.fsPath) : undefined;
      if (path !== undefined && isOpen) {
        row.iconPath = vscode.Uri.file(path);
        clearTimeout(drawing);
        drawing = setTimeout(draw, gathering);
      }
    }
  };
  try {
    const asking = ask<LeftImageRow>(input, title, place, (reply) => [
      input.onDidAccept(() => input.activeItems.slice(0, 1).forEach(reply)),
    ]);
    void addThumbnails();
    return await asking;
  } finally {
    isOpen = false;
    clearTimeout(drawing);
  }
}
