import type { Engine } from '../engine.ts';
import type { Task } from '../tasks/task.ts';
import { advise, describeProgress, exitCodes, type Output, savedPaths, taskJson } from './output.ts';

/**
 * Shows a task until it ends and prints what it saved. SIGINT stops watching: the service has no cancel, so what it
 * may still do and bill is said.
 *
 * @returns the exit code
 */
export async function runTask(engine: Engine, started: Task, output: Output, json: boolean): Promise<number> {
  const show = (): void => {
    const task = engine.store.get(started.id);
    if (task && !endings.has(task.status)) {
      output.progress(describeProgress(task, Date.now()));
    }
  };
  const changes = engine.store.onDidChange((ids) => {
    if (ids.includes(started.id)) {
      show();
    }
  });
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    void engine.runner.stop(started.id);
  };
  process.once('SIGINT', interrupt);
  try {
    show();
    const task = await engine.runner.outcome(started.id);
    report(task, output, json);
    return interrupted && task.status === 'stopped' ? exitCodes.interrupted : exitCodeOf(task);
  } finally {
    process.off('SIGINT', interrupt);
    changes.dispose();
  }
}

const endings = new Set(['completed', 'failed', 'unknown', 'stopped', 'expired']);

function report(task: Task, output: Output, json: boolean): void {
  if (json) {
    output.result(JSON.stringify(taskJson(task)));
  } else {
    for (const path of savedPaths(task)) {
      output.result(path);
    }
  }
  if (task.status === 'stopped') {
    output.say(
      task.remoteId === undefined
        ? 'Stopped. The service may finish this call and bill it; its answer cannot be fetched any more.'
        : 'Stopped watching. The service goes on and may bill it; "limner tasks --resume" fetches the result within 6 hours.',
    );
  } else if (task.error) {
    output.say([task.error.service?.message ?? task.error.message, advise(task.error)].join(' ').trim());
  }
}

function exitCodeOf(task: Task): number {
  switch (task.status) {
    case 'completed':
      return task.results.every(({ state }) => state === 'saved') ? exitCodes.ok : exitCodes.failed;
    case 'unknown':
      return exitCodes.unknown;
    default:
      return exitCodes.failed;
  }
}
