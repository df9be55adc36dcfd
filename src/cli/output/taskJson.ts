import { existsSync } from 'node:fs';
import { imageCounts, unsupportedData, urlToOpen } from '../../common/taskStatus.ts';
import { costOf } from '../../engine/task/spending.ts';
import type { Task, TaskResult } from '../../engine/task/task.ts';
import { pathOf, savedPaths } from './taskFormat.ts';

/** Returns a task as `--json` prints it; the help documents its properties. */
export function taskJson(task: Task): Record<string, unknown> {
  return {
    taskId: task.id,
    status: task.status,
    ...(task.held && { held: true }),
    kind: task.request.kind,
    model: task.request.model,
    prompt: task.request.prompt,
    style: task.request.style?.name,
    n: task.request.n,
    ...imageCounts(task),
    createdAt: new Date(task.createdAt).toISOString(),
    remoteId: task.remoteId,
    keptResponse: task.keptResponse,
    progress: task.progress,
    cost: costJson(task),
    files: savedPaths(task),
    results: task.results.map(({ index, state, uri, size, mediaType, width, height, sha256, ...about }) => ({
      index,
      saved: state === 'saved',
      ...(state === 'saved' && uri !== undefined && { file: pathOf(uri) }),
      size,
      mediaType,
      width,
      height,
      sha256,
      seemsCut: about.seemsCut,
      damage: about.damage,
      finished: about.finished,
      received: receivedPath(about.answer) ?? unsupportedData({ state, ...about }),
      url: urlToOpen({ state, ...about }),
      revisedPrompt: about.revisedPrompt,
      error: about.error,
    })),
    remark: task.remark,
    usage: task.usage,
    error: task.error,
  };
}

/** Returns what a task costs, in money or in images, without what floating point adds. */
function costJson(task: Task): { about: number; atMost: number; currency: string } {
  const { about, atMost, unit } = costOf(task);
  return { about: rounded(about), atMost: rounded(atMost), currency: unit };
}

function rounded(amount: number): number {
  return Number(amount.toFixed(6));
}

/** Returns the path of what the service sent, as long as it is kept. */
function receivedPath(answer: TaskResult['answer']): string | undefined {
  return answer && existsSync(answer.path) ? answer.path : undefined;
}
