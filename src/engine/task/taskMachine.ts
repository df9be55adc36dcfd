import * as english from '../../common/english.ts';
import {
  canBeFinished,
  canBeResumed,
  canBeSaved,
  hasImage,
  lacksBytes,
  taskStatuses,
  type TaskStatus,
} from '../../common/taskStatus.ts';
import { fileUri, pathOfUri } from '../../common/fileUris.ts';
import { isNative } from '../../common/requestValues.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import type { Task, TaskInput, TaskResult } from './task.ts';
import { remadeParts, type RemoteState, type TaskEvent } from './taskEvent.ts';

type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;

/** A task after an event, or why the event does not apply to it. */
export type Advance = { ok: true; task: Task } | { ok: false; refusal: string };

/**
 * The states in which an event applies. A late response applies even if the task was given up, since it may be about a
 * paid image.
 */
const allowedIn: Record<TaskEvent['type'], readonly TaskStatus[]> = {
  submit: ['waiting'],
  hold: ['waiting'],
  release: ['waiting'],
  busy: ['submitting'],
  accepted: ['submitting', 'in_progress', 'unknown', 'stopped'],
  answering: ['submitting', 'in_progress', 'unknown'],
  arrived: ['submitting', 'in_progress', 'saving', 'completed', 'unknown', 'stopped'],
  answered: ['submitting', 'in_progress', 'saving', 'completed', 'unknown', 'stopped'],
  reported: ['queued', 'in_progress', 'needs_key'],
  unreachable: ['queued', 'in_progress', 'saving'],
  keyRefused: ['queued', 'in_progress'],
  keyChanged: ['needs_key'],
  finished: ['queued', 'in_progress', 'needs_key'],
  fetched: ['saving'],
  resultChanged: ['saving'],
  attempt: ['saving'],
  urlsExpired: ['saving'],
  discarded: taskStatuses,
  recovered: taskStatuses,
  moved: taskStatuses,
  settled: ['saving'],
  failed: ['waiting', 'submitting', 'queued', 'in_progress', 'needs_key', 'saving'],
  lost: ['submitting', 'in_progress'],
  stop: ['waiting', 'submitting', 'queued', 'in_progress', 'needs_key'],
  giveUp: ['saving'],
  cancel: ['waiting'],
  tryNow: ['waiting', 'queued', 'in_progress', 'saving'],
  resume: ['stopped', 'needs_key', 'failed', 'expired'],
  saveAgain: ['completed', 'failed', 'stopped', 'expired'],
  finishAgain: ['completed'],
  delivered: ['completed', 'failed', 'stopped', 'expired', 'unknown'],
  starred: taskStatuses,
  originalReplaced: taskStatuses,
  remade: taskStatuses,
  placing: taskStatuses,
  placed: taskStatuses,
};

/** Age in milliseconds at which a placing counts as abandoned by its window. */
const placingTime = 60_000;

/**
 * Applies an event to a task; this is the whole state machine. Pure. An event that changes nothing returns the same
 * object, so that nothing needs to be written.
 */
