import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { imagesText } from '../../engine/messages/costText.ts';
import { filesNamed, readSet, setFileName, type SetRow, setTitle } from '../../engine/operations/imageSet.ts';
import { inFormat } from '../../engine/operations/style.ts';
import type { Claim } from '../../engine/task/claim.ts';
import { reported } from '../ask/refusal.ts';
import { PaidSelection } from '../ask/paidSelection.ts';
import type { Styles } from '../ask/styles.ts';
import type { Painting, ProposedImage } from '../generate/painting.ts';
import type { SaveTargets } from '../generate/saveTarget.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { refusedSet, textOf } from './setOrders.ts';

interface SetCommandServices {
  engine: Pick<EngineHost, 'get'>;
  painting: Pick<Painting, 'makeAll' | 'runText' | 'withStyle'>;
  styles: Pick<Styles, 'choose'>;
  targets: Pick<SaveTargets, 'intended'>;
  studio: { openSet(rows: SetRow[]): Promise<void> };
  log: vscode.LogOutputChannel;
}

/** An image of a set, and whether its file exists or a task makes it. */
interface SetImage {
  row: SetRow;
  proposed: ProposedImage;
  isThere: boolean;
}

/**
 * `limner.generateSet`: offers the images of the selected table or list, or of a file, and makes those that are chosen.
 * Without either, opens the studio with a table. What is there, or on its way, isn't chosen.
 *
 * @param passed URI of a file that holds the set, or a menu's argument
 */
export async function generateSet(services: SetCommandServices, passed?: unknown): Promise<void> {
  const { painting, studio, log } = services;
  await reported(log, async () => {
    const text = passed instanceof vscode.Uri ? await textOf(passed) : selectedText();
    if (text === undefined) {
      await studio.openSet([]);
      return;
    }
    const { rows, problems } = readSet(text);
    if (problems.length > 0) {
      throw refusedSet(problems);
    }
    const chosen = await chooseImages(await imagesOf(rows, services), (some) =>
      painting.runText(some.map(({ proposed }) => proposed)),
    );
    if (chosen === 'studio') {
      await studio.openSet(rows);
    } else if (chosen) {
      const proposed = chosen.map((image) => image.proposed);
      const title = setTitle(chosen.map(({ row }) => row));
      await painting.makeAll(title, proposed, async () => Promise.resolve(proposed));
    }
  });
}

async function imagesOf(
  rows: readonly SetRow[],
  { engine, painting, styles, targets }: SetCommandServices,
): Promise<SetImage[]> {
  const { store } = await engine.get();
  const { folder, fileName } = await targets.intended({ asks: false });
  const place = vscode.Uri.parse(folder, true);
  const style = await styles.choose(undefined, place);
  const template = inFormat(fileName, style?.format, true);
  const readAt = Date.now();
  return Promise.all(
    rows.map(async ({ name, prompt }) => {
      const file = setFileName(template, name);
      const styled = await painting.withStyle({ given: { prompt, n: 1, folder: place, fileName: file } });
      const claim: Claim = { place: { target: { folder, fileName: file } }, readAt, askedAt: 0 };
      const files = filesNamed(file).map((one) => vscode.Uri.joinPath(place, one));
      const isThere =
        store.standing(claim, readAt) !== undefined ||
        (await Promise.all(files.map(statOf))).some((stat) => stat !== undefined);
      // The user may want another one of what is there.
      return { row: { name, prompt }, proposed: { ...styled, ...(!isThere && { claim }) }, isThere };
    }),
  );
}

/** Offers images with what they cost. @returns undefined if the user dismisses them */
async function chooseImages(
  images: readonly SetImage[],
  costOf: (images: readonly SetImage[]) => string | undefined,
): Promise<readonly SetImage[] | 'studio' | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { image: SetImage }>();
  const { promise, resolve } = Promise.withResolvers<readonly SetImage[] | 'studio' | undefined>();
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDetail = true;
  picker.items = images.map((image) => ({
    label: plainText(image.row.name),
    detail: plainText(image.row.prompt),
    ...(image.isThere && { description: l10n.t('already there, or on its way') }),
    image,
  }));
  picker.selectedItems = picker.items.filter(({ image }) => !image.isThere);
  const openStudio = {
    iconPath: new vscode.ThemeIcon('symbol-color'),
    tooltip: l10n.t('Open in Studio'),
  };
  picker.buttons = [openStudio];
  const chosen = (): SetImage[] => picker.selectedItems.map(({ image }) => image);
  const runText = (): string => costOf(chosen()) ?? imagesText(chosen().length);
  const tellTitle = (): void => {
    const isEmpty = picker.selectedItems.length === 0;
    picker.title = [l10n.t('Generate Set'), ...(isEmpty ? [] : [runText()])].join(' · ');
  };
  tellTitle();
  const selection = new PaidSelection(picker, runText);
  picker.onDidChangeSelection(tellTitle);
  picker.onDidTriggerButton(() => resolve('studio'));
  picker.onDidAccept(() => {
    if (selection.accepts()) {
      resolve(chosen());
    }
  });
  picker.onDidHide(() => resolve(undefined));
  picker.show();
  try {
    return await promise;
  } finally {
    selection.dispose();
    picker.dispose();
  }
}

/** Returns the selected text if it may be a set; a word or a sentence isn't. */
function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection) ?? '';
  return /\S[^]*\n[^]*\S/u.test(text) ? text : undefined;
}
