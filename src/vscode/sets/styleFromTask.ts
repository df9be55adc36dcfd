import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { wayInto } from '../../common/fileUris.ts';
import { askedSize } from '../../common/requestValues.ts';
import { isStyleName, noStyle } from '../../engine/operations/style.ts';
import { askedFormat } from '../../engine/task/fileNames.ts';
import type { Task } from '../../engine/task/task.ts';
import { asOrdered } from '../../engine/task/twoBackgrounds.ts';
import { confirmed } from '../ask/confirm.ts';
import type { Styles } from '../ask/styles.ts';
import { askText } from '../generate/inputSteps.ts';
import { pathOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';

/**
 * `limner.task.saveAsStyle`: asks for a name, writes how a task made its images into a style of its workspace folder, and opens
 * that, for the words that the images have in common.
 *
 * @throws vscode.CancellationError when the user dismissed a question
 */
export async function saveAsStyle(styles: Styles, task: Task): Promise<void> {
  const folder = vscode.Uri.parse(task.request.target.folder, true);
  // Before the question: without a folder, a name is of no use.
  await styles.newFile(noStyle, folder);
  const reply = await askText({
    title: l10n.t('Save as Style'),
    prompt: l10n.t('Name of the style, which is kept in the workspace for you and others'),
    placeholder: l10n.t('icons'),
    value: task.request.style?.name ?? '',
    invalid: (text) =>
      isStyleName(text.trim())
        ? undefined
        : l10n.t('Enter a name of letters, digits, spaces, and hyphens, other than "{0}".', noStyle),
  });
  if (reply.kind !== 'answer') {
    return;
  }
  const name = reply.value.trim();
  const file = await styles.newFile(name, folder);
  const isThere = (await statOf(file)) !== undefined;
  if (!isThere || (await isReplaced(name, file))) {
    const text = `${JSON.stringify(contentsOf(task, file), null, 2)}\n`;
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  }
  await vscode.window.showTextDocument(file, { preview: false });
}

/** Asks before a style is replaced. Without that, the one that is there is shown. */
async function isReplaced(name: string, file: vscode.Uri): Promise<boolean> {
  const isOpen = vscode.workspace.textDocuments.some(
    ({ uri, isDirty }) => isDirty && uri.toString() === file.toString(),
  );
  return confirmed(
    l10n.t('The style {0} exists. Replace it?', plainText(name)),
    l10n.t('Replace'),
    [pathOf(file), ...(isOpen ? [l10n.t('It has changes that are not saved.')] : [])].join('\n'),
  );
}

/** Returns what a style says so that it makes images like a task's. */
function contentsOf({ request, results }: Task, file: vscode.Uri): object {
  const { model, quality, finish, style = { name: '' }, target } = asOrdered(request);
  const size = askedSize(asOrdered(request));
  const saved = results.find(({ state }) => state === 'saved');
  const format = askedFormat(target.fileName)?.format ?? saved?.mediaType?.replace('image/', '');
  const root = vscode.Uri.joinPath(file, '..', '..', '..');
  const images = (style.images ?? []).flatMap(({ uri }) => wayInto(root.toString(), uri) ?? []);
  return {
    before: style.before ?? '',
    after: style.after ?? '',
    ...(images.length > 0 && { images: images.map((way) => `../../${way}`) }),
    model,
    ...(size !== undefined && { size, fit: (finish?.size && finish.fit?.by) ?? 'off' }),
    ...(quality !== undefined && { quality }),
    ...(format !== undefined && { format: format === 'jpeg' ? 'jpg' : format }),
    ...(finish?.cutout && { transparent: true }),
  };
}