export function advance(task: Task, event: TaskEvent): Advance {
  if (!allowedIn[event.type].includes(task.status)) {
    return refuse(`A task that is ${task.status} takes no "${event.type}".`);
  }
  switch (event.type) {
    case 'submit':
      return task.held
        ? refuse(english.t('The task waits until you send it.'))
        : to(without(task, 'retryAt', 'error'), {
            status: 'submitting',
            keyFingerprint: event.keyFingerprint,
          });
    case 'hold':
      return to(without(task, 'retryAt'), { held: true });
    case 'release':
      return to(without(task, 'held', 'error'), { orderedAt: event.at });
    case 'busy':
      return to(task, { status: 'waiting', retryAt: event.retryAt, error: event.error });
    case 'accepted':
      return accepted(task, event);
    case 'answering':
      return task.status === 'in_progress'
        ? { ok: true, task }
        : to(without(task, 'error', 'finishedAt'), { status: 'in_progress', submittedAt: event.at });
    case 'arrived':
      return arrived(task, event.result);
    case 'answered':
      return answered(task, event);
    case 'reported':
      return reported(task, event.remote);
    case 'unreachable':
      return unreachable(task, event);
    case 'keyRefused':
      return to(without(task, 'retryAt', 'troubleSince'), { status: 'needs_key', error: event.error });
    case 'keyChanged':
      return to(without(task, 'error'), { status: 'queued' });
    case 'finished':
      return finished(task, event);
    case 'fetched':
      return to(without(task, 'retryAt', 'troubleSince'), {
        results: withoutCopies(task, withResults(task.results, [event.result])),
      });
    case 'resultChanged':
      return to(without(task, 'retryAt', 'troubleSince'), {
        results: withResults(task.results, [event.result]),
      });
    case 'attempt':
      return attempted(task, event);
    case 'urlsExpired':
      return task.remoteId === undefined || !task.results.some(isFetched)
        ? refuse(english.t('The service has no task to ask for new URLs.'))
        : to(without(task, 'retryAt'), { status: 'queued' });
    case 'discarded':
      return changedImage(task, event.index, (result) =>
        result.state === 'saved' && !result.discarded
          ? { ...result, discarded: { path: event.path, at: event.at } }
          : undefined,
      );
    case 'recovered':
      return changedImage(task, event.index, (result) => {
        const { discarded: _, ...file } = result;
        return result.state === 'saved' ? { ...file, uri: event.uri } : undefined;
      });
    case 'moved':
      return moved(task, event.files);
    case 'settled':
      return settled(task, event.at);
    case 'failed':
      return to(ended(task), { status: 'failed', ...unsuccessful(event) });
    case 'lost':
      return task.remoteId === undefined
        ? to(ended(task), { status: 'unknown', ...unsuccessful(event) })
        : refuse(english.t('The service knows this task by its ID and can be asked for it.'));
    case 'stop':
      return task.completedAt !== undefined && !event.error ? givenUp(task, event.at) : stopped(task, event);
    case 'cancel':
      return stopped(task, event);
    case 'giveUp':
      return task.troubleSince === undefined
        ? refuse(english.t('The images are being saved.'))
        : givenUp(task, event.at);
    case 'tryNow':
      return task.retryAt === undefined
        ? refuse(english.t('The task does not wait for another try.'))
        : task.retryAt <= event.at
          ? { ok: true, task }
          : to(task, { retryAt: event.at });
    case 'resume':
      return canBeResumed(task)
        ? to(without(task, 'error', 'finishedAt', 'troubleSince', 'retryAt'), { status: 'queued' })
        : refuse(english.t('There is nothing to ask the service for. The task can only be run again.'));
    case 'saveAgain':
      return savedAgain(task, event);
    case 'finishAgain':
      return finishedAgain(task, event);
    case 'delivered':
      return to(task, { deliveredAt: event.at });
    case 'starred':
      return starred(task, event);
    case 'originalReplaced':
      return originalReplaced(task, event);
    case 'remade':
      return remade(task, event);
    case 'placing':
      return placing(task, event);
    case 'placed':
      return changedImage(task, event.index, (result) => ({ ...result, placing: 'done' }));
    default:
      return event satisfies never;
  }
}

function unsuccessful({ at, error, keptResponse }: EventOf<'failed' | 'lost'>): Partial<Task> {
  return { finishedAt: at, error, ...(keptResponse !== undefined && { keptResponse }) };
}

function accepted(task: Task, event: EventOf<'accepted'>): Advance {
  const remote = {
    remoteId: event.remoteId,
    ...(event.remotePath !== undefined && { remotePath: event.remotePath }),
    remoteStatus: event.remote.status,
    submittedAt: event.at,
    ...(event.remote.progress !== undefined && { progress: event.remote.progress }),
  };
  // It was stopped while the request was on its way. It stays stopped, but can now be resumed.
  return task.status === 'stopped'
    ? to(task, remote)
    : to(without(task, 'error', 'finishedAt'), {
        ...remote,
        status: event.remote.status === 'queued' ? 'queued' : 'in_progress',
      });
}

function arrived(task: Task, result: TaskResult): Advance {
  const results = withoutCopies(task, withResults(task.results, [result]));
  if (!results.some(({ index }) => index === result.index)) {
    return { ok: true, task };
  }
  switch (task.status) {
    case 'saving':
    case 'completed':
      return task.results.some(({ index }) => index === result.index)
        ? refuse(english.t('This image is already known.'))
        : to(without(task, 'finishedAt'), { status: 'saving', results });
    // Watches the abandoned task again: if this window dies, too, another one saves the image.
    case 'unknown':
      return to(without(task, 'error', 'finishedAt'), { status: 'in_progress', results });
    case 'stopped':
      return to(without(task, 'finishedAt'), { status: 'saving', results });
    default:
      return to(task, { results });
  }
}

