import type { ErrorRecord } from '../../../src/common/limnerError.ts';
import type { Task, TaskRequest, TaskResult } from '../../../src/engine/task/task.ts';
import { newTaskId } from '../../../src/engine/task/taskId.ts';

export function aRequest(changes: Partial<TaskRequest> = {}): TaskRequest {
  return {
    kind: 'generate',
    prompt: 'a red fox',
    model: 'painter-1',
    family: 'image',
    callStyle: 'async',
    n: 1,
    baseUrl: 'http://127.0.0.1:9',
    target: { folder: 'file:///w/images', root: 'file:///w', fileName: '{prompt}' },
    ...changes,
  };
}

export function aTask(changes: Partial<Task> = {}): Task {
  return {
    id: newTaskId(1_700_000_000_000),
    request: aRequest(),
    status: 'waiting',
    createdAt: 1_700_000_000_000,
    origin: 'http://127.0.0.1:9',
    results: [],
    ...changes,
  };
}

export function anError(changes: Partial<ErrorRecord> = {}): ErrorRecord {
  return { code: 'network', message: 'The connection was closed.', ...changes };
}

export function aResult(changes: Partial<TaskResult> = {}): TaskResult {
  return { index: 0, state: 'remote', url: 'https://results.example/0.png', ...changes };
}
