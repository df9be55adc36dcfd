import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as english from '../../common/english.ts';
import { isGone } from '../../common/fileErrors.ts';
import { fileUri, pathOfUri } from '../../common/fileUris.ts';
import { LimnerError, messageOf, notSent } from '../../common/limnerError.ts';
import { readRegular } from '../../common/regularFile.ts';
import {
  isStyleName,
  largestStyle,
  noStyle,
  readStyle,
  type Style,
  styleImages,
  stylesFolder,
  unknownStyle,
} from '../../engine/run/engine.ts';
import { wholePath } from './wholePath.ts';

/** A style with its reference images, as paths. */
export interface FoundStyle extends Style {
  files: readonly string[];
}

/**
 * Returns the style that a command line names: one of the current folder's project, or a file.
 *
 * @param named a name, a path with a slash or `.json` at its end, or nothing
 * @throws LimnerError `invalid_request`
 */
export async function findStyle(named = ''): Promise<FoundStyle | undefined> {
  if (named === '' || named === noStyle) {
    return undefined;
  }
  const here = wholePath('.');
  const isPath = /[/\\]|\.json$/iu.test(named);
  const root = isPath ? undefined : await projectAbove(here);
  if (!isPath && (root === undefined || !isStyleName(named))) {
    throw unknownStyle(named, root === undefined ? [] : await styleNames(root));
  }
  const path = root === undefined ? wholePath(named) : join(root, stylesFolder, `${named}.json`);
  const style = await readStyleAt(path, root);
  const files = await styleImages(style, fileUri(path), fileUri(root ?? projectOf(path)));
  return { ...style, files: files.map(pathOfUri) };
}

/** Reads a style. @param root its project, if it is known by its name @throws LimnerError `invalid_request` */
async function readStyleAt(path: string, root?: string): Promise<Style> {
  const name = basename(path).replace(/\.json$/iu, '');
  let bytes: Buffer;
  try {
    bytes = await readRegular(path, largestStyle);
  } catch (error) {
    throw root !== undefined && isGone(error)
      ? unknownStyle(name, await styleNames(root))
      : new LimnerError(
          'invalid_request',
          english.t("The style {0} can't be read: {1}", path, messageOf(error)),
          notSent,
        );
  }
  return readStyle(bytes.toString('utf8'), name, path);
}

/** Returns the names of a project's styles, in order. */
export async function styleNames(root: string): Promise<string[]> {
  const names = await readdir(join(root, stylesFolder)).catch(() => []);
  return names
    .flatMap((name) => (name.endsWith('.json') && isStyleName(name.slice(0, -5)) ? [name.slice(0, -5)] : []))
    .toSorted((one, other) => one.localeCompare(other));
}

/** Returns the nearest folder with styles, not further up than that of the repository. */
async function projectAbove(folder: string): Promise<string | undefined> {
  const has = async (path: string): Promise<boolean> =>
    stat(join(folder, path)).then(
      () => true,
      () => false,
    );
  if (await has(stylesFolder)) {
    return folder;
  }
  const parent = dirname(folder);
  return parent === folder || (await has('.git')) ? undefined : projectAbove(parent);
}

/** Returns the folder that the images of a style lie in, whose file was named. */
function projectOf(path: string): string {
  const folder = dirname(path);
  return fileUri(folder).endsWith(`/${stylesFolder}`) ? join(folder, '..', '..') : folder;
}
