import { existsSync } from 'node:fs';
import { unlink } from '../../common/disk/heldFiles.ts';
import { retention } from '../../common/resultAvailability.ts';
import { endpointsOf } from '../../service/endpoints.ts';
import { pathOfUri } from '../../common/disk/fileUris.ts';
import { asLimnerError, type ErrorRecord, LimnerError } from '../../common/limnerError.ts';
import { otherSniffLength, sniffOther } from '../../images/formats/otherFormats.ts';
import { hashFile, startOf, type StagedFile } from '../files/stagingStore.ts';
import { beginOnBlack } from './beginOnBlack.ts';
import { checkResults, damageOf } from './checkResults.ts';
import {
  explained,
  isFinal,
  isRefusal,
  refusalBelievedAfter,
  pauseAfterRefusal,
  type Refusal,
  refusalAfter,
} from './hostRefusals.ts';
import { makeResults } from './makeResults.ts';
import { publishOne } from './publishResults.ts';
import type { Run } from './run.ts';
import type { Task, TaskResult } from '../task.ts';

/** Pauses between two tries, in milliseconds; even the service is asked no more often than after the first one. */
const firstPause = 2000;
const maxPause = 60_000;
/** The longest pause while a host says that it doesn't have the image, and the longest that a host may ask for. */
const maxWait = 15 * 60_000;

/**
 * How often, over some minutes, the same bytes must come that seem cut or aren't an image until they are accepted: a
 * host may still be storing the image, or have kept what broke off.
 */
const believedAfter = 8;

/** How often whole but damaged bytes must come: a fault on the way seldom repeats itself. */
const damageBelievedAfter = 4;

/** Media types that a network that wants a sign-in, or a host in trouble, sends in place of an image. */
const textual = /^text\/(?:html|plain)$|[/+]json$/;

/**
 * Fetches and publishes the images of a task until each is saved, is kept in the inbox, or says why not. Every step is
 * in the row before the next one, so that any window can repeat it.
 */
export async function saveResults(run: Run): Promise<void> {
  await requeueMissingFiles(run);
  await adoptStagedFiles(run);
  for (;;) {
    const missing = await fetchAll(run);
    await checkResults(run);
    await makeResults(run);
    // In order, so that numbered names follow the order of the images.
    for (const { index } of run.task()?.results.filter(({ state }) => state === 'staged') ?? []) {
      await publishOne(run, index);
    }
    if (run.ended.aborted) {
      return;
    }
    const { clock, log } = run.context;
    const at = clock.now();
    const [first] = missing;
    if (!first) {
      await beginOnBlack(run);
      await settle(run, at);
      return;
    }
    const delay = pauseAfter(missing, at - (run.task()?.troubleSince ?? at), at);
    log.info(`Task ${run.id}: ${first.error.message} Fetching again in ${Math.round(delay / 1000)} s.`);
    await run.record({
      type: 'unreachable',
      at,
      retryAt: at + delay,
      error: first.error,
      results: missing.map(({ result, error }) => ({ ...result, error })),
    });
    await run.pause(delay);
    if (missing.some(({ isNotThere }) => isNotThere) && (await run.record({ type: 'urlsExpired' }))) {
      return;
    }
  }
}

/** Returns the next pause: as long as the trouble has lasted, which survives restarts, or as a host asks for. */
function pauseAfter(missing: readonly Missing[], trouble: number, now: number): number {
  const pauses = missing.map(({ isNotThere, refusal }) =>
    refusal
      ? pauseAfterRefusal(refusal, now)
      : Math.min(Math.max(trouble, firstPause), isNotThere ? maxWait : maxPause),
  );
  const growing = Math.min(...pauses) * (1 + 0.1 * Math.random());
  const asked = Math.max(...missing.map(({ error }) => error.retryAfter ?? 0));
  return Math.max(growing, Math.min(asked, maxWait));
}

