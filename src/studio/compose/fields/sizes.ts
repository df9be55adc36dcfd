import * as l10n from '@vscode/l10n';
import type { Draft } from '../../protocol/draft.ts';
import type { StudioModel } from '../../protocol/state.ts';
import { largest, parseSize } from '../../store/imageSize.ts';
import type { Size } from '../../zoom/zoom.ts';

/** Presets for a model whose settings name no sizes. */
const usualSizes = ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792'];

/** Returns the presets without repetition: those of the model, or else the usual ones. */
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
    : l10n.t('Width and height must be whole numbers from 1 to {0}.', largest);
}

/** Returns why the size of a draft is invalid; undefined also where it is of no use. */
export function sizeProblemOf({ size, fit }: Draft, { family }: StudioModel): string | undefined {
  return family === 'image' || fit !== 'off' ? sizeProblem(size) : undefined;
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

/** Says what becomes of a size that is not sent to a model as it is; undefined if it is. */
export function sizeNote({ family, name, sizes }: StudioModel, { size, fit }: Draft): string | undefined {
  if (size === '' || (family === 'image' && (sizes.length === 0 || sizes.includes(size)))) {
    return undefined;
  }
  if (fit !== 'off') {
    return l10n.t("{0} doesn't make this size. Limner makes it of the result.", name);
  }
  return family === 'native'
    ? l10n.t("Not sent because the service doesn't apply it to {0}.", name)
    : undefined;
}
