import type { CallStyleSetting } from '../../common/requestValues.ts';
import { finishProblem } from '../../images/formats/finish.ts';
import {
  type FinishWishes,
  finishIfAsked,
  wishesProblem,
  withQuality,
} from '../../images/formats/finishWishes.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { maxImages } from '../store/taskRow.ts';
import { askedFormat, foreignExtension } from '../task/fileNames.ts';
import type { TaskInput, TaskRequest } from '../task/task.ts';
import { type EditCall, twoBackgroundsRequest } from '../task/twoBackgrounds.ts';
import { excessOf, type ModelExcess, modelPart, wayOf } from './modelRules.ts';

/** An order with every default filled in: the same from the window, the command line, and agents. */
export interface Order {
  prompt: string;
  model: ModelEntry;
  callStyle: CallStyleSetting;
  /** `<width>x<height>`; if empty, the service decides. */
  size: string;
  /** If empty, the service decides. */
  quality: string;
  n: number;
  background?: 'transparent' | undefined;
  /** Undefined where the model decides. */
  twoGrounds?: boolean | undefined;
  /** Keep cutouts even if their check fails. */
  keepAnyway?: boolean | undefined;
  /** How the images are finished. */
  wishes: Omit<FinishWishes, 'cutout' | 'encoding' | 'size'>;
  /** Of JPEG and WebP files, from 1 to 100. */
  fileQuality: number;
  fileName: string;
  embedPrompt: boolean;
  /** Undefined for a new image. */
  images?: TaskInput[] | undefined;
  mask?: TaskInput | undefined;
}

/** The reason for which an order can't be sent. */
export type OrderProblem =
  | ModelExcess
  | { of: 'prompt' }
  | { of: 'run'; most: number }
  | { of: 'twoBackgrounds' }
  | { of: 'fileName'; extension: string }
  | { of: 'finish'; message: string };

/** The part of a request that follows from its order alone. */
export type OrderedPart = Omit<TaskRequest, 'baseUrl' | 'target' | 'price'>;

/** Returns the part of a request that follows from an order, or the first problem with it. Nothing is read or sent. */
export function partOf(order: Order): { part: OrderedPart } | { problem: OrderProblem } {
  const { model, callStyle, size, quality, n, images, mask } = order;
  const prompt = order.prompt.trim();
  if (prompt === '') {
    return { problem: { of: 'prompt' } };
  }
  const excess = excessOf(model, { n, inputs: images?.length ?? 0, hasMask: mask !== undefined });
  if (excess) {
    return { problem: excess };
  }
  if (n > maxImages) {
    return { problem: { of: 'run', most: maxImages } };
  }
  const way = wayOf(order);
  if (way === 'grounds' && n > 1) {
    return { problem: { of: 'twoBackgrounds' } };
  }
  const extension = foreignExtension(order.fileName);
  if (extension !== undefined) {
    return { problem: { of: 'fileName', extension } };
  }
  const wishes = { ...order.wishes, size };
  const format = askedFormat(order.fileName)?.format;
  const finish = finishIfAsked({
    ...wishes,
    cutout: way && { by: way, ...(order.keepAnyway && { keepAnyway: true }) },
    encoding: format && withQuality(format, order.fileQuality),
  });
  const message =
    wishesProblem({ ...wishes, quality: order.fileQuality }) ?? (finish && finishProblem(finish));
  if (message !== undefined) {
    return { problem: { of: 'finish', message } };
  }
  const kind = images ? 'edit' : 'generate';
  return {
    part: {
      kind,
      prompt,
      ...modelPart({ model, kind, callStyle, size, quality, way, finish, isMasked: mask !== undefined }),
      n,
      ...(images && { images }),
      ...(mask && { mask }),
      ...(finish && { finish }),
      ...(order.embedPrompt && { embedPrompt: true }),
    },
  };
}

/** Returns a request as it is sent first: on two backgrounds, the one on white. @param edit how the other one is sent */
export function firstRequest(request: TaskRequest, edit: () => EditCall): TaskRequest {
  return request.finish?.cutout?.by === 'grounds' ? twoBackgroundsRequest(request, edit()) : request;
}
