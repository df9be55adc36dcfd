import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as l10n from '@vscode/l10n';
import { isSystemError } from '../../common/fileErrors.ts';
import { pathOfUri } from '../../common/fileUris.ts';
import { isLimnerError, LimnerError, notSent } from '../../common/limnerError.ts';
import { sentencesText } from '../../common/text.ts';
import { runText } from '../../engine/messages/costText.ts';
import { inEnglish, spokenLanguage } from '../../engine/messages/language.ts';
import { setProblemText } from '../../engine/messages/setText.ts';
import { isBilledAgain } from '../../engine/operations/nextStep.ts';
import {
  type Claim,
  type Engine,
  filesNamed,
  overBudget,
  readSet,
  setFileName,
  type SetRow,
  withoutExtension,
} from '../../engine/run/engine.ts';
import { billAhead } from '../../engine/task/spending.ts';
import type { Task, TaskRequest } from '../../engine/task/task.ts';
import { exitCodes, type Output } from '../output/output.ts';
import { report } from '../output/report.ts';
import { formatError } from '../output/taskFormat.ts';
import { wholePath } from '../setup/wholePath.ts';
import { resumeTasks } from './resumeTasks.ts';
import { jsonLine, printable } from '../output/terminalText.ts';
import { openCliEngine } from '../setup/cliEngine.ts';
import type { Environment } from '../setup/environment.ts';
import { Interruption } from './interruption.ts';
import { type PaintOptions, readRequest, withSentMask } from './readRequest.ts';
import { watch } from './watch.ts';

/**
 * `limner generate` and `limner edit`: starts one task, waits for it and prints the saved paths.
 *
 * @returns the exit code
 * @throws LimnerError when nothing was sent, for a reason that the user can correct
 */
export async function paint(
  prompt: string,
  options: PaintOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const words = prompt === '-' ? await text(process.stdin) : prompt;
  const request = await readRequest(words, options, environment, (note) => output.say(printable(note)));
  if (request.family === 'native' && (options.size !== undefined || options.quality !== undefined)) {
    output.say(
      sentencesText([
        l10n.t("{0} and {1} have no effect in native calls and aren't sent.", '--size', '--quality'),
        ...(request.finish?.size ? [l10n.t('The images are fitted to the size.')] : []),
      ]),
    );
  }
  if (request.onBlack || request.price) {
    const run = runText(billAhead([request], spokenLanguage().tag), new URL(request.baseUrl).host);
    output.say(request.onBlack ? l10n.t('On white and on black: {0}', run) : run);
  }
  const engine = await openCliEngine(() => environment, output);
  const interruption = new Interruption(output, options.wait);
  try {
    const ready = await withSentMask(request, engine, environment);
    for (const note of ready.notes) {
      output.say(printable(note));
    }
    const { id } = await engine.runner.start(ready.request, { isBeyondBudget: options.overBudget });
    return await watch([id], { engine, output, interruption });
  } finally {
    await engine.dispose();
    interruption.dispose();
  }
}

/** An image of a set as it is sent, and the task that already stands for it. */
interface SetImage extends SetRow {
  request: TaskRequest;
  claim: Claim;
  /** What stands for it already. */
  before: Task | undefined;
  /** What may have been billed for it, and brings no image any more. */
  lost?: Task | undefined;
}

/**
 * `limner generate --set`: starts a task for each image of a set whose file doesn't exist, waits for them, and prints the
 * paths of all files. Tasks of an earlier run go on, and aren't sent again.
 *
 * @returns the exit code, the highest one of all images
 * @throws LimnerError when nothing was sent, for a reason that the user can correct
 */
export async function paintSet(
  file: string,
  options: PaintOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const rows = rowsIn(file === '-' ? await text(process.stdin) : await readText(wholePath(file)), options);
  const requests = new Map<SetRow, TaskRequest>();
  const notes = new Set<string>();
  for (const row of rows) {
    const fileName = setFileName(options.name, row.name);
    if (fileName.includes('{')) {
      throw refused(() =>
        l10n.t('In the names of a set, only {0} can be used: with others, a run could not go on.', '{name}'),
      );
    }
    requests.set(
      row,
      await readRequest(row.prompt, { ...options, name: fileName }, environment, (note) => notes.add(note)),
    );
  }
  for (const note of notes) {
    output.say(printable(note));
  }
  const engine = await openCliEngine(() => environment, output);
  const interruption = new Interruption(output, options.wait);
  try {
    const images: SetImage[] = [];
    let code: number = exitCodes.ok;
    for (const [row, request] of requests) {
      const isAgain = options.again?.some((name) => isSameName(name, row.name)) === true;
      const there = isAgain ? undefined : fileOf(request);
      const image = { ...row, request, ...standingFor(engine, request, isAgain) };
      // A task that is on the way may still bring other images than this file.
      if (there !== undefined && !image.before) {
        sayThere(row, there, output);
      } else if (image.lost) {
        code = Math.max(code, report(image.lost, output, `${row.name}: `));
        output.say(
          l10n.t(
            '{0}: It is not sent again. If the image is needed, use {1}.',
            printable(row.name),
            `--again ${JSON.stringify(row.name)}`,
          ),
        );
      } else {
        images.push(image);
      }
    }
    return Math.max(
      code,
      await paintImages(images, setTitle(file), { options, engine, output, interruption }),
    );
  } finally {
    await engine.dispose();
    interruption.dispose();
  }
}

