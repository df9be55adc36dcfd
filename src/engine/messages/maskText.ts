import * as l10n from '@vscode/l10n';
import { sentencesText, sizeText } from '../../common/text.ts';
import type { MaskProblem, SeenSize, SentMask } from '../operations/sentMask.ts';

/** How a door names the files of an edit with a mask. */
export interface MaskNames {
  image: string;
  mask: string;
}

/** The model and the setting that the advice about an empty mask names. */
export interface MaskAdvice {
  /** ID of the model. */
  model: string;
  /** The setting or variable that holds the entries of models. */
  models: string;
  /** A sentence about the mask editor, at a door that has one. */
  editor?: string;
}

type Problem<Is extends MaskProblem['is']> = Extract<MaskProblem, { is: Is }>;

/** Says why a mask is refused, and what to do. */
export function maskProblemText(
  problem: MaskProblem,
  { image, mask }: MaskNames,
  advice: MaskAdvice,
): string {
  switch (problem.is) {
    case 'otherSize':
      return l10n.t(
        'The mask must be the same size as the image: {0} is {1}, but {2} is {3}.',
        mask,
        seenSizeText(problem.mask),
        image,
        seenSizeText(problem.image),
      );
    case 'unreadable':
      return l10n.t('The mask {0} is damaged or too large to read.', mask);
    case 'unmarked':
      return sentencesText([
        problem.isConverted && !problem.isImage
          ? l10n.t('The mask marks nothing: no pixel is transparent or white.')
          : l10n.t('The mask marks nothing: no pixel is transparent.'),
        unmarkedAdvice(problem, mask, advice),
        ...(advice.editor === undefined ? [] : [advice.editor]),
      ]);
    case 'unturnable':
      return l10n.t(
        "{0} has an EXIF orientation, and can't be sent upright to match the mask. {1} Save it upright in an image editor, and edit that.",
        image,
        reasonText(problem),
      );
  }
}

/** Returns what a user should know of an edit with a mask, in sentences. */
export function maskNotes({ isTurned, isAll }: SentMask, { image, mask }: MaskNames): string[] {
  const notes = [
    isTurned &&
      l10n.t('{0} has an EXIF orientation: it is sent upright, as it is seen, to match the mask.', image),
    isAll === 'transparent' &&
      l10n.t('{0} is transparent everywhere, so the whole image will be edited.', mask),
    isAll === 'white' && l10n.t('{0} is white everywhere, so the whole image will be edited.', mask),
  ];
  return notes.filter((note) => typeof note === 'string');
}

function unmarkedAdvice(
  { isImage, isConverted, isWhiteOnBlack }: Problem<'unmarked'>,
  mask: string,
  { model, models }: MaskAdvice,
): string {
  if (isImage) {
    return l10n.t(
      '{0} is the image itself: make the area to edit transparent in a copy of it, save that as PNG, and use it as the mask.',
      mask,
    );
  }
  if (isWhiteOnBlack && !isConverted) {
    return l10n.t(
      '{0} is black and white: to edit its white area, add "mask": "alpha" to the entry of {1} in {2}, such as {3}. Limner then makes white transparent.',
      mask,
      model,
      models,
      `[{"id": "${model}", "mask": "alpha"}]`,
    );
  }
  return l10n.t('Make the area to edit transparent in an image editor, and save {0} as PNG.', mask);
}

function reasonText({ why }: Problem<'unturnable'>): string {
  switch (why) {
    case 'animated':
      return l10n.t('It is animated.');
    case '12bit':
      return l10n.t('It has 12 bits per channel.');
    case 'cmyk':
      return l10n.t('It has CMYK colors.');
    case 'unreadable':
      return l10n.t('It is damaged or too large to read.');
  }
}

function seenSizeText({ seen, stored }: SeenSize): string {
  return stored
    ? l10n.t('{0} (stored as {1}, and turned by its EXIF orientation)', sizeText(seen), sizeText(stored))
    : sizeText(seen);
}
