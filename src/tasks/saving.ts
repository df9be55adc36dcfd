import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { renderFileName } from '../images/fileNames.ts';
import { LimnerError, type ErrorRecord } from '../service/limnerError.ts';
import { sleep } from './clock.ts';
import { hashFile, incomingResult } from './incoming.ts';
import { asLimnerError } from './poller.ts';
import { publishOnDisk, rootExists } from './publish.ts';
import type { Publisher } from './ports.ts';
import type { Run, RunContext } from './run.ts';
import type { SaveTarget, Task, TaskResult } from './task.ts';

const firstBackoff = 2000;
const longestBackoff = 60_000;

/** After so long a picture that cannot be fetched is given up, its URL kept, in milliseconds. */
const longestTrouble = 24 * 60 * 60_000;

const extensions: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
};

/**
 * Fetches and publishes the pictures of a task until each is a file, is kept in the inbox, or says why not.
 * Every step is in the row before the next one, so that it can be gone through again from anywhere.
 */
export async function save(run: Run): Promise<void> {
  await missVanished(run);
  for (let attempt = 0; ; attempt++) {
    const trouble = await fetchAll(run);
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
    const { state, incoming, url } = result;
    if (state === 'incoming' && incoming !== undefined && !existsSync(incoming)) {
      const { incoming: _, publishing: __, ...kept } = result;
      const missed: TaskResult =
        url === undefined
          ? {
              ...kept,
              state: 'failed',
              error: { code: 'save_failed', message: 'The bytes are gone.', phase: 'save' },
            }
          : { ...kept, state: 'remote' };
      // A file that was published before the crash is found by its name, without the bytes.
      const there = result.publishing === undefined ? undefined : await publishedBefore(result);
      await run.record({
        type: 'resultChanged',
        result: there === undefined ? missed : { ...kept, state: 'saved', uri: there },
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
    await context.download(task.request.baseUrl, result.url, sink, ended);
    if (!sink.file) {
      throw new LimnerError('protocol', 'The picture was not delivered whole.', { phase: 'download' });
    }
    const { error: _, ...kept } = result;
    await run.record({
      type: 'resultChanged',
      result: { ...kept, ...incomingResult(result.index, sink.file) },
    });
    return undefined;
  } catch (error) {
    await sink.discard();
    return { ...asLimnerError(error).toRecord(), phase: 'download' };
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

/** Publishes in order, so that numbered names follow the order of the pictures. */
async function publishAll(run: Run): Promise<void> {
  const pending = run.task()?.results.filter(({ state }) => state === 'incoming') ?? [];
  for (const { index } of pending) {
    const task = run.task();
    const result = task?.results.find((other) => other.index === index);
    if (!task || !result || run.ended.aborted) {
      return;
    }
    await publishOne(run, task, result);
  }
}

async function publishOne(run: Run, task: Task, result: TaskResult): Promise<void> {
  const { context } = run;
  const { incoming, sha256 } = result;
  if (incoming === undefined || sha256 === undefined) {
    return;
  }
  try {
    if (result.mediaType === undefined) {
      await keepUnsupported(run, task, { ...result, incoming, sha256 });
      return;
    }
    const way = await wayTo(task.request.target, context);
    if (!way) {
      await keepInInbox(run, task, { ...result, incoming, sha256 });
      return;
    }
    const name = fileName(task, result);
    const uri =
      way === 'disk'
        ? await onDisk(run, { ...result, incoming, sha256 }, task.request.target, name)
        : await through(run, way, { ...result, incoming, sha256 }, task.request.target, name);
    const { publishing: _, incoming: __, error: ___, ...kept } = result;
    if (await run.record({ type: 'resultChanged', result: { ...kept, state: 'saved', uri } })) {
      context.log.info(`Task ${task.id}: saved ${uri}`);
      await unlink(incoming).catch(() => {});
    }
  } catch (error) {
    const record: ErrorRecord = { ...asSaveError(error).toRecord(), phase: 'save' };
    if (!run.ended.aborted) {
      context.log.warn(`Task ${task.id}: ${record.message}`);
      // With the name that was tried: should the file be there after all, it is found by it.
      const latest = run.task()?.results.find(({ index }) => index === result.index) ?? result;
      await run.record({ type: 'resultChanged', result: { ...latest, state: 'failed', error: record } });
    }
  }
}

type Arrived = TaskResult & { incoming: string; sha256: string };

function onDisk(run: Run, result: Arrived, target: SaveTarget, name: string): Promise<string> {
  return publishOnDisk(
    {
      key: `${run.id}-${result.index}`,
      fence: run.fence,
      incoming: result.incoming,
      sha256: result.sha256,
      target,
      name,
      ...(result.publishing !== undefined && { intended: result.publishing }),
    },
    { intend: (uri) => intend(run, result, uri) },
  );
}

/** Writes down where a picture goes; throws when this window may no longer put it there. */
async function intend(run: Run, result: TaskResult, uri: string): Promise<void> {
  const task = await run.record({ type: 'resultChanged', result: { ...result, publishing: uri } });
  if (!task) {
    throw new LimnerError('stopped', 'Another window publishes this picture.', { phase: 'save' });
  }
}

async function through(
  run: Run,
  publisher: Publisher,
  result: Arrived,
  target: SaveTarget,
  name: string,
): Promise<string> {
  if (result.publishing !== undefined) {
    const found = await publisher.find?.(target, name, result.sha256);
    if (found !== undefined) {
      return found;
    }
  }
  await intend(run, result, `${target.folder.replace(/\/$/, '')}/${encodeURIComponent(name)}`);
  return publisher.publish(result.incoming, target, name);
}

/** Whether, and how, a target can be written from this window: from any window when it is on disk. */
async function wayTo(target: SaveTarget, context: RunContext): Promise<'disk' | Publisher | undefined> {
  const scheme = new URL(target.folder).protocol.slice(0, -1);
  if (scheme === 'file') {
    return (await rootExists(target)) ? 'disk' : undefined;
  }
  return context.publisher(scheme, target);
}

/** Whether pictures in the inbox could be moved to their target by now. */
export async function canPublish(target: SaveTarget, context: RunContext): Promise<boolean> {
  return (await wayTo(target, context)) !== undefined;
}

/** The folder is gone or its workspace is open nowhere: the picture waits in the inbox, under its proper name. */
async function keepInInbox(run: Run, task: Task, result: Arrived): Promise<void> {
  await moveToInbox(run, result, fileName(task, result), {
    state: 'incoming',
    error: {
      code: 'save_failed',
      message: `The folder ${task.request.target.folder} cannot be reached; the picture is kept in the inbox.`,
      phase: 'save',
      billing: 'yes',
    },
  });
}

/** It is paid for, whatever it is: kept, but no file of the workspace. */
async function keepUnsupported(run: Run, task: Task, result: Arrived): Promise<void> {
  await moveToInbox(run, result, `${task.id}-${result.index + 1}.bin`, {
    state: 'failed',
    error: {
      code: 'unsupported_image',
      message: 'What came is not a PNG, JPEG or WebP image; it is kept in the inbox.',
      phase: 'save',
      billing: 'yes',
    },
  });
}

async function moveToInbox(
  run: Run,
  result: Arrived,
  name: string,
  outcome: Pick<TaskResult, 'state' | 'error'>,
): Promise<void> {
  const { inbox } = run.context;
  if (result.incoming.startsWith(inbox)) {
    await run.record({ type: 'resultChanged', result: { ...result, ...outcome } });
    return;
  }
  const folder = pathToFileURL(inbox).toString();
  const uri = await onDisk(run, result, { folder, root: folder, fileName: '' }, name);
  const { publishing: _, ...kept } = result;
  const moved = { ...kept, ...outcome, incoming: fileURLToPath(uri) };
  if (await run.record({ type: 'resultChanged', result: moved })) {
    await unlink(result.incoming).catch(() => {});
  }
}

function fileName(task: Task, result: TaskResult): string {
  const { prompt, model, target, images } = task.request;
  const original = images?.[0]?.name;
  const stem = renderFileName(target.fileName, {
    prompt,
    model,
    at: new Date(task.createdAt),
    index: result.index + 1,
    id: task.id,
    ...(original !== undefined && { name: original.slice(0, original.length - extname(original).length) }),
  });
  return stem + (extensions[result.mediaType ?? ''] ?? '.bin');
}

async function settle(run: Run, at: number): Promise<void> {
  const { incoming } = run.context;
  const task = await run.record({ type: 'settled', at });
  if (task && !task.results.some((result) => result.incoming !== undefined)) {
    await incoming.remove(task.id);
  }
}

function asSaveError(error: unknown): LimnerError {
  const known = asLimnerError(error);
  return known.code === 'protocol' || known.code === 'network'
    ? new LimnerError('save_failed', error instanceof Error ? error.message : String(error), {
        phase: 'save',
        billing: 'yes',
        cause: error,
      })
    : known;
}
