import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task, TaskRequest, TaskResult } from '../task.ts';
import { newTaskId } from '../taskId.ts';
import type { Run } from './run.ts';

/**
 * Begins the task that puts the saved image on black, where the request is for one on white. Once, whatever comes
 * between: its id is in the row before it is. Of images that the service sent beyond the one that was wanted, none is
 * edited.
 */
export async function beginOnBlack(run: Run): Promise<void> {
  const { clock, begin } = run.context;
  const task = run.task();
  const result = task?.results.find(({ state }) => state === 'saved');
  const request = task && result && edit(task, result);
  if (!request || task.results.some(({ onBlack }) => onBlack?.begun)) {
    return;
  }
  const id = result.onBlack?.id ?? newTaskId(clock.now());
  if (await run.record({ type: 'resultChanged', result: { ...result, onBlack: { id } } })) {
    await begin(id, request);
    await run.record({ type: 'resultChanged', result: { ...result, onBlack: { id, begun: true } } });
  }
}

/** Returns the edit that puts an image on black, if one is wanted. */
function edit(task: Task, { uri, size, mediaType, sha256 }: TaskResult): TaskRequest | undefined {
  const { onBlack, mask: _, keepOutside: __, size: ___, ...request } = task.request;
  if (!onBlack || !uri?.startsWith('file:') || size === undefined || !mediaType || sha256 === undefined) {
    return undefined;
  }
  const path = fileURLToPath(uri);
  return {
    ...request,
    kind: 'edit',
    n: 1,
    images: [{ uri, name: basename(path), size, mediaType, sha256, path }],
    imageField: request.imageField ?? 'image',
    finish: onBlack.finish,
    target: { ...request.target, fileName: onBlack.fileName },
  };
}
