import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inEnglish } from '../../engine/messages/language.ts';
import { setProblemText } from '../../engine/messages/setText.ts';
import {
  checkSet,
  readSet,
  type SetProblem,
  setFileName,
  type SetRow,
  setTitle,
} from '../../engine/operations/imageSet.ts';
import { inFormat } from '../../engine/operations/style.ts';
import type { Task } from '../../engine/task/task.ts';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { StudioReplies } from '../../studio/protocol/messages.ts';
import { refuse, type Refusal } from '../ask/refusal.ts';
import type { PaintArguments } from '../generate/paintArguments.ts';
import type { Painting } from '../generate/painting.ts';
import type { PaintOrder } from '../generate/paintRequest.ts';
import type { PromptWriter } from '../generate/promptWriter.ts';
import type { SaveTargets } from '../generate/saveTarget.ts';

interface SetServices {
  painting: Pick<Painting, 'startSet'>;
  targets: Pick<SaveTargets, 'intended'>;
}

interface SetInputs {
  order(draft: Draft, mask: undefined): Promise<Omit<PaintOrder, 'model'>>;
}

/** Returns what a draft orders: one image of each row of its set, or what it orders otherwise. */
export function ordersOf<Order extends PaintArguments>(
  { isSet, setRows }: Pick<Draft, 'isSet' | 'setRows'>,
  order: Order,
): Order[] {
  return isSet
    ? filledRows(setRows).map(({ prompt }) => Object.assign({}, order, { prompt, n: 1 }))
    : [order];
}

/**
 * Starts the images of a draft's set.
 *
 * @throws LimnerError `invalid_request` that lists every problem of the set, and as `Painting.startSet`
 */
export async function startSet(
  draft: Draft,
  inputs: SetInputs,
  { painting, targets }: SetServices,
): Promise<Promise<Task>[]> {
  const { rows, problems } = checkSet(draft.setRows);
  if (problems.length > 0) {
    throw refusedSet(problems);
  }
  return painting.startSet(draft, setTitle(rows), async (style) => {
    const order = await inputs.order({ ...draft, count: 1 }, undefined);
    const { fileName: usual } = await targets.intended({
      folder: order.folder,
      fileName: order.fileName,
      original: order.images?.[0]?.original,
      asks: false,
    });
    const fileName = inFormat(usual, style?.format, order.fileName === undefined);
    return rows.map(({ name, prompt }) =>
      Object.assign({}, order, { prompt, fileName: setFileName(fileName, name) }),
    );
  });
}

/** Reads a set for the page. */
export function shownSet(text: string): StudioReplies['readSet'] {
  const { rows, problems } = readSet(text);
  const [problem] = problems;
  return { rows, ...(problem && { problem: setProblemText(problem) }) };
}

/** Asks for the file that holds a set. @returns undefined if the user dismisses the dialog */
export async function pickSetFile(): Promise<vscode.Uri | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: l10n.t('Add Images to the Set'),
    openLabel: l10n.t('Add'),
    filters: { [l10n.t('Tables and Lists')]: ['md', 'csv', 'tsv', 'txt', 'json', 'jsonl'] },
  });
  return files?.[0];
}

/** Returns the text of a file as the editor shows it. */
export async function textOf(file: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(file)).getText();
}

/** Has a language model write a set. @returns undefined if the user says nothing about it */
export async function writeSet(writer: Pick<PromptWriter, 'forSet'>): Promise<SetRow[] | undefined> {
  const wish = await vscode.window.showInputBox({
    title: l10n.t('Write a Set with a Language Model'),
    prompt: l10n.t('The names and prompts can be changed before images are generated.'),
    placeHolder: l10n.t('Eight flat icons in two colors for a shop: cart, user, search, …'),
    ignoreFocusOut: true,
  });
  return wish === undefined || wish.trim() === '' ? undefined : readSet(await writer.forSet(wish)).rows;
}

/** Returns why a set can't be made. */
export function refusedSet(problems: readonly SetProblem[]): Refusal {
  return refuse(
    'invalid_request',
    inEnglish(() => problems.map(setProblemText).join(' ')),
  );
}

function filledRows(rows: readonly SetRow[]): SetRow[] {
  return rows.filter(({ name, prompt }) => name.trim() !== '' || prompt.trim() !== '');
}
