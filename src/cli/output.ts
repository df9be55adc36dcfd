import type { ErrorRecord } from '../service/limnerError.ts';
import type { Task } from '../tasks/task.ts';
import { fileURLToPath } from 'node:url';

/** Exit codes, as `limner --help` lists them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, unknown: 3, interrupted: 130 } as const;

/** Where a command writes: results on one side, everything for the eye on the other. */
export interface Output {
  /** A line of result: a saved path, or JSON. */
  result(line: string): void;
  /** A line for a person. */
  say(line: string): void;
  /** The state of a running task: one line drawn over on a terminal, a line per change otherwise. */
  progress(line: string): void;
}

/** Writes results to `out` and the rest to `err`; `quiet` leaves out progress, for `--json`. */
export function openOutput(out: NodeJS.WriteStream, err: NodeJS.WriteStream, quiet: boolean): Output {
  let drawn = '';
  const clear = (): void => {
    if (drawn !== '' && err.isTTY) {
      err.write('\r\u001b[2K');
    }
    drawn = '';
  };
  return {
    result(line) {
      clear();
      out.write(`${line}\n`);
    },
    say(line) {
      clear();
      err.write(`${line}\n`);
    },
    progress(line) {
      if (quiet || line === drawn) {
        return;
      }
      if (err.isTTY) {
        err.write(`\r\u001b[2K${line}`);
      } else {
        err.write(`${line}\n`);
      }
      drawn = line;
    },
  };
}

/** A task's state in a few words: `in progress, 43 %`. */
export function describeProgress(task: Task, now: number): string {
  const status = task.remoteStatus ?? task.status.replaceAll('_', ' ');
  if (task.status === 'waiting' && task.retryAt !== undefined) {
    return `service busy, next try in ${Math.max(0, Math.ceil((task.retryAt - now) / 1000))} s`;
  }
  return task.progress === undefined ? status : `${status}, ${task.progress} %`;
}

/** What an error may have cost and what to do next, in one sentence each. */
export function advise(error: ErrorRecord): string {
  const cost = {
    no: 'Nothing was billed.',
    refunded: 'What was reserved for it is refunded.',
    maybe: 'It may have been billed.',
    yes: 'It was billed; what arrived is kept.',
  };
  const next: Partial<Record<ErrorRecord['code'], string>> = {
    no_key: 'Set LIMNER_API_KEY.',
    no_service: 'Set LIMNER_BASE_URL, or start "limner service" and use its address.',
    unauthorized: 'Check LIMNER_API_KEY.',
    no_async_channel: 'Try --call-style sync.',
    queue_full: 'Try again later.',
    rate_limited: 'Try again later.',
    outcome_unknown: 'Look into the account at the service before you run it again.',
    save_failed: 'The bytes are kept: "limner tasks --resume" saves them without paying again.',
    result_refused: 'The host that the service named is not allowed.',
  };
  return [error.billing === undefined ? '' : cost[error.billing], next[error.code] ?? '']
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** A task as `--json` prints it. */
export function taskJson(task: Task): Record<string, unknown> {
  return {
    taskId: task.id,
    status: task.status,
    kind: task.request.kind,
    model: task.request.model,
    prompt: task.request.prompt,
    createdAt: new Date(task.createdAt).toISOString(),
    files: savedPaths(task),
    ...(task.progress !== undefined && { progress: task.progress }),
    ...(task.remark !== undefined && { remark: task.remark }),
    ...(task.usage && { usage: task.usage }),
    ...(task.error && { error: task.error }),
  };
}

/** Paths of the files that a task has saved. */
export function savedPaths(task: Task): string[] {
  return task.results.flatMap(({ state, uri }) =>
    state === 'saved' && uri !== undefined ? [uri.startsWith('file:') ? fileURLToPath(uri) : uri] : [],
  );
}
