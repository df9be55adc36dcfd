import * as v from 'valibot';
import * as vscode from 'vscode';
import { draggedImagesType } from '../../common/text.ts';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import { upright } from '../../images/formats/animation.ts';
import { type ImageToShow, alternativeTextOf, shownResult } from './insertImage.ts';
import type { Documents } from '../documents/documents.ts';
import type { RowFiles } from '../taskList/rowFiles.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { ImageRow, TaskNode, TaskRow } from '../taskList/taskNode.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { readIfThere } from '../window/files.ts';

const results = v.array(v.object({ task: v.string(), index: v.number() }));
const imageFiles = /\.(?:png|jpe?g|webp|gif|svg|avif)$/iu;

/** Returns the images that come from the task list or the studio, if any. */
export async function draggedResults(
  engine: EngineHost,
  documents: () => Promise<Documents>,
  data: vscode.DataTransfer,
): Promise<ImageToShow[] | undefined> {
  const dragged = await data.get(draggedImagesType)?.asString();
  if (dragged === undefined) {
    return undefined;
  }
  const { store } = await engine.get();
  const reader = await documents();
  return v.parse(results, JSON.parse(dragged)).flatMap(({ task: id, index }) => {
    const task = store.get(id);
    const result = task && savedImages(task).find((image) => image.index === index);
    return result ? [shownResult({ task, result, uri: vscode.Uri.parse(result.uri, true) }, reader)] : [];
  });
}

/**
 * Returns images that were dropped as files; none if one of the files isn't an image, so that VS Code handles all of
 * them.
 *
 * @param document target of the drop; images on the web or on other file systems aren't taken
 */
export async function draggedFiles(
  engine: EngineHost,
  documents: Documents,
  { scheme }: vscode.Uri,
  data: vscode.DataTransfer,
): Promise<ImageToShow[]> {
  const list = (await data.get('text/uri-list')?.asString()) ?? '';
  const lines = list.split(/\r?\n/u).filter((line) => line !== '' && !line.startsWith('#'));
  const files = lines.map((line) => vscode.Uri.parse(line));
  if (!files.every((file) => imageFiles.test(file.path) && file.scheme === scheme)) {
    return [];
  }
  return Promise.all(
    files.map(async (uri) => {
      const made = engine.opened?.store.savedAs(uri.toString());
      return sized({ uri, alt: made ? alternativeTextOf(made.task, documents) : documents.altFor(uri) });
    }),
  );
}

/** Returns an image with its displayed size, if known. */
async function sized(image: ImageToShow): Promise<ImageToShow> {
  const bytes = await readIfThere(image.uri).catch(() => undefined);
  const size = dimensionsFromPrefix(bytes ?? new Uint8Array());
  return bytes && size.kind === 'known' ? { ...image, ...(await upright(size, bytes)) } : image;
}

/** Drags an image as its file, and a task as all of its files. */
export function drag(rows: readonly TaskNode[], data: vscode.DataTransfer, files: RowFiles): void {
  const images = rows.flatMap((row) => {
    switch (row.kind) {
      case 'image':
        return files.areGone(row) ? [] : [row];
      case 'task':
        return imagesOf(row);
      case 'batch':
        return row.rows.flatMap(imagesOf);
      case 'day':
      case 'more':
        return [];
    }
  });
  if (images.length > 0) {
    const uris = images.map(({ result }) => result.uri);
    data.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
    const ids = images.map(({ task, result }) => ({ task: task.id, index: result.index }));
    data.set(draggedImagesType, new vscode.DataTransferItem(JSON.stringify(ids)));
  }
}

function imagesOf({ task }: TaskRow): ImageRow[] {
  return savedImages(task).map((result) => ({ kind: 'image', task, result }));
}
