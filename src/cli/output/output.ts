import * as l10n from '@vscode/l10n';
import { type Clock, systemClock } from '../../common/clock.ts';
import { type Describe, ProgressLine, type ProgressStream } from './progressLine.ts';
import { visible } from './terminalText.ts';
import { WaitNotes } from './waitNotes.ts';

/** Exit codes, as `limner --help` lists them; of several tasks the highest one applies. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unknown: 3,
  overBudget: 4,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** Where a command writes: results to one stream, everything for a user to the other. */
export interface Output {
  readonly json: boolean;
  /** Width of a line of results, if they go to a terminal. */
  readonly columns: number | undefined;
  /** Whether results could not be written, other than because their reader is gone. */
  readonly isBroken: boolean;
  /** Writes a line of results: a saved path, a task, or JSON. */
  result(line: string): void;
  /** Writes a line for a user. */
  say(line: string): void;
  /** Writes a line for a user who asked for details. */
  detail(line: string): void;
  /**
   * Shows the state of a running task; a label tells apart the lines of several tasks.
   *
   * @param reason what it waits for, without what changes all the time
   */
  progress(taskId: string, describe: Describe, label: string, reason?: string): void;
  /** Stops showing a task. */
  endProgress(taskId: string): void;
}

export interface OutputOptions {
  json?: true;
  verbose?: true;
  /** Whether a terminal can redraw a line. */
  canDraw: boolean;
  clock?: Clock;
}

/** Writes results to `out` and the rest to `err`; with JSON, only long waits are told, not progress. */
export function openOutput(
  out: NodeJS.WritableStream & ProgressStream,
  err: NodeJS.WritableStream & ProgressStream,
  { json, verbose, canDraw, clock = systemClock }: OutputOptions,
): Output {
  const line = new ProgressLine(err, canDraw);
  let isBroken = false;
  const say = (text: string): void => {
    line.clear();
    write(err, text);
  };
  const notes = new WaitNotes(say, clock);
  // A reader that is gone, such as head, is no reason to leave a billed image unsaved.
  err.on('error', () => undefined);
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !isBroken) {
      isBroken = true;
      say(l10n.t("Couldn't write the results: {0}.", error.message));
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
      write(out, text);
    },
    say,
    detail(text) {
      if (verbose) {
        say(text);
      }
    },
    progress(taskId, describe, label, reason) {
      if (!json) {
        line.show(taskId, describe, label);
      } else if (reason !== undefined) {
        notes.note(taskId, reason, label);
      }
    },
    endProgress(taskId) {
      line.end(taskId);
      notes.end(taskId);
    },
  };
}

/** Writes a text as it is, since a program may read it; but a terminal obeys what is in it, such as in a path. */
function write(stream: NodeJS.WritableStream & ProgressStream, text: string): void {
  stream.write(`${stream.isTTY ? visible(text) : text}\n`);
}
