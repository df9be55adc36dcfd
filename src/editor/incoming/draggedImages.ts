import * as v from 'valibot';
import * as vscode from 'vscode';
import { draggedImagesType } from '../../common/draggedImages.ts';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import { upright } from '../../images/formats/orientation.ts';
import { type ImageToShow, shownResult } from '../insert/imageText.ts';
import type { Documents } from '../documents/documents.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { readIfThere } from '../window/files.ts';

const results = v.array(v.object({ task: v.string(), index: v.number() }));
const imageFiles = /\.(?:png|jpe?g|webp|gif|svg|avif)$/iu;

/** Returns the images that come from the task list or the studio; undefined if none do. */
export async function draggedResults(
  engine: EngineHost,
  data: vscode.DataTransfer,
): Promise<ImageToShow[] | undefined> {
  const dragged = await data.get(draggedImagesType)?.asString();
  if (dragged === undefined) {
    return undefined;
  }
  const { store } = await engine.get();
  return v.parse(results, JSON.parse(dragged)).flatMap(({ task: id, index }) => {
    const task = store.get(id);
    const result = task && savedImages(task).find((image) => image.index === index);
    return result ? [shownResult({ task, result, uri: vscode.Uri.parse(result.uri, true) })] : [];
  });
}

/**
 * Returns the images among files; none if one of them is something else, which VS Code is to take with the others.
 *
 * @param document where they come into; of other file systems than its own, and of the web, none are taken
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
      const prompt = engine.opened?.store.savedAs(uri.toString())?.task.request.prompt;
      return sized({ uri, alt: prompt ?? documents.altFor(uri) });
    }),
  );
}

/** Returns an image with the size at which its file is shown, where that says so. */
async function sized(image: ImageToShow): Promise<ImageToShow> {
  const bytes = await readIfThere(image.uri).catch(() => undefined);
  const size = dimensionsFromPrefix(bytes ?? new Uint8Array());
  return bytes && size.kind === 'known' ? { ...image, ...(await upright(size, bytes)) } : image;
}
