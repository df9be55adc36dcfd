import type { Accepted } from './accepted.ts';

export const tasks: readonly Accepted[] = [
  {
    file: 'src/tasks/files/stagingStore.ts',
    line: 'const pieceLength = 512 * 1024;',
    changes: ['512 -> 1024', '1024 -> 2048'],
    reason: 'The files are the same; only how long they take to read differs.',
  },
  {
    file: 'src/tasks/files/stagingStore.ts',
    line: 'this.#flushed = 0;',
    changes: ['0 -> 1'],
    reason: 'The disk is asked to begin a byte later.',
  },
  {
    file: 'src/tasks/run/resendPolicy.ts',
    line: 'this.#putOff[cause] -= Math.min(Math.max(0, until - at), pause);',
    changes: ['0 -> 1'],
    reason: 'They differ by a millisecond.',
  },
  {
    file: 'src/tasks/run/resendPolicy.ts',
    line: 'const pause = Math.max(error.retryAfter ?? 0, backoff(this.#attempts++) * (1 + 0.2 * Math.random()));',
    changes: ['0 -> 1'],
    reason: 'The other pause is two seconds at least.',
  },
  {
    file: 'src/tasks/run/submitRequest.ts',
    line: 'const { id, status, progress, retryAfter = 0 } = submission.task;',
    changes: ['0 -> 1'],
    reason: 'The first query comes two seconds later at least.',
  },
  {
    file: 'src/tasks/store/taskStore.ts',
    line: 'const result = task.results.find((one) => one.uri === written || one.uri === uri);',
    changes: ['find -> findLast'],
    reason: 'No two images of a task are the same file.',
  },
];
