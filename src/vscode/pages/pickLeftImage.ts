import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clockTime, startOfDay } from '../../common/days.ts';
import { LateRows } from '../ask/lateRows.ts';
import { ask, type StepPosition } from '../generate/inputSteps.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { plainText } from '../window/plainText.ts';
import { copiedImage, type LeftImage, leftImages } from './leftImages.ts';

/** How long the list waits for the clipboard, in milliseconds: browsers may ask the user about it, or VS Code then tells. */
const clipboardPatience = 1000;

/** A row of the list; without an image, the one that asks for a file. */
export interface LeftImageRow extends vscode.QuickPickItem {
  image?: LeftImage;
}

/** Returns a row for each image, that of the clipboard first, and one that asks for a file. */
export async function rowsOfLeftImages(): Promise<LeftImageRow[]> {
  const late = pause(clipboardPatience, undefined, { ref: false });
  const [copied, left] = await Promise.all([Promise.race([copiedImage(), late]), leftImages()]);
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
  const late = new LateRows(input, rows);
  input.placeholder = l10n.t('Image to copy into the workspace');
  input.prompt = l10n.t(
    "To add a picture that you copied, paste it into a document: extensions can't read it from the clipboard.",
  );
  input.matchOnDescription = true;
  try {
    const asking = ask<LeftImageRow>(input, title, place, (reply) => [
      input.onDidAccept(() => input.activeItems.slice(0, 1).forEach(reply)),
    ]);
    void late.lookAtAll(async ({ image }) => {
      const { thumbnails } = await engine.get();
      const { source } = image ?? {};
      const path = source instanceof vscode.Uri ? await thumbnails.of(source.fsPath) : undefined;
      return path === undefined ? {} : { iconPath: vscode.Uri.file(path) };
    });
    return await asking;
  } finally {
    late.dispose();
  }
}
