// Room: what the entry of a model decides of a request, whichever door the order comes through.
// Never: words for people, where entries come from.

import { type CallStyle, type CallStyleSetting, isNative } from '../../common/callStyle.ts';
import type { CutoutWay } from '../../images/formats/cutout.ts';
import { nearestSize } from '../../images/formats/finishWishes.ts';
import { isSameService } from '../../service/endpoints.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { EditCall } from '../files/onTwoGrounds.ts';
import type { TaskRequest } from '../task.ts';

/** What is ordered of a model. */
export interface ModelOrder {
  model: ModelEntry;
  kind: TaskRequest['kind'];
  callStyle: CallStyleSetting;
  /** `<width>x<height>`; if empty, the service decides. */
  size: string;
  /** If empty, the service decides. */
  quality: string;
  /** How the background is made transparent, if it is to be. */
  way: CutoutWay | undefined;
  /** What becomes of the images. */
  finish: TaskRequest['finish'] | undefined;
}

/** What a model cannot do of an order. */
export type ModelExcess = { of: 'count' | 'inputs'; most: number } | { of: 'mask' };

/** Returns the models of a service among all that are listed: those that name it, and those that name none. */
export function modelsAt(models: readonly ModelEntry[], baseUrl: string): ModelEntry[] {
  return models.filter(({ service }) => service === undefined || isSameService(service, baseUrl));
}

/** Returns the part of a request that the entry of its model decides. */
export function modelPart(
  order: ModelOrder,
): Pick<
  TaskRequest,
  'model' | 'family' | 'callStyle' | 'size' | 'quality' | 'extra' | 'imageField' | 'taskPath'
> {
  const { model, kind, callStyle, size, quality, way, finish } = order;
  const { id, family, sizes = [] } = model;
  const asked = finish?.size ? nearestSize(size, sizes) : size;
  const takesSize = family === 'image';
  return {
    model: id,
    family,
    callStyle: callStyleOf(model, kind, callStyle),
    ...(takesSize && asked !== '' && { size: asked }),
    ...(takesSize && quality !== '' && { quality }),
    ...extraFor(model, way),
    ...(kind === 'edit' && { imageField: imageFieldOf(model) }),
    ...(model.taskPath !== undefined && { taskPath: model.taskPath }),
  };
}

/**
 * Resolves `auto`: asynchronous for both families, unless the model says otherwise. Native calls take only prompts of
 * the native family, so everything else is asynchronous there as well.
 */
export function callStyleOf(
  { family, callStyle = 'auto' }: ModelEntry,
  kind: TaskRequest['kind'],
  asked: CallStyleSetting,
): CallStyle {
  const wanted = asked === 'auto' ? callStyle : asked;
  const canBeHad = !isNative(wanted) || (kind === 'generate' && family === 'native');
  return wanted === 'auto' || !canBeHad ? 'async' : wanted;
}

/** Returns how an edit is sent with a model. */
export function editCallOf(model: ModelEntry, asked: CallStyleSetting): Required<EditCall> {
  return { callStyle: callStyleOf(model, 'edit', asked), imageField: imageFieldOf(model) };
}

/**
 * Returns how the background is made transparent, if it is to be.
 *
 * @param wish `twoGrounds` is undefined where the model decides
 */
export function wayOf({
  background,
  twoGrounds,
  model,
}: {
  background?: 'transparent' | undefined;
  twoGrounds?: boolean | undefined;
  model: ModelEntry;
}): CutoutWay | undefined {
  if (!background && !twoGrounds) {
    return undefined;
  }
  return twoGrounds === undefined ? (model.transparent?.by ?? 'key') : twoGrounds ? 'grounds' : 'key';
}

/** Most input images of one edit with a model whose entry says nothing of that. */
export const mostInputs = 16;

/** Returns the number of input images that one edit with a model takes. */
export function maxInputsOf({ inputs }: ModelEntry): number {
  return inputs?.max ?? 1;
}

/** Returns what a model cannot do of an order, if there is anything. */
export function excessOf(
  model: ModelEntry,
  { n, inputs, hasMask }: { n: number; inputs: number; hasMask: boolean },
): ModelExcess | undefined {
  const { maxCount = Infinity, mask } = model;
  if (inputs > maxInputsOf(model)) {
    return { of: 'inputs', most: maxInputsOf(model) };
  }
  if (hasMask && mask === 'none') {
    return { of: 'mask' };
  }
  return n > maxCount ? { of: 'count', most: maxCount } : undefined;
}

function imageFieldOf({ inputs }: ModelEntry): NonNullable<TaskRequest['imageField']> {
  return inputs?.field ?? 'image';
}

/** Returns what the entry adds to a request, also for a transparent background. */
function extraFor(
  { extra, transparent }: ModelEntry,
  way: CutoutWay | undefined,
): Pick<TaskRequest, 'extra'> {
  const all = { ...extra, ...(way !== undefined && way === transparent?.by && transparent.extra) };
  return Object.keys(all).length > 0 ? { extra: all } : {};
}
