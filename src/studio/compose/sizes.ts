import * as l10n from '@vscode/l10n';
import type { Draft } from '../protocol/draft.ts';
import type { StudioModel } from '../protocol/state.ts';
import { largestSide, sizeToFit } from '../../common/requestValues.ts';
import { parseSize } from '../store/imageSize.ts';
import type { Size } from '../components/zoom.ts';

/** Presets for a model whose settings name no sizes. */
const usualSizes = ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792'];

/** Returns the presets without duplicates: those of the model, or else the usual ones. */
export function presetsOf(sizes: readonly string[]): readonly string[] {
  const known = [...new Set(sizes)].filter((size) => parseSize(size));
  return known.length > 0 ? known : usualSizes;
}

/** Splits a size into the texts of its two fields, valid or not. */
export function sizeParts(text: string): [width: string, height: string] {
  const [width = '', height = ''] = text.split('x');
  return [width, height];
}

/** Returns why a size is invalid; an empty one is valid. */
export function sizeProblem(size: string): string | undefined {
  return size === '' || parseSize(size)
    ? undefined
    : l10n.t('Width and height must be whole numbers from 1 to {0}.', largestSide);
}

/** Returns why the size of a draft is invalid; undefined if the size is not used. */
export function sizeProblemOf({ size, fit }: Draft, { family }: StudioModel): string | undefined {
  return family === 'image' || fit !== 'off' ? sizeProblem(size) : undefined;
}

function spaced(size: string): string {
  return size.replace('x', ' × ');
}

export function shapeName({ width, height }: Size): string {
  const ratio = width / height;
  if (ratio > 0.95 && ratio < 1.05) {
    return l10n.t('Square');
  }
  if (ratio > 1) {
    return ratio >= 1.7 ? l10n.t('Wide') : l10n.t('Landscape');
  }
  return ratio <= 1 / 1.7 ? l10n.t('Tall') : l10n.t('Portrait');
}

/** Returns a note about a size that a model can't make exactly; undefined if it can. */
export function sizeNote(
  { family, name, sizes }: StudioModel,
  { size, fit, transparent }: Draft,
  isMasked: boolean,
): string | undefined {
  if (size === '' || !parseSize(size) || (family === 'image' && sizes.includes(size))) {
    return undefined;
  }
  const asked = sizeToFit(size, sizes);
  if (family === 'image' && sizes.length === 0) {
    return fit === 'off' || isMasked || asked === size
      ? undefined
      : transparent
        ? l10n.t(
            'Requested as {0}. Limner removes the background and then scales to this size.',
            spaced(asked),
          )
        : l10n.t('Requested as {0}. Limner scales it to this size.', spaced(asked));
  }
  if (fit !== 'off') {
    return l10n.t("{0} doesn't generate this size. Limner creates it from the result.", name);
  }
  return family === 'native'
    ? l10n.t("Not sent because the service doesn't apply it to {0}.", name)
    : undefined;
}
