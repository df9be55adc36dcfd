import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type ErrorRecord, LimnerError } from '../service/limnerError.ts';
import { sleep } from './clock.ts';
import { hashFile, incomingResult } from './incoming.ts';
import { asLimnerError } from './poller.ts';
import { keepOutsideAll } from './keepOutside.ts';
import { publishAll } from './publication.ts';
import type { Run, RunContext } from './run.ts';
import type { Task, TaskResult } from './task.ts';

const firstBackoff = 2000;
const longestBackoff = 60_000;

/**
 * After so long, in milliseconds, a picture that cannot be fetched is given up, its URL kept: the service keeps none
 * longer.
 */
const longestTrouble = 6 * 60 * 60_000;

/** What a network that wants a sign-in, or a host in trouble, says in place of a picture: it is no result. */
const textual = /^text\/(?:html|plain)$|[/+]json$/;

/**
 * Fetches and publishes the pictures of a task until each is a file, is kept in the inbox, or says why not.
 * Every step is in the row before the next one, so that it can be gone through again from anywhere.
 */
export async function save(run: Run): Promise<void> {
  await missVanished(run);
  await findArrived(run);
  for (let attempt = 0; ; attempt++) {
    const trouble = await fetchAll(run);
    await keepOutsideAll(run);
    await publishAll(run);
    if (run.ended.aborted) {
      return;
    }
    const { context } = run;
    const at = context.clock.now();
    if (trouble.expired && (await run.record({ type: 'urlsExpired' }))) {
      return;
    }
    if (!trouble.passing) {
      await settle(run, at);
      return;
    }
    const delay = Math.max(
      Math.min(firstBackoff * 2 ** attempt, longestBackoff) * (1 + 0.1 * Math.random()),
      Math.min(trouble.passing.retryAfter ?? 0, longestBackoff),
    );
    context.log.info(
      `Task ${run.id}: ${trouble.passing.message} Fetching again in ${Math.round(delay / 1000)} s.`,
    );
    await run.record({ type: 'troubled', at, retryAt: at + delay, error: trouble.passing });
    await sleep(context.clock, delay, run.ended);
  }
}

/** Pictures whose bytes somebody removed are fetched again, where that is possible. */
async function missVanished(run: Run): Promise<void> {
  for (const result of run.task()?.results ?? []) {
    const { state, incoming } = result;
    if (state === 'incoming' && incoming !== undefined && !existsSync(incoming)) {
      // A file that was published before the crash is found by its name, without the bytes.
      const there = result.publishing === undefined ? undefined : await publishedBefore(result);
      const { incoming: _, publishing: __, ...kept } = result;
      await run.record({
        type: 'resultChanged',
        result: there === undefined ? missed(kept) : { ...kept, state: 'saved', uri: there },
      });
    }
  }
}

/** What is left of a picture without its bytes: the answer that it was made of, or where to fetch it. */
function missed(result: TaskResult): TaskResult {
  const { keptOutside: _, answer, ...kept } = result;
  if (answer && existsSync(answer.path)) {
    const { path, ...about } = answer;
    return { ...kept, ...about, state: 'incoming', incoming: path };
  }
  return result.url === undefined
    ? {
        ...kept,
        state: 'failed',
        error: { code: 'save_failed', message: 'The bytes are gone.', phase: 'save' },
      }
    : { ...kept, state: 'remote' };
}

/** Pictures that came whole just before a crash, so that the row does not know, need not be at the service any more. */
async function findArrived(run: Run): Promise<void> {
  const remote = run.task()?.results.filter(({ state }) => state === 'remote') ?? [];
  if (remote.length === 0) {
    return;
  }
  const arrived = await run.context.incoming.arrived(run.id);
  for (const { error: _, ...result } of remote) {
    const file = arrived.get(result.index);
    if (file) {
      await run.record({
        type: 'resultChanged',
        result: { ...result, ...incomingResult(result.index, file) },
      });
    }
  }
}

async function publishedBefore({ publishing, sha256 }: TaskResult): Promise<string | undefined> {
  if (publishing === undefined || !publishing.startsWith('file:')) {
    return undefined;
  }
  try {
    return (await hashFile(fileURLToPath(publishing))) === sha256 ? publishing : undefined;
  } catch {
    return undefined;
  }
}

/** Why pictures are not here: their URLs no longer work, or something that passes. */
interface Trouble {
  expired: boolean;
  passing?: ErrorRecord;
}

async function fetchAll(run: Run): Promise<Trouble> {
  const results = run.task()?.results.filter(({ state }) => state === 'remote') ?? [];
  const errors = await Promise.all(results.map((result) => fetchOne(run, result)));
  const trouble: Trouble = { expired: false };
  for (const [position, result] of results.entries()) {
    const error = errors[position];
    const task = run.task();
    if (!error || !task || run.ended.aborted) {
      continue;
    }
    if (error.code === 'result_expired' && !task.refetched && task.remoteId !== undefined) {
      trouble.expired = true;
    } else if (passes(error) && !isTooLong(task, run.context)) {
      trouble.passing = error;
    } else {
      await run.record({ type: 'resultChanged', result: { ...result, state: 'failed', error } });
    }
  }
  return trouble;
}

/** Fetches one picture to disk; gives the error when it did not come. */
async function fetchOne(run: Run, result: TaskResult): Promise<ErrorRecord | undefined> {
  const { context, id, fence, ended } = run;
  const task = run.task();
  if (!task || result.url === undefined) {
    return undefined;
  }
  const sink = context.incoming.sink(id, result.index, fence);
  try {
    const { mediaType = '' } = await context.download(task.request.baseUrl, result.url, sink, ended);
    if (!sink.file) {
      throw new LimnerError('protocol', 'The picture was not delivered whole.', { phase: 'download' });
    }
    if (sink.file.mediaType === undefined && textual.test(mediaType)) {
      // Nor is it to be found there after a crash.
      await unlink(sink.file.path);
      throw new LimnerError('protocol', 'A page or a text came in place of the picture.', {
        billing: 'yes',
      });
    }
    const { error: _, ...kept } = result;
    await run.record({
      type: 'resultChanged',
      result: { ...kept, ...incomingResult(result.index, sink.file) },
    });
    return undefined;
  } catch (error) {
    await sink.discard();
    return { phase: 'download', ...asLimnerError(error).toRecord() };
  }
}

/** Whether the same download may work a little later. */
function passes({ code }: ErrorRecord): boolean {
  switch (code) {
    case 'network':
    case 'timeout':
    case 'rate_limited':
    case 'protocol':
      return true;
    default:
      return false;
  }
}

function isTooLong({ troubleSince }: Task, { clock }: RunContext): boolean {
  return troubleSince !== undefined && clock.now() - troubleSince > longestTrouble;
}

async function settle(run: Run, at: number): Promise<void> {
  const { incoming } = run.context;
  const task = await run.record({ type: 'settled', at });
  if (task && !incoming.isNeededBy(task)) {
    await incoming.remove(task.id);
  }
}
