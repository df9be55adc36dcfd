import { type Describe, ProgressLine } from './progressLine.ts';

/** Exit codes, as `limner --help` lists them; of several tasks the highest one counts. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unknown: 3,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** Where a command writes: results on one side, everything for the eye on the other. */
export interface Output {
  /** Whether results are lines of JSON. */
  readonly json: boolean;
  /** Columns of a line of results, where they go to a terminal. */
  readonly columns: number | undefined;
  /** Whether results could not be written, other than because nobody reads them any more. */
  readonly isBroken: boolean;
  /** A line of result: a saved path, a task, or JSON. */
  result(line: string): void;
  /** A line for a person. */
  say(line: string): void;
  /** A line for a person who asked for every detail. */
  detail(line: string): void;
  /** How a running task stands; a label tells apart the lines of several tasks. */
  progress(taskId: string, describe: Describe, label: string): void;
  /** A task is no longer watched. */
  endProgress(taskId: string): void;
}

export interface OutputOptions {
  json?: true;
  verbose?: true;
  /** Whether the terminal, if it is one, can draw over a line. */
  canDraw: boolean;
}

/** Writes results to `out` and the rest to `err`; there is no progress beside JSON. */
export function openOutput(
  out: NodeJS.WriteStream,
  err: NodeJS.WriteStream,
  { json, verbose, canDraw }: OutputOptions,
): Output {
  const line = new ProgressLine(err, canDraw);
  let isBroken = false;
  const say = (text: string): void => {
    line.clear();
    err.write(`${text}\n`);
  };
  // A reader that has gone, such as head, is no reason to leave a paid picture unsaved.
  err.on('error', () => undefined);
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !isBroken) {
      isBroken = true;
      say(`Couldn't write the results: ${error.message}.`);
    }
  });
  return {
    json: json === true,
    columns: out.isTTY ? out.columns || undefined : undefined,
    get isBroken() {
      return isBroken;
    },
    result(text) {
      line.clear();
      out.write(`${text}\n`);
    },
    say,
    detail(text) {
      if (verbose) {
        say(text);
      }
    },
    progress(taskId, describe, label) {
      if (!json) {
        line.show(taskId, describe, label);
      }
    },
    endProgress: (taskId) => line.end(taskId),
  };
}
