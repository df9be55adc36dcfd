import { largestFinished } from '../common/disk/regularFile.ts';
import { LimnerError, notSent } from '../common/limnerError.ts';
import { messageOf } from '../common/messageOf.ts';
import type { Engine } from '../engine.ts';
import type { Codecs } from '../images/codecs/codecs.ts';
import type { Finished } from '../images/codecs/finishing/finish.ts';
import { type Finish, finishProblem } from '../images/formats/finish.ts';
import {
  encodingOf,
  encodingProblem,
  finishOf,
  type FinishWishes,
  wishesProblem,
} from '../images/formats/finishWishes.ts';
import type { ReasonToLeaveAlone } from '../images/formats/leftAlone.ts';
import { askedFormat } from '../tasks/files/fileNames.ts';
import { replaceOnDisk } from '../tasks/files/publishOnDisk.ts';
import type { AgentHost } from './agentHost.ts';
import type { Place } from './places.ts';
import type { FinishInput } from './tools.ts';

interface FinishOrder {
  input: FinishInput;
  /** Of the image. */
  bytes: Uint8Array;
  target: Place;
  /** The target exists, and the person agreed. */
  replaces: boolean;
  keptFiles: Pick<Engine['keptFiles'], 'keep'>;
}

/**
 * Makes a new file of an image, as `limner_finish_image` is asked to.
 *
 * @returns the file, and what should be known of it: first its format and sizes
 * @throws LimnerError `invalid_request`, `unsupported_image`
 */
export async function finishImage(
  host: Pick<AgentHost, 'read' | 'publish'>,
  codecs: Pick<Codecs, 'finish'>,
  { input, bytes, target, replaces, keptFiles }: FinishOrder,
): Promise<{ uri: string; mediaType: string; notes: string[] }> {
  const how = wayOf(input, target);
  const finished = await codecs.finish(bytes, how).catch((error: unknown) => {
    throw new LimnerError('unsupported_image', messageOf(error), { ...notSent, cause: error });
  });
  requireFinished(finished, how);
  const uri = replaces
    ? await replaceContents(host, keptFiles, target, finished.bytes)
    : await host.publish(finished.bytes, target);
  return { uri, mediaType: finished.mediaType, notes: notesOn(finished) };
}

function wayOf(
  { size, fit, fill, transparent, trim, quality, lossless }: FinishInput,
  { fileName }: Place,
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

const leftAlone: Record<ReasonToLeaveAlone, string> = {
  animated: 'Animated images are left alone.',
  '16bit': 'Images with 16 bits per channel are left alone.',
  '12bit': 'Images with 12 bits per channel are left alone.',
  cmyk: 'Images with CMYK colors are left alone.',
};

/** @throws LimnerError `unsupported_image` when the image is left alone, or its background is none to remove */
function requireFinished({ untouched, cutout, mediaType }: Finished, { encoding }: Finish): void {
  const isOfFormat = encoding === undefined || mediaType === `image/${encoding.format}`;
  const reason =
    untouched !== undefined && untouched !== 'nothingToDo'
      ? leftAlone[untouched]
      : cutout?.verdict === 'bad'
        ? `The background was not removed: ${cutout.reasons.map(({ text }) => text).join(' ')} limner_edit_image with transparent true can put the subject on one flat color first; that may be billed.`
        : isOfFormat
          ? undefined
          : 'The image could not be converted.';
  if (reason !== undefined) {
    throw new LimnerError('unsupported_image', reason, notSent);
  }
}

/** Puts new contents in the place of a file, at once, and keeps the old ones with what people replace. */
async function replaceContents(
  host: Pick<AgentHost, 'read'>,
  keptFiles: FinishOrder['keptFiles'],
  { root, folder, fileName, uri }: Place,
  bytes: Uint8Array,
): Promise<string> {
  const before = await host.read(uri, largestFinished);
  await (before && keptFiles.keep(before, fileName));
  await replaceOnDisk(bytes, { root, folder, fileName: '' }, fileName);
  return uri;
}

function notesOn({ got, size, bytes, mediaType, cutout, ...facts }: Finished): string[] {
  const { untouched, scaled, untrimmed, flattened, lostColours, lostCredentials, notSmaller, damage } = facts;
  const format = mediaType.replace('image/', '').toUpperCase();
  const sizes = `${got.width} × ${got.height} became ${size.width} × ${size.height}`;
  return [
    `${format}, ${sizes}, ${Math.ceil(bytes.length / 1024)} KB`,
    ...(damage === undefined ? [] : [`Note: The original is damaged: ${damage}.`]),
    ...(notSmaller ? ['Note: The new file is not smaller than the original.'] : []),
    ...(untouched ? ['Note: There was nothing to change: the file is as it was.'] : []),
    ...(scaled === 'up' ? ['Note: It was scaled up, and has no more detail than before.'] : []),
    ...(untrimmed ? ['Note: There was nothing to trim: no pixel is transparent, or all are.'] : []),
    ...(flattened === undefined ? [] : [`Note: Transparency became ${flattened}.`]),
    ...(lostColours ? ['Note: The colors may look different: the format cannot hold what they mean.'] : []),
    ...(lostCredentials
      ? ['Note: The Content Credentials were left out: they hold for the original only.']
      : []),
    ...(cutout?.verdict === 'doubtful'
      ? [`Note: Look at the removed background: ${cutout.reasons.map(({ text }) => text).join(' ')}`]
      : []),
  ];
}
