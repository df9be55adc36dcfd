import { imageCounts, isAskedFor, isWhole } from '../../common/taskStatus.ts';
import type { Task, TaskRequest, TaskResult } from '../task/task.ts';
import { roundedUp } from '../../images/formats/dimensions.ts';
import {
  nearestSize,
  sizeOf,
  sizeToFit,
  usualSizes,
  askedSize,
  type CallStyle,
  type CallStyleSetting,
  isNative,
} from '../../common/requestValues.ts';
import { type CutoutWay, isCutoutRefused } from '../../images/formats/finish.ts';
import { isSameService } from '../../service/http/endpoints.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import type { EditCall } from '../task/twoBackgrounds.ts';

/** Whether every image that was asked for is saved, whole and as asked, and no part of the answer was passed over. */
export function isFulfilled(task: Task): boolean {
  const { status, error, results, request } = task;
  return (
    status === 'completed' &&
    error === undefined &&
    imageCounts(task).missing === 0 &&
    results.filter(isAskedFor).every((result) => result.state === 'saved' && isAsAsked(request, result))
  );
}

/**
 * Whether a saved image is whole, and what its request asks for: in its format and size, and without its background. One
 * that had to be left alone may be that anyway.
 */
export function isAsAsked({ finish }: Pick<TaskRequest, 'finish'>, result: TaskResult): boolean {
  const { finished, mediaType, width = 0, height = 0 } = result;
  if (!isWhole(result) || (finished && 'problem' in finished)) {
    return false;
  }
  if (finish === undefined) {
    return true;
  }
  if (!finished || isCutoutRefused(finished.cutout)) {
    return false;
  }
  const { cutout, encoding, trim, size = { width, height }, multiples } = finish;
  if (finished.untouched === undefined || finished.untouched === 'nothingToDo') {
    return true;
  }
  const asked = roundedUp(size, multiples);
  const hasFormat = encoding === undefined || mediaType === `image/${encoding.format}`;
  return !cutout && !trim && hasFormat && asked.width === width && asked.height === height;
}

/** The parts of an order that a model may not support. */
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
  /** How the images are finished. */
  finish: TaskRequest['finish'] | undefined;
  /** Whether a mask is sent, which fits only images of the original's size. */
  isMasked?: boolean;
}

/** A part of an order that a model can't carry out. */
export type ModelExcess = { of: 'count' | 'inputs'; most: number } | { of: 'mask' };

/**
 * Returns the models of a service among all that are listed: those that name it, and those that name none, which any
 * service may have. Of a model listed as both, the entry that names the service holds.
 */
export function modelsAt<Model extends Pick<ModelEntry, 'id' | 'service'>>(
  models: readonly Model[],
  baseUrl: string,
): Model[] {
  const own = models.filter(({ service }) => service !== undefined && isSameService(service, baseUrl));
  return models.filter(
    (model) => own.includes(model) || (model.service === undefined && !own.some(({ id }) => id === model.id)),
  );
}

/**
 * Whether a model may be sent to a service. Any ID may be valid there, unless only other services are known to have it.
 *
 * @param models all known models of all services
 * @param from URL of the service that the model was chosen for; by default, `models` alone decide
 */
export function mayHave(
  baseUrl: string,
  id: string,
  models: readonly Pick<ModelEntry, 'id' | 'service'>[],
  from?: string,
): boolean {
  const known = models.filter((model) => model.id === id);
  return (
    known.some(({ service = baseUrl }) => isSameService(service, baseUrl)) ||
    (from === undefined ? known.length === 0 : isSameService(from, baseUrl))
  );
}

/** Returns the part of a request that the entry of its model decides. */
export function modelPart(
  order: ModelOrder,
): Pick<
  TaskRequest,
  'model' | 'family' | 'callStyle' | 'size' | 'quality' | 'extra' | 'imageField' | 'taskPath'
> {
  const { model, kind, callStyle, size, quality, way, finish, isMasked } = order;
  const { id, family, sizes = [] } = model;
  const nearest = isMasked ? nearestSize : sizeToFit;
  const asked = finish?.size ? nearest(size, sizes) : size;
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

/** Returns a request whose size the service refused with a usual size, which Limner scales; undefined for others. */
export function inUsualSize({ status, error, request }: Task): TaskRequest | undefined {
  const asked = askedSize(request);
  const isRefused =
    status === 'failed' &&
    error?.code === 'invalid_request' &&
    Object.values(error.service ?? {}).some((words) =>
      /(?<!file.?)(?:size|dimension|resolution)/iu.test(words),
    );
  if (!isRefused || request.size === undefined || asked === undefined || request.mask) {
    return undefined;
  }
  const size = nearestSize(asked, usualSizes);
  return size === request.size
    ? undefined
    : { ...request, size, finish: { fit: { by: 'crop' }, ...request.finish, size: sizeOf(asked) } };
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
