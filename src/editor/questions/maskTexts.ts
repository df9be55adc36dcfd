import * as vscode from 'vscode';
import type { MaskedInputs, MaskProblem, SeenSize, SentMask } from '../../tasks/requests/sentMask.ts';

/** The names of the files of an edit with a mask. */
export type MaskNames = Record<keyof MaskedInputs, string>;

/** Returns why a mask is refused, and what to do about it. @param model its ID */
export function maskProblemText(problem: MaskProblem, { image, mask }: MaskNames, model: string): string {
  switch (problem.is) {
    case 'otherSize':
      return vscode.l10n.t(
        'The mask must be the same size as the image: {0} is {1}, but {2} is {3}.',
        mask,
        sizeText(problem.mask),
        image,
        sizeText(problem.image),
      );
    case 'unreadable':
      return vscode.l10n.t('The mask {0} is damaged or too large to read.', mask);
    case 'unmarked':
      return `${unmarkedText(problem)} ${unmarkedAdvice(problem, mask, model)}`;
    case 'unturnable':
      return vscode.l10n.t(
        "{0} has an EXIF orientation, and can't be sent upright to match the mask. {1} Save it upright in an image editor, and edit that.",
        image,
        reasonText(problem),
      );
  }
}

/** Returns what a person should know of an edit with a mask, in sentences. */
export function maskNotes({ isTurned, isAll }: SentMask, { image, mask }: MaskNames): string[] {
  return [
    ...(isTurned
      ? [
          vscode.l10n.t(
            '{0} has an EXIF orientation: it is sent upright, as it is seen, to match the mask.',
            image,
          ),
        ]
      : []),
    ...(isAll === 'transparent'
      ? [vscode.l10n.t('{0} is transparent everywhere, so the whole image will be edited.', mask)]
      : []),
    ...(isAll === 'white'
      ? [vscode.l10n.t('{0} is white everywhere, so the whole image will be edited.', mask)]
      : []),
  ];
}

type Problem<Is extends MaskProblem['is']> = Extract<MaskProblem, { is: Is }>;

function unmarkedText({ isConverted, isImage }: Problem<'unmarked'>): string {
  return isConverted && !isImage
    ? vscode.l10n.t('Nothing in the mask is transparent or white; its transparent or white area is edited.')
    : vscode.l10n.t('Nothing in the mask is transparent; its transparent area is edited.');
}

function unmarkedAdvice(problem: Problem<'unmarked'>, mask: string, model: string): string {
  const { isImage, isConverted, isWhiteOnBlack } = problem;
  if (isImage) {
    return vscode.l10n.t(
      '{0} is the image itself: paint a mask in the studio, or make the area to edit transparent in a copy of it.',
      mask,
    );
  }
  if (isWhiteOnBlack && !isConverted) {
    return vscode.l10n.t(
      '{0} is black and white: to edit its white area, load it in the mask editor of the studio, or add "mask": "alpha" to the "limner.models" entry of {1}. Limner then makes white transparent.',
      mask,
      model,
    );
  }
  return vscode.l10n.t(
    'Paint a mask in the studio, or make the area to edit transparent in an image editor, and save {0} as PNG.',
    mask,
  );
}

function reasonText({ why }: Problem<'unturnable'>): string {
  switch (why) {
    case 'animated':
      return vscode.l10n.t('It is animated.');
    case '12bit':
      return vscode.l10n.t('It has 12 bits per channel.');
    case 'cmyk':
      return vscode.l10n.t('It has CMYK colors.');
    case 'unreadable':
      return vscode.l10n.t('It is damaged or too large to read.');
  }
}

function sizeText({ seen, stored }: SeenSize): string {
  const size = `${seen.width}x${seen.height}`;
  return stored
    ? vscode.l10n.t(
        '{0} (stored as {1}, and turned by its EXIF orientation)',
        size,
        `${stored.width}x${stored.height}`,
      )
    : size;
}