function answered(task: Task, event: EventOf<'answered'>): Advance {
  // Another window may have given up on this response and saved the images so far, so only the rest is new.
  const known = task.status === 'saving' || task.status === 'completed';
  const before = new Set(task.results.map(({ index }) => index));
  const all = withoutCopies(
    task,
    withResults(
      task.results,
      withoutSurplus(task, event.results).filter(({ index }) => !known || !before.has(index)),
    ),
  );
  const results = known ? all : renumbered(all);
  if (
    (task.status === 'stopped' && results.length === 0) ||
    (known && results.length === task.results.length)
  ) {
    return refuse(english.t('The response contains nothing new.'));
  }
  return to(without(task, 'error', 'finishedAt'), {
    status: 'saving',
    submittedAt: task.submittedAt ?? event.at,
    completedAt: task.completedAt ?? event.at,
    results,
    ...(event.remark !== undefined && { remark: event.remark }),
    ...(event.usage && { usage: event.usage }),
    ...(event.incomplete && { error: event.incomplete }),
  });
}

function reported(task: Task, remote: RemoteState): Advance {
  const seen = Math.max(task.progress ?? 0, remote.progress ?? 0);
  const status = remote.status === 'queued' ? 'queued' : 'in_progress';
  const news =
    task.status !== status ||
    task.remoteStatus !== remote.status ||
    (task.progress ?? 0) !== seen ||
    task.error !== undefined ||
    task.retryAt !== undefined;
  return news
    ? to(without(answeredAgain(task), 'error'), {
        status,
        remoteStatus: remote.status,
        ...((task.progress !== undefined || remote.progress !== undefined) && { progress: seen }),
      })
    : { ok: true, task };
}

function unreachable(task: Task, event: EventOf<'unreachable'>): Advance {
  if (task.status === 'saving' && !task.results.some(isFetched)) {
    return refuse(english.t('The user no longer waits for images.'));
  }
  return to(task, {
    troubleSince: task.troubleSince ?? event.at,
    retryAt: event.retryAt,
    results: withResults(task.results, event.results ?? []),
    // While saving, the error says why the response lacks images.
    ...(task.status !== 'saving' && { error: event.error }),
  });
}

function finished(task: Task, event: EventOf<'finished'>): Advance {
  return to(without(answeredAgain(task), 'error'), {
    status: 'saving',
    completedAt: task.completedAt ?? event.at,
    remoteStatus: 'completed',
    progress: 100,
    results: withoutCopies(task, withFreshUrls(task.results, withoutSurplus(task, event.results))),
    ...(event.incomplete && { error: event.incomplete }),
  });
}

function settled(task: Task, at: number): Advance {
  const { results } = task;
  const done = ended(task);
  if (results.some(({ state }) => state === 'saved' || state === 'staged')) {
    return to(done, { status: 'completed', finishedAt: at });
  }
  const errors = results.flatMap(({ error }) => error ?? []);
  const error = errors.find(({ code }) => code !== 'result_expired') ?? errors[0];
  if (error?.code === 'result_expired') {
    return to(done, { status: 'expired', finishedAt: at, error });
  }
  return to(done, {
    status: 'failed',
    finishedAt: at,
    error: error ??
      task.error ?? {
        code: 'empty_result',
        message: english.t('The service returned no image.'),
        billing: 'maybe',
      },
  });
}

function stopped(task: Task, { at, error: given }: Omit<EventOf<'stop'>, 'type'>): Advance {
  const sent = task.status !== 'waiting';
  const error: ErrorRecord = given ?? {
    code: 'stopped',
    message: sent
      ? english.t("Watching was stopped. The service can't cancel the task and may still finish and bill it.")
      : english.t('Stopped before it was sent.'),
    billing: sent ? 'maybe' : 'no',
  };
  // Images that were complete before the stop are paid for and kept.
  return task.results.some(({ state }) => state === 'staged')
    ? to(ended(task), { status: 'saving', error })
    : to(ended(task), { status: 'stopped', finishedAt: at, error });
}

function savedAgain(task: Task, { indexes, target }: EventOf<'saveAgain'>): Advance {
  const results = task.results.map((result) => (indexes.includes(result.index) ? retried(result) : result));
  return results.some(({ state }) => state === 'remote' || state === 'staged')
    ? to(without(task, 'error', 'finishedAt'), {
        status: 'saving',
        results,
        ...(target && { request: { ...task.request, target } }),
      })
    : refuse(english.t('Every image that can be saved is already saved.'));
}

