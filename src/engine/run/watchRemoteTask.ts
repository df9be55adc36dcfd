import * as english from '../../common/english.ts';
import { rm } from '../../common/heldFiles.ts';
import { lacksBytes, maxSilence } from '../../common/taskStatus.ts';
import { type ErrorRecord, isLimnerError, LimnerError } from '../../common/limnerError.ts';
import { taskPathOf } from '../../service/http/endpoints.ts';
import type { AnsweredImage, OpenImageSink, RemoteTask } from '../../service/terms/messages.ts';
import { resultsFromAnswer, type StagingSink } from '../files/stagingStore.ts';
import type { PollTarget, Poller } from './poller.ts';
import { keepResponse, type Run, type RunContext, warnOfRefusal } from './run.ts';
import type { Task, TaskResult } from '../task/task.ts';
import type { TaskEvent } from '../task/taskEvent.ts';

/** How much of `maxSilence`, in milliseconds, the machine must have been awake and querying without an answer. */
const leastAwake = 60 * 60_000;
/** Longest time between two queries, unless the machine sleeps. */
const maxGap = 20 * 60_000;

const silence: ErrorRecord = {
  code: 'timeout',
  message: english.t('The service has reported nothing new about the task for 24 hours.'),
  phase: 'poll',
  billing: 'maybe',
};

/**
 * How often in a row, over some minutes, a service must give an answer that would end a task that may be paid for. One
 * of its nodes may not know the task or its images yet.
 */
const believedAfter = 10;

/** How long a service must say that a task is completed without listing an image, in milliseconds. */
const emptinessBelievedAfter = 60_000;

/**
 * How long the images of an uncompleted task must stay the same before they count as its results, in milliseconds, or
 * how often in a row at 100 %. With fewer images than requested, it takes much longer.
 */
const listedBelievedAfter = 60_000;
const fewListedBelievedAfter = 10 * 60_000;
const listedBelievedTimes = 3;

/** How often in a row it must refuse the very key that submitted the task. */
const refusalBelievedAfter = 3;

/**
 * Queries an accepted task until an answer moves it on. With a refused or missing key, it queries rarely, and again as
 * soon as a key is entered.
 */
export async function watchRemoteTask(run: Run, task: Task, remoteId: string, poller: Poller): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const target = new WatchedTask(run, task, remoteId, resolve);
  const leave = (): void => {
    poller.forget(task.id);
    resolve();
  };
  if (run.ended.aborted) {
    return;
  }
  run.ended.addEventListener('abort', leave, { once: true });
  const keyChanges = run.context.keys.onDidChange((origin) => {
    if (origin === task.origin) {
      void target.keyChanged();
      poller.watch(target, 0);
    }
  });
  const changes = run.onDidChange((changed) => {
    if (run.isDue(changed)) {
      poller.pollNow(task.id);
    }
  });
  try {
    // Right after a task was accepted, there is no news yet.
    poller.watch(target, run.justSent?.retryAfter);
    run.justSent = undefined;
    await promise;
  } finally {
    keyChanges.dispose();
    changes.dispose();
    run.ended.removeEventListener('abort', leave);
  }
}

/** Returns the address to query for a task: from the model's entry, or else from the service. */
function pathOf({ request: { baseUrl, taskPath }, remotePath }: Task, id: string): string | undefined {
  return taskPath === undefined ? remotePath : taskPathOf(baseUrl, taskPath, id);
}

/** One accepted task, as the poller sees it. */
class WatchedTask implements PollTarget {
  readonly id: string;
  readonly origin: string;
  readonly #run: Run;
  readonly #task: Task;
  readonly #remoteId: string;
  readonly #done: () => void;
  /** Images of the last response. */
  readonly #sinks = new Map<number, StagingSink>();
  #askedWith: string | undefined;
  #keptResponse: string | undefined;
  #refusals = 0;
  /** How often in a row the service gave an answer that isn't believed at once. */
  #doubts = 0;
  #doubted: LimnerError | undefined;
  readonly #empty = new AwakeTime();
  /** Images of the uncompleted task, and how often in a row they were the same. */
  #listed = { images: '', times: 0 };
  readonly #unchanged = new AwakeTime();
  /** The service's last report; `#silence` measures how long it has been the same. */
  #said = '';
  readonly #silence = new AwakeTime();
  readonly #trouble = new AwakeTime();

