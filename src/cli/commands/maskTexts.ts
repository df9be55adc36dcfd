import { pathOfUri } from '../../common/disk/fileUris.ts';
import type { MaskedInputs, MaskProblem, SeenSize, SentMask } from '../../tasks/requests/sentMask.ts';

/** Returns why a mask is refused, and what to do about it. @param model its ID */
export function maskProblemText(problem: MaskProblem, { image, mask }: MaskedInputs, model: string): string {
  switch (problem.is) {
    case 'otherSize':
      return `The mask must be the same size as the image: ${pathOfUri(mask.uri)} is ${sizeText(problem.mask)}, but ${pathOfUri(image.uri)} is ${sizeText(problem.image)}.`;
    case 'unreadable':
      return `The mask ${mask.name} is damaged or too large to read.`;
    case 'unmarked':
      return `${unmarkedText(problem)} ${unmarkedAdvice(problem, pathOfUri(mask.uri), model)}`;
    case 'unturnable':
      return `${pathOfUri(image.uri)} has an EXIF orientation, and can't be sent upright to match the mask: ${reasons[problem.why]}. Save it upright in an image editor, and edit that.`;
  }
}

/** Returns what a person should know of an edit with a mask, in sentences. */
export function maskNotes({ isTurned, isAll }: SentMask, { image, mask }: MaskedInputs): string[] {
  return [
    ...(isTurned
      ? [`${image.name} has an EXIF orientation: it is sent upright, as it is seen, to match the mask.`]
      : []),
    ...(isAll ? [`${mask.name} is ${isAll} everywhere, so the whole image will be edited.`] : []),
  ];
}

type Unmarked = Extract<MaskProblem, { is: 'unmarked' }>;

function unmarkedText({ isConverted, isImage }: Unmarked): string {
  return isConverted && !isImage
    ? 'Nothing in the mask is transparent or white; its transparent or white area is edited.'
    : 'Nothing in the mask is transparent; its transparent area is edited.';
}

function unmarkedAdvice(
  { isImage, isConverted, isWhiteOnBlack }: Unmarked,
  path: string,
  model: string,
): string {
  if (isImage) {
    return `${path} is the image itself: make the area to edit transparent in a copy of it, save that as PNG, and use it as the mask.`;
  }
  if (isWhiteOnBlack && !isConverted) {
    return `${path} is black and white: to edit its white area, add "mask": "alpha" to the entry of ${model} in LIMNER_MODELS, such as [{"id": "${model}", "mask": "alpha"}]. Limner then makes white transparent.`;
  }
  return `Make the area to edit transparent in an image editor, and save ${path} as PNG.`;
}

const reasons = {
  animated: 'it is animated',
  '12bit': 'it has 12 bits per channel',
  cmyk: 'it has CMYK colors',
  unreadable: 'it is damaged or too large to read',
};

function sizeText({ seen, stored }: SeenSize): string {
  const size = `${seen.width}x${seen.height}`;
  return stored
    ? `${size} (stored as ${stored.width}x${stored.height}, and turned by its EXIF orientation)`
    : size;
}