/** Fetches images again whose bytes somebody removed, where that is possible. */
async function requeueMissingFiles(run: Run): Promise<void> {
  for (const result of run.task()?.results ?? []) {
    const { state, stagedPath } = result;
    if (state === 'staged' && stagedPath !== undefined && !existsSync(stagedPath)) {
      const here = await run.context.staging.findStaged(run.id, stagedPath);
      if (here !== undefined) {
        await run.record({ type: 'resultChanged', result: { ...result, stagedPath: here } });
        continue;
      }
      // A file that was published before the crash is found by its name, without the bytes.
      const there = await findPublished(result);
      const { stagedPath: _, publishing: __, ...kept } = result;
      await run.record({
        type: 'resultChanged',
        result: there === undefined ? withoutFile(kept) : { ...kept, state: 'saved', uri: there },
      });
    }
  }
}

/** Returns what is left of an image without its bytes: the original output, or where to fetch it. */
function withoutFile(result: TaskResult): TaskResult {
  const { keptOutside: _, finished: __, answer, ...kept } = result;
  if (answer && existsSync(answer.path)) {
    const { path, ...about } = answer;
    return { ...kept, ...about, state: 'staged', stagedPath: path };
  }
  return result.url === undefined
    ? {
        ...kept,
        state: 'failed',
        error: { code: 'save_failed', message: 'The image data is missing.', phase: 'save', billing: 'yes' },
      }
    : { ...kept, state: 'remote' };
}

/** Takes images that were complete just before a crash, unknown to the row: the service may no longer have them. */
async function adoptStagedFiles(run: Run): Promise<void> {
  const remote = run.task()?.results.filter(({ state }) => state === 'remote') ?? [];
  if (remote.length === 0) {
    return;
  }
  const arrived = await run.context.staging.stagedFiles(run.id);
  for (const result of remote) {
    const file = arrived.get(result.index);
    if (file) {
      const { error: _, seemsCut: __, damage: ___, ...kept } = result;
      await run.record({ type: 'fetched', result: { ...kept, state: 'staged', ...file } });
    }
  }
}

async function findPublished({ publishing, sha256 }: TaskResult): Promise<string | undefined> {
  if (publishing === undefined) {
    return undefined;
  }
  try {
    return (await hashFile(pathOfUri(publishing))) === sha256 ? publishing : undefined;
  } catch {
    // It is gone, or elsewhere than on disk.
    return undefined;
  }
}

/** An image that may still come, and why it didn't. */
interface Missing {
  result: TaskResult;
  error: ErrorRecord;
  /** Its host says that it doesn't have the image. */
  isNotThere: boolean;
  /** Its host gave something else in its place. */
  refusal: Refusal | undefined;
}

/** @returns the images that are to be fetched again */
async function fetchAll(run: Run): Promise<Missing[]> {
  const results = run.task()?.results.filter(({ state }) => state === 'remote') ?? [];
  const errors = await Promise.all(results.map((result) => fetchOne(run, result)));
  const missing: Missing[] = [];
  for (const [position, result] of results.entries()) {
    const error = errors[position];
    const task = run.task();
    if (!error || !task || run.ended.aborted) {
      continue;
    }
    const now = run.context.clock.now();
    const isNotThere = error.code === 'result_expired';
    const isAsked = isRetryable(error, task, now);
    const refusal = isAsked ? noteRefusal(run, result.index, error, now) : undefined;
    const isHopeless = run.isHopeless(error, now - (task.troubleSince ?? now));
    const mayCome = isAsked && !isHopeless && !(refusal && isFinal(refusal, now));
    const plain = isNotThere ? notThere(error, mayCome) : error;
    const told = refusal ? explained(plain, refusal, now) : plain;
    if (mayCome) {
      missing.push({ result, error: told, isNotThere, refusal });
    } else {
      await run.record({ type: 'resultChanged', result: { ...result, state: 'failed', error: told } });
    }
  }
  return missing;
}

/** Returns what is known by now of a host that refuses an image; undefined when this error isn't about that. */
function noteRefusal({ refusals }: Run, index: number, error: ErrorRecord, now: number): Refusal | undefined {
  const refusal = refusalAfter(refusals.get(index), error, now);
  if (refusal) {
    refusals.set(index, refusal);
  } else {
    refusals.delete(index);
  }
  return isRefusal(error) ? refusal : undefined;
}