interface SetContext {
  options: PaintOptions;
  engine: Engine;
  output: Output;
  interruption: Interruption;
}

/** Sends what was never sent, goes on with what was, and waits for all. @returns the exit code */
async function paintImages(
  images: readonly SetImage[],
  title: string,
  { options, ...context }: SetContext,
): Promise<number> {
  const { engine, output } = context;
  const before = images.flatMap((image) => image.before ?? []);
  const unsent = before.filter(({ status }) => status === 'waiting').map(({ request }) => request);
  const fresh = images.filter((image) => !image.before);
  const run = [...unsent, ...fresh.map(({ request }) => request)];
  const [first] = run;
  if (first) {
    output.say(runText(billAhead(run, spokenLanguage().tag), new URL(first.baseUrl).host));
    const excess = options.overBudget ? undefined : engine.runner.excessOf(run);
    if (excess) {
      throw overBudget(excess);
    }
  } else if (images.length === 0) {
    output.say(l10n.t('There is nothing to generate.'));
  }
  const names = new Map(images.flatMap(({ name, before: task }) => (task ? [[task.id, name] as const] : [])));
  const problems =
    before.length === 0
      ? []
      : await resumeTasks(engine, before, { send: true, overBudget: options.overBudget, isNamed: false });
  const id = randomUUID();
  for (const [index, { name, request, claim }] of fresh.entries()) {
    const batched = { ...request, batch: { id, title, index } };
    try {
      const task = await engine.runner.start(batched, { claim, isBeyondBudget: options.overBudget });
      names.set(task.id, name);
    } catch (error) {
      if (!isLimnerError(error)) {
        throw error;
      }
      problems.push(error);
    }
  }
  for (const problem of problems) {
    output.say(l10n.t('error: {0}', printable(formatError(problem.toRecord()))));
  }
  const code = await watch([...names.keys()], { ...context, names });
  return problems.length === 0
    ? code
    : Math.max(
        code,
        problems.some((problem) => problem.code === 'over_budget') ? exitCodes.overBudget : exitCodes.failed,
      );
}

/** @throws LimnerError `invalid_request` that lists every problem of a set */
function rowsIn(words: string, { again = [] }: PaintOptions): SetRow[] {
  const { rows, problems } = readSet(words);
  const missing = again.find((name) => !rows.some((row) => isSameName(name, row.name)));
  if (problems.length > 0) {
    throw refused(() => problems.map(setProblemText).join('\n'));
  }
  if (missing !== undefined) {
    throw refused(() => l10n.t('The set has no image "{0}".', missing));
  }
  return rows;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = isSystemError(error) ? error.code : String(error);
    throw refused(() => l10n.t("The file {0} can't be read: {1}.", path, why));
  }
}

function setTitle(file: string): string {
  return file === '-' ? l10n.t('Set') : basename(file);
}

function isSameName(one: string, other: string): boolean {
  return withoutExtension(one).toLowerCase() === withoutExtension(other).toLowerCase();
}

/** Returns the path of the file that an image of a set has already. */
function fileOf({ target, onBlack }: TaskRequest): string | undefined {
  const folder = pathOfUri(target.folder);
  return filesNamed(onBlack?.fileName ?? target.fileName)
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
}

/** Returns what keeps an image from being requested twice, and the task that stands for it already. */
function standingFor(
  { store }: Engine,
  { target, onBlack }: TaskRequest,
  isAgain: boolean,
): Pick<SetImage, 'claim' | 'before' | 'lost'> {
  const fileName = onBlack?.fileName ?? target.fileName;
  const now = Date.now();
  // Images that can still be fetched are paid.
  const claim = { place: { target: { folder: target.folder, fileName } }, readAt: now, askedAt: 0 };
  const standing = store.standing(claim, now);
  if (standing || isAgain) {
    return { claim, before: standing };
  }
  const latest = store.alike(claim).find(({ request }) => request.target.folder === target.folder);
  const mayBePaid = latest?.status === 'unknown' || (latest?.error && isBilledAgain(latest.error, latest));
  return { claim, before: undefined, lost: mayBePaid ? latest : undefined };
}

function sayThere({ name, prompt }: SetRow, path: string, output: Output): void {
  output.result(output.json ? jsonLine({ status: 'exists', name, prompt, files: [path] }) : path);
  output.say(l10n.t('{0}: already there', printable(name)));
}

function refused(why: () => string): LimnerError {
  return new LimnerError('invalid_request', inEnglish(why), notSent);
}
