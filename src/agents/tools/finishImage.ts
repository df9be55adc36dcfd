import { largestFinished } from '../../common/regularFile.ts';
import { LimnerError, notSent, messageOf } from '../../common/limnerError.ts';
import type { Engine } from '../../engine/run/engine.ts';
import type { Codecs } from '../../images/finish/codecs.ts';
import type { Finished } from '../../images/finish/finish.ts';
import { type Finish, finishProblem, isCutoutRefused } from '../../images/formats/finish.ts';
import {
  encodingOf,
  encodingProblem,
  finishOf,
  type FinishWishes,
  wishesProblem,
} from '../../images/formats/finishWishes.ts';
import { cutoutNote, finishNotes, leftAloneText } from '../../engine/messages/finishText.ts';
import { askedFormat } from '../../engine/task/fileNames.ts';
import { replaceOnDisk } from '../../engine/files/publishOnDisk.ts';
import type { AgentHost } from './agentHost.ts';
import type { WorkspaceFile } from './workspacePaths.ts';
import type { FinishInput } from './tools.ts';
import { sizeText } from '../../common/text.ts';

interface FinishOrder {
  input: FinishInput;
  bytes: Uint8Array;
  target: WorkspaceFile;
  /** The target exists, and the user agreed to replace it. */
  replaces: boolean;
  keptFiles: Pick<Engine['keptFiles'], 'keep'>;
}

/**
 * Creates a finished copy of an image for `limner_finish_image`.
 *
 * @returns the file and notes about it: first its format and sizes
 * @throws LimnerError `invalid_request`, `unsupported_image`
 */
export async function finishImage(
  host: Pick<AgentHost, 'read' | 'publish'>,
  codecs: Pick<Codecs, 'finish'>,
  { input, bytes, target, replaces, keptFiles }: FinishOrder,
): Promise<{ uri: string; mediaType: string; notes: string[] }> {
  const how = finishOptions(input, target);
  const finished = await codecs.finish(bytes, how).catch((error: unknown) => {
    throw new LimnerError('unsupported_image', messageOf(error), { ...notSent, cause: error });
  });
  requireFinished(finished, how);
  const uri = replaces
    ? await replaceContents(host, keptFiles, target, finished.bytes)
    : await host.publish(finished.bytes, target);
  return { uri, mediaType: finished.mediaType, notes: notesOn(finished) };
}

function finishOptions(
  { size, fit, fill, transparent, trim, quality, lossless }: FinishInput,
  { fileName }: WorkspaceFile,
): Finish {
  const [, margin, unit] = /^([\d.]+)(px|%)$/u.exec(trim ?? '') ?? [];
  const format = askedFormat(fileName)?.format ?? 'png';
  const file = { format, quality, lossless };
  const wishes: FinishWishes = {
    ...(transparent && { cutout: { by: 'key' } }),
    encoding: encodingOf(file),
    size,
    fit: fit ?? 'crop',
    fill,
    ...(margin !== undefined && { trim: { margin: Number(margin), unit: unit === '%' ? '%' : 'px' } }),
  };
  const how = finishOf(wishes, quality);
  const problem = encodingProblem(file) ?? wishesProblem({ fill }) ?? finishProblem(how);
  if (problem !== undefined) {
    throw new LimnerError('invalid_request', problem, notSent);
  }
  return how;
}

/** @throws LimnerError `unsupported_image` when the image was left alone or its background can't be removed */
function requireFinished({ untouched, cutout, mediaType }: Finished, { encoding }: Finish): void {
  const isOfFormat = encoding === undefined || mediaType === `image/${encoding.format}`;
  const reason =
    untouched !== undefined && untouched !== 'nothingToDo'
      ? leftAloneText(untouched)
      : cutout && isCutoutRefused(cutout)
        ? `${cutoutNote(cutout)} limner_edit_image with transparent true can put the subject on one flat color first; that may be billed.`
        : isOfFormat
          ? undefined
          : 'The image could not be converted.';
  if (reason !== undefined) {
    throw new LimnerError('unsupported_image', reason, notSent);
  }
}

/** Replaces the contents of a file atomically, and keeps the old ones with the originals that users replaced. */
async function replaceContents(
  host: Pick<AgentHost, 'read'>,
  keptFiles: FinishOrder['keptFiles'],
  { root, folder, fileName, uri }: WorkspaceFile,
  bytes: Uint8Array,
): Promise<string> {
  const before = await host.read(uri, largestFinished);
  await (before && keptFiles.keep(before, fileName));
  await replaceOnDisk(bytes, { root, folder, fileName: '' }, fileName);
  return uri;
}

function notesOn(finished: Finished): string[] {
  const { got, size, bytes, mediaType, cutout, untouched } = finished;
  const format = mediaType.replace('image/', '').toUpperCase();
  const sizes = `${sizeText(got)} became ${sizeText(size)}`;
  const note = cutout && cutoutNote(cutout);
  const notes = [
    ...(untouched ? ['There was nothing to change: the file is as it was.'] : []),
    ...(note === undefined ? [] : [note]),
    ...finishNotes(finished),
  ];
  return [
    `${format}, ${sizes}, ${Math.ceil(bytes.length / 1024)} KB`,
    ...notes.map((text) => `Note: ${text}`),
  ];
}