/** Says that the host doesn't have the image, or not yet: it may come as long as the service keeps it. */
function notThere(error: ErrorRecord, mayCome: boolean): ErrorRecord {
  const status = `(HTTP ${error.status})`;
  return mayCome
    ? { ...error, code: 'network', message: `The image's host doesn't have it yet ${status}.` }
    : {
        ...error,
        message: `The image's host doesn't have it ${status}; the service keeps images for 6 hours.`,
      };
}

/** Fetches one image to disk once there is room for it; returns the error when it didn't come. */
async function fetchOne(run: Run, result: TaskResult): Promise<ErrorRecord | undefined> {
  const { context, id, ended } = run;
  const release = await context.downloads.acquire(ended).catch(() => undefined);
  if (!release) {
    return undefined;
  }
  try {
    const task = run.task();
    if (!task || result.url === undefined) {
      return undefined;
    }
    const sink = context.staging.sink(id, result.index, run.fence);
    try {
      const { generations } = endpointsOf(task.request.baseUrl);
      const named = await context.downloader.download(generations, result.url, sink, ended);
      const { file } = sink;
      if (!file) {
        throw new LimnerError('protocol', "The image wasn't received completely.", { phase: 'download' });
      }
      const damage = await damageOf(run, result.index, file);
      const arrived = { ...file, ...(damage !== undefined && { damage }) };
      const doubt = await checkDownload(run, task, result.index, arrived, named);
      if (doubt) {
        // Nor is it to be found there after a crash.
        await unlink(file.stagedPath).catch(() => {});
        throw doubt;
      }
      const { error: _, seemsCut: __, damage: ___, ...kept } = result;
      await run.record({ type: 'fetched', result: { ...kept, state: 'staged', ...arrived } });
      return undefined;
    } catch (error) {
      return { phase: 'download', billing: 'yes', ...asLimnerError(error).toRecord() };
    }
  } finally {
    release();
  }
}

/** Returns why the downloaded bytes aren't accepted as the image, which may still come. */
async function checkDownload(
  run: Run,
  task: Task,
  index: number,
  { mediaType, sha256, seemsCut, damage, stagedPath }: StagedFile & { damage?: string },
  named = '',
): Promise<LimnerError | undefined> {
  if (mediaType === undefined) {
    const start = await startOf(stagedPath, otherSniffLength);
    if (sniffOther(start)) {
      return undefined;
    }
    if (textual.test(named)) {
      return new LimnerError('protocol', 'A web page or text was received instead of the image.', {
        billing: 'yes',
      });
    }
  }
  if (mediaType !== undefined && !seemsCut && damage === undefined) {
    return undefined;
  }
  const now = run.context.clock.now();
  const before = run.suspectDownloads.get(index);
  const since = before?.since ?? now;
  const times = before?.sha256 === sha256 ? before.times + 1 : 1;
  run.suspectDownloads.set(index, { sha256, times, since });
  const said = seemsCut
    ? 'The image appears to be truncated.'
    : damage !== undefined
      ? `The image appears to be damaged: ${damage}.`
      : "The received data isn't a PNG, JPEG, or WebP image.";
  const error = new LimnerError('network', said, { billing: 'yes' });
  // An image that grows is on its way; what is none is some text that says the time, or the like.
  const isBelieved =
    times >= (damage === undefined ? believedAfter : damageBelievedAfter) ||
    (!seemsCut && now - since >= refusalBelievedAfter);
  return !isBelieved && isRetryable(error.toRecord(), task, now) ? error : undefined;
}

/** Whether a retry of the download may work: only as long as the service keeps images. */
function isRetryable({ code, sent }: ErrorRecord, task: Task, now: number): boolean {
  const { troubleSince = now, createdAt, submittedAt = createdAt, completedAt = submittedAt } = task;
  switch (code) {
    case 'protocol':
      // An invalid address is not asked.
      return sent !== false && now - troubleSince < retention;
    case 'network':
    case 'timeout':
    case 'rate_limited':
      return now - troubleSince < retention;
    case 'result_expired':
      return now - completedAt < retention;
    default:
      return false;
  }
}

async function settle(run: Run, at: number): Promise<void> {
  const { staging } = run.context;
  const task = await run.record({ type: 'settled', at });
  if (task && !staging.isNeededBy(task)) {
    // What another program holds is swept later.
    await staging.remove(task.id).catch(() => {});
  }
}