function finishedAgain(task: Task, { copies }: EventOf<'finishAgain'>): Advance {
  const results = task.results.map((result): TaskResult => {
    const copy = copies.find(({ index }) => index === result.index);
    if (!copy || !canBeFinished(task, result)) {
      return result;
    }
    const { finished: _, attempts: __, uri: ___, ...image } = result;
    return { ...image, state: 'staged', stagedPath: copy.stagedPath };
  });
  return results.some(({ state }) => state === 'staged')
    ? to(without(task, 'finishedAt'), { status: 'saving', results })
    : refuse(english.t('No image of the task is to be finished.'));
}

/** Stops waiting for the images that can't be fetched yet. Those that have arrived are still saved. */
function givenUp(task: Task, at: number): Advance {
  const error: ErrorRecord = {
    code: 'stopped',
    message: english.t('You stopped waiting for the image.'),
    phase: 'download',
    billing: 'yes',
  };
  const results = task.results.map((result): TaskResult =>
    isFetched(result) ? { ...result, state: 'failed', error } : result,
  );
  const rest = { ...ended(task), results, error };
  if (results.some(({ state }) => state === 'staged')) {
    return to(rest, {});
  }
  return results.some(({ state }) => state === 'saved')
    ? settled(rest, at)
    : to(rest, { status: 'stopped', finishedAt: at });
}

/** Returns an unsaved image that is ready for another try. */
function retried(result: TaskResult): TaskResult {
  if (result.state !== 'failed' || !canBeSaved(result)) {
    return result;
  }
  const { error: _, surplus: __, attempts: ___, ...kept } = result;
  return { ...kept, state: hasImage(result) ? 'staged' : 'remote' };
}

function starred(task: Task, { index, starred }: EventOf<'starred'>): Advance {
  return changedImage(task, index, (result) => {
    const { starred: isStarred = false, ...plain } = result;
    return isStarred === starred ? result : { ...plain, ...(starred && { starred }) };
  });
}

/** Gives files of a task their new names. One that has another name by now keeps it. */
function moved(task: Task, files: EventOf<'moved'>['files']): Advance {
  const places = new Map(files.map(({ from, to }) => [from, to]));
  const { request, results } = task;
  const isMoved = ({ uri }: { uri?: string }): boolean => uri !== undefined && places.has(uri);
  const input = (given: TaskInput): TaskInput => {
    const uri = places.get(given.uri);
    const isFile = fileUri(given.path) === given.uri;
    return uri === undefined
      ? given
      : { ...given, uri, ...(isFile && uri.startsWith('file:') && { path: pathOfUri(uri) }) };
  };
  const image = (result: TaskResult): TaskResult => {
    const uri = places.get(result.uri ?? '');
    return uri === undefined ? result : { ...result, uri };
  };
  const { images, mask, original } = request;
  if (![...results, ...(images ?? []), mask ?? {}, original ?? {}].some(isMoved)) {
    return { ok: true, task };
  }
  return to(task, {
    request: {
      ...request,
      ...(images && { images: images.map(input) }),
      ...(mask && { mask: input(mask) }),
      ...(original && { original: input(original) }),
    },
    results: results.map(image),
  });
}

function attempted(task: Task, { index, attempts }: EventOf<'attempt'>): Advance {
  return changedImage(task, index, (result) => {
    const { attempts: before = 0, ...others } = result;
    return before === attempts ? result : { ...others, ...(attempts > 0 && { attempts }) };
  });
}

function originalReplaced(task: Task, { index, replaced }: EventOf<'originalReplaced'>): Advance {
  return changedImage(task, index, (result) => {
    const { replacedOriginal, ...plain } = result;
    if (replaced) {
      return { ...plain, replacedOriginal: replaced };
    }
    return replacedOriginal ? plain : result;
  });
}

function remade(task: Task, { index, file }: EventOf<'remade'>): Advance {
  return changedImage(task, index, (result) => {
    const changed = { ...result };
    for (const part of remadeParts) {
      delete changed[part];
    }
    return result.state === 'saved' ? { ...changed, ...file } : undefined;
  });
}

/** Changes one image of a task. The same object means no change; undefined refuses the event. */
function changedImage(
  task: Task,
  index: number,
  change: (result: TaskResult) => TaskResult | undefined,
): Advance {
  const result = task.results.find((other) => other.index === index);
  const changed = result && change(result);
  if (!changed) {
    return refuse(english.t('The task has no such image.'));
  }
  return changed === result
    ? { ok: true, task }
    : to(task, { results: task.results.map((other) => (other === result ? changed : other)) });
}

