import * as l10n from '@vscode/l10n';
import type { Codecs } from '../../images/finish/codecs.ts';
import type { Finished } from '../../images/finish/finish.ts';
import { hasCredentials } from '../../images/formats/provenance.ts';
import { dimensionsFromPrefix, type Dimensions } from '../../images/formats/dimensions.ts';
import type { Encoding } from '../../images/formats/finish.ts';
import { upright, hasPngColors } from '../../images/formats/animation.ts';
import { bitsPerChannel, sniffImage, type ImageFormat } from '../../images/formats/sniff.ts';
import { choice } from '../ask/confirm.ts';
import { finishBytes } from './finishFile.ts';
import { sizeText } from '../../common/text.ts';

type Format = ImageFormat['extension'];

const encodings: Record<Format, Encoding> = {
  png: { format: 'png' },
  jpg: { format: 'jpeg', quality: 95 },
  webp: { format: 'webp', lossless: true },
};

const formatNames: Record<Format, string> = { png: 'PNG', jpg: 'JPEG', webp: 'WebP' };

/** Format and displayed size of an image; undefined if unknown. */
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
 * Converts an image to replace a file: to the file's format, which its name promises, and to its size if the user
 * agrees. Undefined if the user declines.
 *
 * @param name of the file
 * @throws LimnerError `unsupported_image` if the image can't be converted
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
  // Converts before asking, so that the question can name the losses.
  const made = format && (await converted(await codecs(), image, format, undefined));
  const replace = scale === undefined ? l10n.t('Convert and Replace') : l10n.t('Replace Anyway');
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
  const heldFormat = held.format ? formatNames[held.format] : l10n.t('file of another format');
  if (!isOtherSize) {
    return l10n.t(
      '{0} is a {1}, but the edited image is a {2}. Convert it to {1} and replace {0}?',
      name,
      format,
      heldFormat,
    );
  }
  const size = wanted.size ? sizeText(wanted.size) : '';
  const heldSize = held.size ? sizeText(held.size) : '';
  return isOtherFormat
    ? l10n.t(
        '{0} is a {1} of {2}, the new image is a {3} of {4}. It will be converted to {1}.',
        name,
        format,
        size,
        heldFormat,
        heldSize,
      )
    : l10n.t('{0} is {1}, the new image is {2}.', name, size, heldSize);
}

interface Change {
  format: Format | undefined;
  flattened: string | undefined;
  from: Dimensions | undefined;
  to: Dimensions | undefined;
}

/** Describes the losses of converting or scaling an image; undefined without any. */
async function lossesOf(
  image: Uint8Array,
  { format, flattened, from, to }: Change,
): Promise<string | undefined> {
  const isDeep = bitsPerChannel(image) > 8;
  const isEnlarged = from && to && (to.width > from.width || to.height > from.height);
  const losses = [
    format === 'jpg' && l10n.t('JPEG compression may slightly change every pixel, even outside the mask.'),
    format && format !== 'jpg' && !isDeep && l10n.t('The conversion is lossless.'),
    isDeep && l10n.t('The copy is reduced from 16 to 8 bits per channel.'),
    flattened !== undefined && l10n.t('Transparency becomes {0}.', flattened),
    format &&
      (await hasPngColors(image)) &&
      l10n.t(
        'Colors may look different because only PNG supports the color information of the edited image.',
      ),
    (await hasCredentials(image)) && l10n.t("The copy doesn't include its Content Credentials."),
    isEnlarged && l10n.t('Scaling up adds no detail.'),
  ];
  const text = losses.filter((loss) => typeof loss === 'string').join(' ');
  if (text === '') {
    return undefined;
  }
  return format ? text : l10n.t('If it is scaled: {0}', text);
}

/** Returns the button that scales an image, cropped if scaling would distort it by a pixel or more. */
function scaleText(from: Dimensions, to: Dimensions): string {
  const scale = Math.max(to.width / from.width, to.height / from.height);
  const isCropped = from.width * scale - to.width >= 1 || from.height * scale - to.height >= 1;
  return isCropped ? l10n.t('Scale and Crop to {0}', sizeText(to)) : l10n.t('Scale to {0}', sizeText(to));
}

/** @throws LimnerError `unsupported_image` if that fails */
async function converted(
  codecs: Codecs,
  image: Uint8Array,
  format: Format | undefined,
  size: Dimensions | undefined,
): Promise<Finished> {
  // Finishing may transfer the bytes, and the image is needed again. A buffer's slice isn't a copy.
  const rounded =
    bitsPerChannel(image) > 8 ? await codecs.convert(image, { format: 'png' }) : new Uint8Array(image);
  return finishBytes(codecs, l10n.t('The new image'), rounded, {
    ...(format && { encoding: encodings[format] }),
    ...(size && { size }),
    fit: { by: 'crop' },
  });
}

function isSameSize(one: Dimensions | undefined, other: Dimensions | undefined): boolean {
  return one?.width === other?.width && one?.height === other?.height;
}
