import type { StudioImage, StudioModel, StudioTask } from '../../../src/studio/protocol/state.ts';

/** A task as the studio shows it, ended with one picture unless the changes say otherwise. */
export function aStudioTask(changes: Partial<StudioTask> = {}): StudioTask {
  return {
    id: 'task',
    kind: 'generate',
    prompt: 'A fox',
    model: 'model',
    status: 'completed',
    standing: 'ended',
    statusText: 'Completed',
    createdAt: 0,
    count: 1,
    images: [aStudioImage()],
    hasOriginal: false,
    actions: [],
    errorActions: [],
    ...changes,
  };
}

export function aStudioImage(changes: Partial<StudioImage> = {}): StudioImage {
  return {
    index: 0,
    url: 'picture.png',
    name: 'picture.png',
    path: 'images/picture.png',
    starred: false,
    isOtherSize: false,
    ...changes,
  };
}

/** A model that takes any size, an image with a mask, and makes up to four images at once. */
export function aStudioModel(changes: Partial<StudioModel> = {}): StudioModel {
  return {
    id: 'painter',
    name: 'The Painter',
    family: 'image',
    sizes: [],
    maxCount: 4,
    maxInputs: 1,
    mask: 'alpha',
    transparentBy: 'key',
    callStyles: [],
    ...changes,
  };
}
