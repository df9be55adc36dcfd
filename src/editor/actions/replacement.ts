import * as vscode from 'vscode';
import type { Codecs } from '../../images/codecs/codecs.ts';
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
  const replace =
    scale === undefined ? vscode.l10n.t('Convert and Replace') : vscode.l10n.t('Replace Anyway');
  const chosen = await choice(
    questionOf(name, wanted, held, { isOtherFormat: format !== undefined, isOtherSize: scale !== undefined }),
    scale === undefined ? [replace] : [scale, replace],
    format && (await lossesOf(image, format)),
  );
  if (chosen === undefined) {
    return undefined;
  }
  const size = chosen === scale ? wanted.size : undefined;
  return format || size ? converted(await codecs(), image, format, size) : image;
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

/** Says what an image loses when it is converted to a format. */
async function lossesOf(image: Uint8Array, format: Format): Promise<string> {
  return [
    format === 'jpg'
      ? vscode.l10n.t('JPEG compression may slightly change every pixel, even outside the mask.')
      : bitsPerChannel(image) > 8
        ? vscode.l10n.t('The copy is reduced from 16 to 8 bits per channel.')
        : vscode.l10n.t('The conversion is lossless.'),
    (await hasPngColours(image))
      ? vscode.l10n.t(
          'Colors may look different because only PNG supports the color information of the edited image.',
        )
      : '',
  ]
    .join(' ')
    .trim();
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
): Promise<Uint8Array> {
  const rounded = bitsPerChannel(image) > 8 ? await codecs.convert(image, { format: 'png' }) : image;
  const { bytes } = await finishBytes(codecs, vscode.l10n.t('The new image'), rounded, {
    ...(format && { encoding: encodings[format] }),
    ...(size && { size }),
    fit: { by: 'crop' },
  });
  return bytes;
}

function isSameSize(one: Dimensions | undefined, other: Dimensions | undefined): boolean {
  return one?.width === other?.width && one?.height === other?.height;
}

function sizeText(size: Dimensions | undefined): string {
  return size ? `${size.width} × ${size.height}` : '';
}
