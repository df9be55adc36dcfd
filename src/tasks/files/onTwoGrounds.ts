import type { Task, TaskRequest, TaskResult } from '../task.ts';
import { onWhiteEnding, withoutExtension } from './fileNames.ts';

/** How an edit is sent with the model of a request. */
export type EditCall = Partial<Pick<TaskRequest, 'callStyle' | 'imageField'>>;

/**
 * Returns the request for the picture on white, which is saved beside the one that is wanted. That is made of it and of
 * an edit of it to black, as a task of its own.
 */
export function onTwoGrounds({ finish = {}, ...request }: TaskRequest, edit: EditCall = {}): TaskRequest {
  const { target, images: [original] = [] } = request;
  // The picture on white is the original of the other one. Its name is no template.
  const name = original && withoutExtension(original.name).replaceAll(/[{}]/gu, '');
  const fileName = name === undefined ? target.fileName : target.fileName.replaceAll('{name}', () => name);
  return {
    ...request,
    onBlack: { finish: { ...finish, cutout: { by: 'grounds' } }, fileName, ...edit },
    target: { ...target, fileName: withoutExtension(fileName) + onWhiteEnding },
  };
}

/** Returns a request as it was before it became one for a picture on white. */
export function asOrdered({ onBlack, ...request }: TaskRequest): TaskRequest {
  return onBlack
    ? { ...request, finish: onBlack.finish, target: { ...request.target, fileName: onBlack.fileName } }
    : request;
}

/** Returns a request for a transparent background in another way: on two backgrounds instead of one, or the reverse. */
export function inTheOtherWay(request: TaskRequest, edit: EditCall): TaskRequest {
  const { finish } = request;
  return finish?.cutout?.by === 'key'
    ? onTwoGrounds({ ...request, n: 1 }, edit)
    : { ...request, finish: { ...finish, cutout: { by: 'key' } } };
}

/** Whether a request puts the image of another task on black. */
export function isOnBlack({ finish }: Pick<TaskRequest, 'finish'>): boolean {
  return finish?.cutout?.by === 'grounds';
}

/** Returns the id of the task that puts the image of another one on black, once it is known. */
export function taskOnBlack({ results }: Pick<Task, 'results'>): string | undefined {
  return results.find(({ onBlack }) => onBlack)?.onBlack?.id;
}

/** Whether an image that was to be on white came without a background, and is finished. */
export function cameWithoutGround({ finished }: TaskResult): boolean {
  return finished !== undefined && 'cutout' in finished;
}

/** Returns how many images a request is for, all that may be billed. */
export function imageCount({ n, onBlack }: Pick<TaskRequest, 'n' | 'onBlack'>): number {
  return onBlack ? 2 * n : n;
}
