import type { Task, TaskRequest, TaskResult } from './task.ts';
import { onWhiteEnding, withoutExtension } from './fileNames.ts';

export type EditCall = Partial<Pick<TaskRequest, 'callStyle' | 'imageField'>>;

/**
 * Returns the request for the image on white, which is saved beside the requested image. A second task edits it to
 * black, and Limner makes the requested image from both.
 */
export function twoBackgroundsRequest(
  { finish = {}, ...request }: TaskRequest,
  edit: EditCall = {},
): TaskRequest {
  const { target, images: [original] = [] } = request;
  // The image on white becomes the original of the other one, whose file name uses its name. Braces would make that a
  // template.
  const name = original && withoutExtension(original.name).replaceAll(/[{}]/gu, '');
  const fileName = name === undefined ? target.fileName : target.fileName.replaceAll('{name}', () => name);
  return {
    ...request,
    onBlack: { finish: { ...finish, cutout: { ...finish.cutout, by: 'grounds' } }, fileName, ...edit },
    target: { ...target, fileName: withoutExtension(fileName) + onWhiteEnding },
  };
}

/** Returns the original order of a request for an image on white. */
export function asOrdered({ onBlack, ...request }: TaskRequest): TaskRequest {
  return onBlack
    ? { ...request, finish: onBlack.finish, target: { ...request.target, fileName: onBlack.fileName } }
    : request;
}

/**
 * Returns a request for a transparent background by the other method: two backgrounds instead of one, or the reverse.
 */
export function inTheOtherWay(request: TaskRequest, edit: EditCall): TaskRequest {
  const { finish } = request;
  return finish?.cutout?.by === 'key'
    ? twoBackgroundsRequest({ ...request, n: 1 }, edit)
    : { ...request, finish: { ...finish, cutout: { ...finish?.cutout, by: 'key' } } };
}

/** Whether a request puts the image of another task on black. */
export function isOnBlack({ finish }: Pick<TaskRequest, 'finish'>): boolean {
  return finish?.cutout?.by === 'grounds';
}

/** Returns the ID of the task that puts this task's image on black, once known. */
export function taskOnBlack({ results }: Pick<Task, 'results'>): string | undefined {
  return results.find(({ onBlack }) => onBlack)?.onBlack?.id;
}

/** Whether an image that was to be on white came without a background and is finished. */
export function cameWithoutBackground({ finished }: TaskResult): boolean {
  return finished !== undefined && 'cutout' in finished;
}

/** Returns how many images of a request may be billed. */
export function imageCount({ n, onBlack }: Pick<TaskRequest, 'n' | 'onBlack'>): number {
  return onBlack ? 2 * n : n;
}