/** Lets one window put an image in its place, once. */
function placing(task: Task, { index, at }: EventOf<'placing'>): Advance {
  return changedImage(task, index, (result) => {
    const { state, placing } = result;
    const isTaken = placing === 'done' || (placing !== undefined && at - placing < placingTime);
    return state === 'saved' && !isTaken ? { ...result, placing: at } : undefined;
  });
}

/** Replaces results by index. What a user did with an image stays, and so does its number of attempts. */
function withResults(results: readonly TaskResult[], changed: readonly TaskResult[]): TaskResult[] {
  const places = new Map(results.map((result) => [result.index, result]));
  for (const result of changed) {
    const { starred, discarded, replacedOriginal, placing, attempts } = places.get(result.index) ?? {};
    const { attempts: _, ...changed } = result;
    places.set(result.index, {
      ...changed,
      ...(attempts !== undefined && { attempts }),
      ...(starred && { starred }),
      ...(discarded && { discarded }),
      ...(replacedOriginal && { replacedOriginal }),
      ...(placing !== undefined && { placing }),
    });
  }
  return [...places.values()].toSorted((one, other) => one.index - other.index);
}

/**
 * Removes images with the same bytes as another one: a service that sends an image twice in one response made one. Each
 * native call has its own response.
 */
function withoutCopies({ request: { callStyle, n } }: Task, results: TaskResult[]): TaskResult[] {
  if (isNative(callStyle) && n > 1) {
    return results;
  }
  const known = new Set<string>();
  return results.filter(({ state, sha256 }) => {
    const isCopy = state === 'staged' && sha256 !== undefined && known.has(sha256);
    known.add(sha256 ?? '');
    return !isCopy;
  });
}

/** Renumbers complete images, since drafts may have come before them. */
function renumbered(results: TaskResult[]): TaskResult[] {
  return results.every(({ state }) => state === 'staged')
    ? results.map((result, index) => ({ ...result, index }))
    : results;
}

/**
 * Adds fresh URLs for the missing images. An incomplete list may have other images in their places; then the known URLs
 * are tried again.
 */
function withFreshUrls(known: TaskResult[], fresh: TaskResult[]): TaskResult[] {
  const lacksSome = fresh.length < known.length;
  const kept = known.flatMap((result): TaskResult[] => {
    if (!lacksBytes(result)) {
      return [result];
    }
    return lacksSome && result.url !== undefined ? [asRemote(result)] : [];
  });
  return withResults(withResults(known, fresh), kept);
}

/** Whether the bytes of an image are still to be fetched. */
function isFetched({ state }: TaskResult): boolean {
  return state === 'remote';
}

function asRemote(result: TaskResult): TaskResult {
  return result.surplus ? result : { ...result, state: 'remote' };
}

/** Marks images beyond the requested number, so that a service can't decide how much is fetched and written. */
function withoutSurplus({ request: { n }, results: known }: Task, results: TaskResult[]): TaskResult[] {
  const most = Math.max(2 * n, 16);
  const wanted = new Set(known.flatMap(({ index, surplus }) => (surplus ? [] : [index])));
  return results.map((result) =>
    result.state !== 'remote' || result.index < most || wanted.has(result.index)
      ? result
      : { ...result, state: 'failed', surplus: true, error: tooMany(results.length, most, n) },
  );
}

function tooMany(listed: number, most: number, n: number): ErrorRecord {
  return {
    code: 'result_refused',
    message: english.t(
      'The service lists {0} images instead of {1}. Those after the first {2} are fetched only if you choose to.',
      listed,
      n,
      most,
    ),
    phase: 'download',
  };
}

/** Returns the task after the service responded. Trouble with its images outlasts the queries for fresh URLs. */
function answeredAgain(task: Task): Task {
  return task.results.some(lacksBytes) ? without(task, 'retryAt') : without(task, 'retryAt', 'troubleSince');
}

/** Returns the task without the properties of a running one. */
function ended(task: Task): Task {
  return without(task, 'retryAt', 'troubleSince', 'held');
}

function without(task: Task, ...names: (keyof OptionalFields)[]): Task {
  const copy = { ...task };
  for (const name of names) {
    delete copy[name];
  }
  return copy;
}

type OptionalFields = Pick<Task, 'retryAt' | 'troubleSince' | 'held' | 'error' | 'finishedAt'>;

function to(task: Task, changes: Partial<Task>): Advance {
  return { ok: true, task: { ...task, ...changes } };
}

function refuse(refusal: string): Advance {
  return { ok: false, refusal };
}