  constructor(run: Run, task: Task, remoteId: string, done: () => void) {
    this.#run = run;
    this.#task = task;
    this.#remoteId = remoteId;
    this.#done = done;
    this.id = task.id;
    this.origin = task.origin;
  }

  async ask(signal: AbortSignal): Promise<RemoteTask> {
    const { keys, store, connect } = this.#run.context;
    const key = await keys.get(this.origin);
    this.#sinks.clear();
    this.#keptResponse = undefined;
    this.#askedWith = key === undefined ? undefined : store.fingerprint(key);
    if (key === undefined) {
      throw new LimnerError('no_key', english.t('No API key is set for {0}.', this.origin), {
        phase: 'poll',
        sent: false,
      });
    }
    const remote = await this.#query(connect(this.#task.request.baseUrl, key), signal);
    if (remote.incomplete !== undefined && this.#mayBeWholeSoon(remote.incomplete)) {
      const { code, message, ...options } = remote.incomplete;
      const wait = remote.retryAfter === undefined ? {} : { retryAfter: remote.retryAfter };
      this.#doubted = new LimnerError(code, message, { ...options, ...wait });
      throw this.#doubted;
    }
    return remote;
  }

  /** Whether the next answer may contain images that are missing from this one, of a completed task. */
  #mayBeWholeSoon({ code, service }: ErrorRecord): boolean {
    if (service !== undefined && code !== 'empty_result') {
      // The service says why it made no more.
      return false;
    }
    const isNew =
      code === 'empty_result' && this.#empty.until(this.#run.context.clock.now()) < emptinessBelievedAfter;
    return isNew || this.#doubts < believedAfter - 1;
  }

  async #query(service: ReturnType<RunContext['connect']>, signal: AbortSignal): Promise<RemoteTask> {
    try {
      const options = { signal, openSink: this.#openSink, keepBody: this.#keepBody };
      const remote = await service.query(this.#remoteId, options, pathOf(this.#task, this.#remoteId));
      this.#refusals = 0;
      return remote;
    } catch (error) {
      this.#refusals += isLimnerError(error) && error.code === 'unauthorized' ? 1 : 0;
      throw error;
    }
  }

  async onStatus(remote: RemoteTask): Promise<boolean> {
    const { status, progress, incomplete, error } = remote;
    const at = this.#run.context.clock.now();
    const images = remote.images ?? (await this.#settledImages(remote, at));
    this.#doubts = 0;
    this.#empty.end();
    this.#trouble.end();
    let event: TaskEvent = { type: 'stop', at, error: silence };
    if (error) {
      event = this.#failed(at, error);
    } else if (images) {
      const results = resultsFromAnswer(images, (sink) => this.#sinks.get(sink)?.file);
      const missing = incomplete && { ...incomplete, phase: 'poll' as const };
      if (!missing || results.length > 0) {
        event = { type: 'finished', at, results, ...(missing && { incomplete: missing }) };
      } else {
        // Images that it listed earlier may still be there.
        const isKnown = this.#task.results.length > 0;
        event = isKnown ? { type: 'finished', at, results } : this.#failed(at, missing);
      }
    } else {
      const said = `${status} ${progress}`;
      if (said !== this.#said) {
        this.#silence.end();
        this.#said = said;
      }
      if (this.#silence.until(at) < maxSilence) {
        event = { type: 'reported', remote: { status, ...(progress !== undefined && { progress }) } };
      }
    }
    const task = await this.#run.record(event);
    return (event.type === 'reported' && task !== undefined) || this.#finish();
  }

  /**
   * Returns the images of an uncompleted task once they have stayed the same long enough to be its results. Images that
   * may still change are removed from disk.
   */
  async #settledImages({ listed, progress }: RemoteTask, at: number): Promise<AnsweredImage[] | undefined> {
    const files = [...this.#sinks.values()].flatMap(({ file }) => file ?? []);
    const known = listed?.map((image) =>
      // A signature may change each time.
      image.kind === 'url' ? image.url.replace(/\?.*/su, '') : this.#sinks.get(image.sink)?.file?.sha256,
    );
    const isAtEnd = progress === 100;
    const images = JSON.stringify([known, isAtEnd]);
    if (images !== this.#listed.images) {
      this.#listed = { images, times: 0 };
      this.#unchanged.end();
    }
    this.#listed.times += 1;
    const unchanged = this.#unchanged.until(at);
    if (listed && this.#listed.times >= listedBelievedTimes) {
      const isFew = listed.length < this.#task.request.n;
      if (isFew ? unchanged >= fewListedBelievedAfter : isAtEnd || unchanged >= listedBelievedAfter) {
        return listed;
      }
    }
    // The next sweep removes it, or it is overwritten.
    await Promise.all(files.map(async ({ stagedPath }) => rm(stagedPath, { force: true }).catch(() => {})));
    return undefined;
  }

  maySoonChange(error: LimnerError): boolean {
    return error === this.#doubted && error.code === 'empty_result';
  }

  async onError(error: LimnerError, delay: number): Promise<boolean> {
    const at = this.#run.context.clock.now();
    const since = this.#run.task()?.troubleSince ?? at;
    const awake = this.#trouble.until(at);
    const record = { ...error.toRecord(), phase: 'poll' as const };
    if (error.code === 'task_not_found') {
      this.#doubts += 1;
      if (this.#doubts >= believedAfter) {
        return this.#record(this.#gone(record));
      }
    } else if (error === this.#doubted) {
      this.#doubts += 1;
    }
    if (this.#run.task()?.status === 'needs_key') {
      // The user should see that the key is refused.
      return true;
    }
    if ((at - since >= maxSilence && awake >= leastAwake) || this.#run.isHopeless(error, awake)) {
      return this.#record({ type: 'stop', at, error: record });
    }
    const task = await this.#run.record({ type: 'unreachable', at, retryAt: at + delay, error: record });
    return task !== undefined || this.#finish();
  }

  isRefusal({ code }: LimnerError): boolean {
    const isSubmitters = this.#askedWith === this.#task.keyFingerprint;
    switch (code) {
      case 'no_key':
        return true;
      case 'unauthorized':
        return !isSubmitters || this.#refusals >= refusalBelievedAfter;
      case 'task_not_found':
        // With another key than the one that submitted it, the task may just belong to somebody else.
        return !isSubmitters;
      default:
        return false;
    }
  }

  async onRefused(error: LimnerError): Promise<boolean> {
    if (this.#run.task()?.status !== 'needs_key') {
      warnOfRefusal(this.#run, error);
      await this.#run.record({ type: 'keyRefused', error: { ...error.toRecord(), phase: 'poll' } });
    }
    return error.code !== 'no_key' && this.#trouble.until(this.#run.context.clock.now()) < maxSilence;
  }

  async keyChanged(): Promise<void> {
    this.#refusals = 0;
    this.#trouble.end();
    await this.#run.record({ type: 'keyChanged' });
  }

  /**
   * Returns the event for a task that the service no longer has: it expired if it was completed, otherwise it failed.
   */
  #gone(error: ErrorRecord): TaskEvent {
    const at = this.#run.context.clock.now();
    const expired: ErrorRecord = { ...error, code: 'result_expired', billing: 'yes' };
    const { results } = this.#task;
    return results.some(lacksBytes)
      ? { type: 'finished', at, results: results.map((result) => failedResult(result, expired)) }
      : { type: 'failed', at, error };
  }

  async #record(event: TaskEvent): Promise<false> {
    await this.#run.record(event);
    return this.#finish();
  }

  #finish(): false {
    this.#done();
    return false;
  }

  #failed(at: number, error: ErrorRecord): TaskEvent {
    const keptResponse = this.#keptResponse;
    return { type: 'failed', at, error, ...(keptResponse !== undefined && { keptResponse }) };
  }

  readonly #keepBody = async (bytes: Buffer): Promise<void> => {
    this.#keptResponse = await keepResponse(this.#run, bytes);
  };

  readonly #openSink: OpenImageSink = (index) => {
    const sink = this.#run.context.staging.sink(this.id, index, this.#run.fence);
    this.#sinks.set(index, sink);
    return sink;
  };
}

/** Measures how long something lasts, in milliseconds, without the time that the machine sleeps. */
class AwakeTime {
  #passed = 0;
  #last: number | undefined;

  /** Advances to this time; called at every query. */
  until(at: number): number {
    this.#passed += Math.min(Math.max(at - (this.#last ?? at), 0), maxGap);
    this.#last = at;
    return this.#passed;
  }

  end(): void {
    this.#passed = 0;
    this.#last = undefined;
  }
}

function failedResult(result: TaskResult, error: ErrorRecord): TaskResult {
  return { ...result, state: 'failed', error };
}
