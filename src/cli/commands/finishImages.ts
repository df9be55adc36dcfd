import { existsSync, globSync } from 'node:fs';
import { join, parse, sep, basename, dirname, extname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { inEnglish } from '../../engine/messages/language.ts';
import { told } from '../../engine/messages/told.ts';
import { wholePath } from '../setup/wholePath.ts';
import { largestFinished, readRegular, UnreadableFile } from '../../common/regularFile.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { fileUri, pathOfUri } from '../../common/fileUris.ts';
import { asLimnerError, LimnerError, messageOf } from '../../common/limnerError.ts';
import {
  encodingOf,
  encodingProblem,
  finishOf,
  finishProblem,
  LateCodecs,
  publishBytesOnDisk,
  sniffImage,
  wishesProblem,
} from '../../engine/run/engine.ts';
import type { Codecs } from '../../images/finish/codecs.ts';
import type { Finished } from '../../images/finish/finish.ts';
import { type Finish, isCutoutRefused } from '../../images/formats/finish.ts';
import type { FinishWishes } from '../../images/formats/finishWishes.ts';
import { cutoutNote, finishNotes } from '../../engine/messages/finishText.ts';
import { sizeText } from '../../common/text.ts';
import { exitCodes, type Output } from '../output/output.ts';
import { jsonLine, printable } from '../output/terminalText.ts';
import { fitWithSize, makeTarget, requireUse } from './readRequest.ts';

/**
 * Returns the files that arguments mean, each once: a pattern such as `*.png` stands for all that it matches, as the
 * shells of Windows pass it on. One that is the name of a file, or matches none, stays as it is.
 */
export function filesMeant(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => matches(wholePath(path))))];
}

/** Whether a path may be a pattern. */
export function isPattern(path: string): boolean {
  return /[*?]/u.test(path);
}

function matches(path: string): string[] {
  if (!isPattern(path) || existsSync(path)) {
    return [path];
  }
  let { root: folder } = parse(path);
  const pattern = path.slice(folder.length).split(sep);
  // Folders may have such characters in their names.
  while (pattern[0] !== undefined && existsSync(join(folder, pattern[0]))) {
    folder = join(folder, pattern.shift() ?? '');
  }
  // Brackets are letters to the shells of Windows, too.
  const found = globSync(pattern.join('/').replaceAll('[', '[[]'), { cwd: folder, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  return found.length > 0 ? found.toSorted() : [path];
}

/** Options of `limner finish`, as commander parsed them. */
export interface FinishOptions extends Omit<FinishWishes, 'cutout' | 'encoding'> {
  format?: 'png' | 'jpeg' | 'webp';
  quality?: number;
  lossless?: true;
  transparent?: true;
  anyway?: true;
  folder?: string;
  json?: true;
}

/**
 * `limner finish`: makes new files of images, one by one, beside them or in a folder, and prints their paths. Nothing is
 * sent, and no file is replaced.
 *
 * @returns the exit code: failed where an image can't be finished or is damaged
 * @throws LimnerError `invalid_request` for options that cannot be had together, or a folder that is not writable
 */
export async function finishImages(
  paths: readonly string[],
  options: FinishOptions,
  output: Output,
): Promise<number> {
  const how = finishFor(options);
  const folder = options.folder === undefined ? undefined : wholePath(options.folder);
  if (folder !== undefined) {
    await makeTarget(folder);
  }
  const codecs = new LateCodecs();
  let code: number = exitCodes.ok;
  try {
    for (const path of filesMeant(paths)) {
      try {
        const outcome = await finishOne(await codecs.get(), path, how);
        const { bytes: _, ...made } = outcome;
        const { got, damage, cutout } = outcome;
        const isBad = isCutoutRefused(cutout);
        // Discards the result: the file is the one that was given.
        const facts = isBad ? { got, size: got, damage, cutout } : made;
        const isNew = outcome.untouched === undefined && !isBad;
        const file = isNew ? await publish(outcome, path, folder ?? dirname(path)) : path;
        output.result(output.json ? jsonLine({ file, from: path, ...facts }) : file);
        for (const remark of remarksOn(outcome)) {
          output.say(printable(`${basename(path)}: ${remark}`));
        }
        const isDone = isNew || outcome.untouched === 'nothingToDo';
        code = isDone && !isBad && outcome.damage === undefined ? code : exitCodes.failed;
      } catch (error) {
        const { code: why, message } = asLimnerError(error);
        if (output.json) {
          output.result(jsonLine({ from: path, error: { code: why, message } }));
        }
        output.say(printable(l10n.t('error: {0}', `${path}: ${told(message)}`)));
        code = exitCodes.failed;
      }
    }
    return code;
  } finally {
    await codecs.dispose();
  }
}

/** @throws LimnerError `invalid_request` for options that are invalid, do nothing, or cannot be had together */
function finishFor({ format, quality, lossless, transparent, anyway, ...wishes }: FinishOptions): Finish {
  const { fit, size, multiples, fill } = wishes;
  requireUse({ ...wishes, fit: fit ?? 'crop', anyway, transparent });
  if (fit !== undefined && size === undefined && multiples === undefined && fill === undefined) {
    throw new LimnerError('invalid_request', inEnglish(fitWithSize));
  }
  const file = { format, quality, lossless };
  const encoding = encodingOf(file);
  const how = finishOf(
    { ...wishes, cutout: transparent && { by: 'key', ...(anyway && { keepAnyway: anyway }) }, encoding },
    quality,
  );
  const problem = encodingProblem(file) ?? wishesProblem(wishes) ?? finishProblem(how);
  if (problem !== undefined) {
    throw new LimnerError('invalid_request', problem);
  }
  return how;
}

/** Puts a finished image beside its original or in a folder, under its name, with a number if that is taken. */
async function publish({ bytes, mediaType }: Finished, path: string, folder: string): Promise<string> {
  const uri = fileUri(folder);
  const name = `${basename(path, extname(path))}.${sniffImage(bytes)?.extension ?? basename(mediaType)}`;
  return pathOfUri(await publishBytesOnDisk(bytes, { folder: uri, root: uri, fileName: '' }, name));
}

/** Returns what users should know about a finished image. */
function remarksOn(finished: Finished): string[] {
  const { got, size, untouched, damage, cutout } = finished;
  const note = cutout && cutoutNote(cutout);
  const notes = note === undefined ? [] : [note];
  if (isCutoutRefused(cutout)) {
    return [...notes, ...finishNotes(damage === undefined ? {} : { damage })];
  }
  return [
    ...(untouched === 'nothingToDo' ? [l10n.t('The image is already as asked for.')] : []),
    ...(sizeText(got) === sizeText(size) ? [] : [l10n.t('{0} became {1}.', sizeText(got), sizeText(size))]),
    ...notes,
    ...finishNotes(finished),
  ];
}

/** @throws LimnerError `invalid_request` when the file cannot be read, `unsupported_image` when it cannot be finished */
async function finishOne(codecs: Codecs, path: string, how: Finish): Promise<Finished> {
  let bytes: Uint8Array;
  try {
    bytes = await readRegular(path, largestFinished);
  } catch (error) {
    const isMissing = fileTrouble(error) === 'gone' && isPattern(path);
    const message = inEnglish(() =>
      isMissing
        ? l10n.t('No file matches.')
        : error instanceof UnreadableFile
          ? error.message
          : l10n.t("It can't be read."),
    );
    throw new LimnerError('invalid_request', message, { cause: error });
  }
  try {
    return await codecs.finish(bytes, how);
  } catch (error) {
    throw new LimnerError('unsupported_image', messageOf(error), { cause: error });
  }
}
