import * as vscode from 'vscode';
import type { Codecs } from '../../images/codecs/codecs.ts';
import type { Finished } from '../../images/codecs/finishing/finish.ts';
import { hasCredentials } from '../../images/formats/credentials.ts';
import { dimensionsFromPrefix, type Dimensions } from '../../images/formats/dimensions.ts';
import type { Encoding } from '../../images/formats/finish.ts';
import { upright } from '../../images/formats/orientation.ts';
import { hasPngColours } from '../../images/formats/pngColours.ts';
import { bitsPerChannel, sniffImage, type ImageFormat } from '../../images/formats/sniff.ts';
import { choice } from '../questions/confirm.ts';
import { finishBytes } from './finishFile.ts';

type Format = ImageFormat['extension'];

/** For an image that is converted to its original's format. */
const encodings: Record<Format, Encoding> = {
  png: { format: 'png' },
  jpg: { format: 'jpeg', quality: 95 },
  webp: { format: 'webp', lossless: true },
};

const formatNames: Record<Format, string> = { png: 'PNG', jpg: 'JPEG', webp: 'WebP' };

/** Format and displayed size of an image; undefined where its file does not say. */
export interface Shape {
  format: Format | undefined;
  size: Dimensions | undefined;
}

export async function shapeOf(bytes: Uint8Array): Promise<Shape> {
  const size = dimensionsFromPrefix(bytes);
  return {
    format: sniffImage(bytes)?.extension,
    size: size.kind === 'known' ? await upright(size, bytes) : undefined,
  };
}

export function isSameShape(one: Shape, other: Shape): boolean {
  return one.format === other.format && isSameSize(one.size, other.size);
}

/**
 * Returns an image as it takes the place of a file: in its format, which its name promises, and in its size, if the
 * person wants that; undefined when the person declines.
 *
 * @param name of the file
 * @throws LimnerError `unsupported_image` when the image cannot be brought to that
 */
export async function replacementOf(
  name: string,
  wanted: Shape,
  image: Uint8Array,
  codecs: () => Promise<Codecs>,
): Promise<Uint8Array | undefined> {
  const held = await shapeOf(image);
  const format = wanted.format === held.format ? undefined : wanted.format;
  const scale =
    wanted.size && held.size && !isSameSize(wanted.size, held.size)
      ? scaleText(held.size, wanted.size)
      : undefined;
  if (!format && scale === undefined) {
    return image;
  }
  // It is converted whichever button is pressed, so that what it loses is known before.
  const made = format && (await converted(await codecs(), image, format, undefined));
  const replace =
    scale === undefined ? vscode.l10n.t('Convert and Replace') : vscode.l10n.t('Replace Anyway');
  const chosen = await choice(
    questionOf(name, wanted, held, { isOtherFormat: format !== undefined, isOtherSize: scale !== undefined }),
    scale === undefined ? [replace] : [scale, replace],
    await lossesOf(image, { format, flattened: made?.flattened, from: held.size, to: wanted.size }),
  );
  if (chosen === undefined) {
    return undefined;
  }
  return chosen === scale
    ? (await converted(await codecs(), image, format, wanted.size)).bytes
    : (made?.bytes ?? image);
}

function questionOf(
  name: string,
  wanted: Shape,
  held: Shape,
  { isOtherFormat, isOtherSize }: { isOtherFormat: boolean; isOtherSize: boolean },
): string {
  const format = wanted.format ? formatNames[wanted.format] : '';
  const heldFormat = held.format ? formatNames[held.format] : vscode.l10n.t('file of another format');
  if (!isOtherSize) {
    return vscode.l10n.t(
      '{0} is a {1}, but the edited image is a {2}. Convert it to {1} and replace {0}?',
      name,
      format,
      heldFormat,
    );
  }
  const [size, heldSize] = [sizeText(wanted.size), sizeText(held.size)];
  return isOtherFormat
    ? vscode.l10n.t(
        '{0} is a {1} of {2}, the new image is a {3} of {4}. It will be converted to {1}.',
        name,
        format,
        size,
        heldFormat,
        heldSize,
      )
    : vscode.l10n.t('{0} is {1}, the new image is {2}.', name, size, heldSize);
}

interface Change {
  /** Undefined where it stays. */
  format: Format | undefined;
  /** The colour that transparency becomes. */
  flattened: string | undefined;
  from: Dimensions | undefined;
  to: Dimensions | undefined;
}

/** Says what an image loses when it is converted or scaled; undefined if nothing. */
async function lossesOf(
  image: Uint8Array,
  { format, flattened, from, to }: Change,
): Promise<string | undefined> {
  const isDeep = bitsPerChannel(image) > 8;
  const isEnlarged = from && to && (to.width > from.width || to.height > from.height);
  const losses = [
    format === 'jpg' &&
      vscode.l10n.t('JPEG compression may slightly change every pixel, even outside the mask.'),
    format && format !== 'jpg' && !isDeep && vscode.l10n.t('The conversion is lossless.'),
    isDeep && vscode.l10n.t('The copy is reduced from 16 to 8 bits per channel.'),
    flattened !== undefined && vscode.l10n.t('Transparency becomes {0}.', flattened),
    format &&
      (await hasPngColours(image)) &&
      vscode.l10n.t(
        'Colors may look different because only PNG supports the color information of the edited image.',
      ),
    (await hasCredentials(image)) && vscode.l10n.t('Its Content Credentials are left out of the copy.'),
    isEnlarged && vscode.l10n.t('Scaled up, it has no more detail than before.'),
  ];
  const text = losses.filter((loss) => typeof loss === 'string').join(' ');
  if (text === '') {
    return undefined;
  }
  return format ? text : vscode.l10n.t('If it is scaled: {0}', text);
}

/** Returns the button that brings an image to a size: cropped where it would be distorted by a pixel or more. */
function scaleText(from: Dimensions, to: Dimensions): string {
  const scale = Math.max(to.width / from.width, to.height / from.height);
  const isCropped = from.width * scale - to.width >= 1 || from.height * scale - to.height >= 1;
  return isCropped
    ? vscode.l10n.t('Scale and Crop to {0}', sizeText(to))
    : vscode.l10n.t('Scale to {0}', sizeText(to));
}

/** @throws LimnerError `unsupported_image` when it cannot be done */
async function converted(
  codecs: Codecs,
  image: Uint8Array,
  format: Format | undefined,
  size: Dimensions | undefined,
): Promise<Finished> {
  // What is finished may be handed over, and the image is needed again: a copy, which a buffer's slice is not.
  const rounded =
    bitsPerChannel(image) > 8 ? await codecs.convert(image, { format: 'png' }) : new Uint8Array(image);
  return finishBytes(codecs, vscode.l10n.t('The new image'), rounded, {
    ...(format && { encoding: encodings[format] }),
    ...(size && { size }),
    fit: { by: 'crop' },
  });
}

function isSameSize(one: Dimensions | undefined, other: Dimensions | undefined): boolean {
  return one?.width === other?.width && one?.height === other?.height;
}

function sizeText(size: Dimensions | undefined): string {
  return size ? `${size.width} × ${size.height}` : '';
}
