import type { Task } from '../tasks/task.ts';
import { openCliEngine } from './cliEngine.ts';
import type { Environment } from './environment.ts';
import { describeProgress, exitCodes, type Output, savedPaths, taskJson } from './output.ts';
import { runTask } from './runTask.ts';

export interface TasksOptions {
  limit: number;
  resume?: true;
  json?: true;
}

/**
 * `limner tasks`: prints the newest tasks; with `--resume` takes the unfinished ones up and waits for them.
 *
 * @returns the exit code; with `--resume` the worst one of the tasks that were taken up
 */
export async function tasks(
  options: TasksOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const json = options.json === true;
  const engine = await openCliEngine(await import('../engine.ts'), environment, output);
  try {
    if (options.resume) {
      const unfinished = engine.store.running();
      await engine.runner.resumeUnfinished();
      const codes = await Promise.all(unfinished.map(async (task) => runTask(engine, task, output, json)));
      return Math.max(exitCodes.ok, ...codes);
    }
    for (const task of engine.store.list({ limit: options.limit })) {
      output.result(json ? JSON.stringify(taskJson(task)) : line(task));
    }
    return exitCodes.ok;
  } finally {
    await engine.dispose();
  }
}

function line(task: Task): string {
  const prompt = task.request.prompt.replaceAll(/\s+/g, ' ').slice(0, 60);
  const when = new Date(task.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  return [task.id, when, describeProgress(task, Date.now()), prompt, ...savedPaths(task)].join('  ');
}
