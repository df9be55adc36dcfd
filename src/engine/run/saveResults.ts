import { existsSync } from 'node:fs';
import * as english from '../../common/english.ts';
import { unlink } from '../../common/heldFiles.ts';
import { retention } from '../../common/taskStatus.ts';
import { endpointsOf } from '../../service/http/endpoints.ts';
import { pathOfUri } from '../../common/fileUris.ts';
import { asLimnerError, type ErrorRecord, LimnerError } from '../../common/limnerError.ts';
import { otherSniffLength, sniffOther } from '../../images/formats/sniff.ts';
import { hashFile, startOf, type StagedFile } from '../files/stagingStore.ts';
import { beginOnBlack } from './beginOnBlack.ts';
import { checkResults, damageOf, makeResults } from './makeResults.ts';
import {
  explained,
  isFinal,
  isRefusal,
  refusalBelievedAfter,
  pauseAfterRefusal,
  type Refusal,
  refusalAfter,
} from './hostRefusals.ts';
import { publishOne } from './publishResults.ts';
import type { Run } from './run.ts';
import type { Task, TaskResult } from '../task/task.ts';

/** Pauses between two tries, in milliseconds. The service is queried at most as often as after the first one. */
const firstPause = 2000;
const maxPause = 60_000;
/** Longest pause while a host does not have the image, and the longest `Retry-After` of a host. */
const maxWait = 15 * 60_000;

/**
 * How often identical bytes that seem incomplete or not an image must come before they are accepted, over some minutes.
 * A host may still be storing the image, or may have cached an interrupted transfer.
 */
const believedAfter = 8;

/** How often complete but damaged bytes must come: a transmission error seldom repeats itself. */
const damageBelievedAfter = 4;

/** Media types that a sign-in page or a failing host sends in place of an image. */
const textual = /^text\/(?:html|plain)$|[/+]json$/;

/**
 * Fetches and publishes the images of a task until each is saved, in the inbox, or has an error. Each step is recorded
 * in the row before the next one, so that any window can repeat it.
 */
export async function saveResults(run: Run): Promise<void> {
  await requeueMissingFiles(run);
  await adoptStagedFiles(run);
  for (;;) {
    const missing = await fetchAll(run);
    await checkResults(run);
    await makeResults(run);
    // In order, so that numbered file names match the order of the images.
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

/** Returns the next pause: as long as the trouble has lasted, even across restarts, or as long as a host asks for. */
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

/** Fetches images again whose staged bytes were removed, if possible. */
async function requeueMissingFiles(run: Run): Promise<void> {
  for (const result of run.task()?.results ?? []) {
    const { state, stagedPath } = result;
    if (state === 'staged' && stagedPath !== undefined && !existsSync(stagedPath)) {
      const here = await run.context.staging.findStaged(run.id, stagedPath);
      if (here !== undefined) {
        await run.record({ type: 'resultChanged', result: { ...result, stagedPath: here } });
        continue;
      }
      // A file that was published before a crash is found by its name, without the bytes.
      const there = await findPublished(result);
      const { stagedPath: _, publishing: __, ...kept } = result;
      await run.record({
        type: 'resultChanged',
        result: there === undefined ? withoutFile(kept) : { ...kept, state: 'saved', uri: there },
      });
    }
  }
}

/** Returns an image without its file: from the original output if kept, or else to be fetched again. */
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
        error: {
          code: 'save_failed',
          message: english.t('The image data is missing.'),
          phase: 'save',
          billing: 'yes',
        },
      }
    : { ...kept, state: 'remote' };
}

/** Adopts images that were complete just before a crash but not yet in the row. The service may no longer have them. */
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
    // The file is gone or not on disk.
    return undefined;
  }
}

/** An image that may still come, and its error. */
interface Missing {
  result: TaskResult;
  error: ErrorRecord;
  /** Whether its host does not have the image. */
  isNotThere: boolean;
  /** Set if its host sent something else. */
  refusal: Refusal | undefined;
}

/** @returns the images to fetch again */
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

/** Returns the state of a host that refuses an image; undefined if this error isn't about that. */
function noteRefusal({ refusals }: Run, index: number, error: ErrorRecord, now: number): Refusal | undefined {
  const refusal = refusalAfter(refusals.get(index), error, now);
  if (refusal) {
    refusals.set(index, refusal);
  } else {
    refusals.delete(index);
  }
  return isRefusal(error) ? refusal : undefined;
}

/** Says that the host doesn't have the image, or not yet while the service still keeps it. */
function notThere(error: ErrorRecord, mayCome: boolean): ErrorRecord {
  const status = String(error.status);
  return mayCome
    ? {
        ...error,
        code: 'network',
        message: english.t("The image's host doesn't have it yet (HTTP {0}).", status),
      }
    : {
        ...error,
        message: english.t(
          "The image's host doesn't have it (HTTP {0}); the service keeps images for 6 hours.",
          status,
        ),
      };
}

/** Fetches one image to disk once a download slot is free; returns the error if it fails. */
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
        throw new LimnerError('protocol', english.t("The image wasn't received completely."), {
          phase: 'download',
        });
      }
      const damage = await damageOf(run, result.index, file);
      const arrived = { ...file, ...(damage !== undefined && { damage }) };
      const doubt = await checkDownload(run, task, result.index, arrived, named);
      if (doubt) {
        // It must not be found there after a crash.
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

/** Returns why the downloaded bytes aren't accepted as the image yet. */
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
      return new LimnerError('protocol', english.t('A web page or text was received instead of the image.'), {
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
    ? english.t('The image appears to be truncated.')
    : damage !== undefined
      ? english.t('The image appears to be damaged: {0}.', damage)
      : english.t("The received data isn't a PNG, JPEG, or WebP image.");
  const error = new LimnerError('network', said, { billing: 'yes' });
  // A growing image is still arriving. A text that changes may only contain the time.
  const isBelieved =
    times >= (damage === undefined ? believedAfter : damageBelievedAfter) ||
    (!seemsCut && now - since >= refusalBelievedAfter);
  return !isBelieved && isRetryable(error.toRecord(), task, now) ? error : undefined;
}

/** Whether another download may work: only while the service keeps the images. */
function isRetryable({ code, sent }: ErrorRecord, task: Task, now: number): boolean {
  const { troubleSince = now, createdAt, submittedAt = createdAt, completedAt = submittedAt } = task;
  switch (code) {
    case 'protocol':
      // Invalid addresses are not retried.
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
    // If another program has it open, the next sweep removes it.
    await staging.remove(task.id).catch(() => {});
  }
}
