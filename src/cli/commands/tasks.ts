import * as l10n from '@vscode/l10n';
import * as english from '../../common/english.ts';
import type { Engine } from '../../engine/run/engine.ts';
import type { Task } from '../../engine/task/task.ts';
import { openCliEngine } from '../setup/cliEngine.ts';
import type { Environment } from '../setup/environment.ts';
import { Interruption } from './interruption.ts';
import { exitCodes, type Output } from '../output/output.ts';
import { readProxies } from '../setup/proxies.ts';
import { remarks, report } from '../output/report.ts';
import { resumeTasks, type ResumeOptions, resumableTasks } from './resumeTasks.ts';
import { formatError, formatProgress, savedPaths } from '../output/taskFormat.ts';
import { taskJson } from '../output/taskJson.ts';
import { fit, jsonLine, printable } from '../output/terminalText.ts';
import { localTime } from '../output/localFormats.ts';
import { watch } from './watch.ts';
import { isRunning } from '../../common/taskStatus.ts';
import { LimnerError } from '../../common/limnerError.ts';

/** Options of `limner tasks`, as commander parsed them. */
export interface TasksOptions {
  limit: number;
  resume?: true;
  send?: true;
  overBudget?: true;
  stop?: true;
  /** In milliseconds. */
  wait?: number;
  folder?: string;
  json?: true;
  verbose?: true;
}

/**
 * `limner tasks`: prints tasks, newest first; with `--resume` or `--send` resumes unfinished ones and waits for them,
 * with `--stop` stops them.
 *
 * @param ids the tasks; none means all that the options apply to
 * @returns the exit code, the highest one of several tasks
 * @throws LimnerError `invalid_request` for an unknown task, an invalid proxy, or a folder that is not writable;
 * `save_failed` when the store is not
 */
export async function tasks(
  ids: readonly string[],
  options: TasksOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const engine = await openCliEngine(() => environment, output);
  try {
    const named = ids.map((id) => existing(engine, id));
    if (options.resume || options.send) {
      readProxies(environment.proxies);
      const isNamed = ids.length > 0;
      const chosen = isNamed ? named : resumableTasks(engine, Date.now());
      return await resume(engine, chosen, { ...options, isNamed }, output);
    }
    if (options.stop) {
      return await stop(engine, ids, output);
    }
    list(ids.length > 0 ? named : engine.store.list({ limit: options.limit }), output);
    return exitCodes.ok;
  } finally {
    await engine.dispose();
  }
}

function list(listed: readonly Task[], output: Output): void {
  if (listed.length === 0) {
    output.say(l10n.t('There are no tasks.'));
  }
  for (const task of listed) {
    if (output.json) {
      output.result(jsonLine(taskJson(task)));
      continue;
    }
    for (const line of describe(task)) {
      // A URL that is cut leads nowhere.
      const isWhole = output.columns === undefined || /^ {2}.*:\/\//u.test(line);
      output.result(isWhole ? line : fit(line, output.columns));
    }
  }
}

/** Formats a task as one line, followed by its files and remarks. */
function describe(task: Task): string[] {
  const { id, createdAt, request } = task;
  return [
    [id, localTime(createdAt), formatProgress(task, Date.now()), request.prompt].map(printable).join('  '),
    ...savedPaths(task).map((path) => `  ${path}`),
    ...(isRunning(task) ? [] : remarks(task)).map((remark) => `  ${printable(remark)}`),
  ];
}

async function resume(
  engine: Engine,
  chosen: readonly Task[],
  options: ResumeOptions & Pick<TasksOptions, 'wait'>,
  output: Output,
): Promise<number> {
  const interruption = new Interruption(output, options.wait);
  try {
    const refused = await resumeTasks(engine, chosen, options);
    for (const error of refused) {
      output.say(l10n.t('error: {0}', printable(formatError(error.toRecord()))));
    }
    if (chosen.length === 0) {
      output.say(l10n.t('There are no unfinished tasks.'));
    }
    const code = await watch(
      chosen.map(({ id }) => id),
      { engine, output, interruption },
    );
    return refused.length > 0 ? Math.max(code, exitCodes.overBudget) : code;
  } finally {
    interruption.dispose();
  }
}

async function stop(engine: Engine, ids: readonly string[], output: Output): Promise<number> {
  if (ids.length === 0) {
    throw new LimnerError(
      'invalid_request',
      english.t('Specify the tasks to stop: {0}.', 'limner tasks --stop <id>'),
    );
  }
  let worst: number = exitCodes.ok;
  for (const id of ids) {
    await engine.runner.giveUp(id);
    const task = existing(engine, id);
    const code = report(task, output, ids.length > 1 ? `${id}: ` : '');
    worst = Math.max(worst, task.status === 'stopped' ? exitCodes.ok : code);
  }
  return worst;
}

function existing({ store }: Engine, id: string): Task {
  const task = store.get(id);
  if (!task) {
    throw new LimnerError(
      'invalid_request',
      english.t('There is no task {0}. Run "{1}" to list the tasks.', id, 'limner tasks'),
    );
  }
  return task;
}
