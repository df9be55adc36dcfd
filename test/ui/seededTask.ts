import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DemoService } from '../../src/demo/endpoints/demoService.ts';
import type { Task, TaskRequest } from '../../src/engine/task/task.ts';
import { newTaskId } from '../../src/engine/task/taskId.ts';
import { aRequest, aTask } from '../support/engine/taskBuilders.ts';

/** The place of the images of seeded tasks. */
export interface SeedPlace {
  service: DemoService;
  workspace: string;
  /** Folder of the images. */
  images: string;
}

/** Returns a task that ended just now, for a task list that exists before the window. */
export function seededTask(
  { service, workspace, images }: SeedPlace,
  prompt: string,
  changes: Partial<Task>,
  request: Partial<TaskRequest> = {},
): Task {
  const createdAt = Date.now();
  return aTask({
    id: newTaskId(createdAt),
    createdAt,
    finishedAt: createdAt,
    status: 'completed',
    origin: service.baseUrl,
    request: aRequest({
      prompt,
      model: service.models[0]?.id ?? '',
      baseUrl: service.baseUrl,
      target: {
        folder: pathToFileURL(images).href,
        root: pathToFileURL(workspace).href,
        fileName: '{prompt}',
      },
      ...request,
    }),
    ...changes,
  });
}

/** Returns the results of a task whose images, PNG files of one pixel, are saved under these names. */
export function savedResults({ images }: SeedPlace, ...names: string[]): Task['results'] {
  return names.map((name, index) => ({
    index,
    state: 'saved',
    uri: pathToFileURL(join(images, name)).href,
    width: 1,
    height: 1,
    mediaType: 'image/png',
  }));
}

/** A PNG image of one pixel. */
export const pixel: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
