import { fileURLToPath } from 'node:url';
import { basename } from 'node:path';
import type { Task, TaskRequest, TaskResult } from '../task.ts';
import { newTaskId } from '../taskId.ts';
import type { Run } from './run.ts';

/**
 * Begins a task for each saved image that is on white, which puts it on black. Once for each, whatever comes between:
 * its id is in the row before it is.
 */
export async function beginOnBlack(run: Run): Promise<void> {
  const { clock, begin } = run.context;
  for (const { index } of run.task()?.results ?? []) {
    const request = edit(run.task(), index);
    if (!request) {
      continue;
    }
    const id = resultOf(run.task(), index)?.onBlack?.id ?? newTaskId(clock.now());
    if ((await mark(run, index, { id })) && !run.ended.aborted) {
      await begin(id, request);
      await mark(run, index, { id, begun: true });
    }
  }
}

function resultOf(task: Task | undefined, index: number): TaskResult | undefined {
  return task?.results.find((result) => result.index === index);
}

async function mark(run: Run, index: number, onBlack: NonNullable<TaskResult['onBlack']>): Promise<boolean> {
  const result = resultOf(run.task(), index);
  return (
    result !== undefined &&
    (await run.record({ type: 'resultChanged', result: { ...result, onBlack } })) !== undefined
  );
}

/** Returns the edit that puts an image on black, if it is to be begun. */
function edit(task: Task | undefined, index: number): TaskRequest | undefined {
  const result = resultOf(task, index);
  const { state, uri, size, mediaType, sha256, onBlack } = result ?? {};
  if (!task?.request.onBlack || state !== 'saved' || !uri?.startsWith('file:') || onBlack?.begun) {
    return undefined;
  }
  if (size === undefined || mediaType === undefined || sha256 === undefined) {
    return undefined;
  }
  const { onBlack: then, mask: _, keepOutside: __, size: ___, ...request } = task.request;
  const path = fileURLToPath(uri);
  return {
    ...request,
    kind: 'edit',
    n: 1,
    images: [{ uri, name: basename(path), size, mediaType, sha256, path }],
    imageField: request.imageField ?? 'image',
    finish: then.finish,
    target: { ...request.target, fileName: then.fileName },
  };
}
