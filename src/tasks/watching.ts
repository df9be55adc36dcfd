import { lacksBytes } from '../common/stillThere.ts';
import { type ErrorRecord, LimnerError } from '../service/limnerError.ts';
import type { OpenImageSink, RemoteTask } from '../service/messages.ts';
import { answeredResults } from './answeredResults.ts';
import type { IncomingSink } from './incoming.ts';
import type { PollTarget, Poller } from './poller.ts';
import type { Disposable } from './ports.ts';
import type { Run } from './run.ts';
import type { Task, TaskResult } from './task.ts';
import type { TaskEvent } from './taskEvent.ts';

/** After so much trouble without a single answer, or news, a task is stopped, resumable, in milliseconds. */
const longestTrouble = 24 * 60 * 60_000;
/** So long of it, in milliseconds, the machine must have been awake and the service asked in vain. */
const leastAwake = 60 * 60_000;
/** No more time than that passes between two questions, unless the machine sleeps. */
const longestGap = 20 * 60_000;

const silence: ErrorRecord = {
  code: 'timeout',
  message: 'It has said nothing new about the task for 24 hours.',
  phase: 'poll',
  billing: 'maybe',
};

/**
 * So often in a row, over some minutes, a service must say of a task what would end it although it may be paid for:
 * one of its nodes may not know the task, or not its pictures, yet.
 */
const believedAfter = 10;

/** Asks the service about an accepted task until it says something that moves the task on. */
export async function watch(run: Run, task: Task, remoteId: string, poller: Poller): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const target = new Watched(run, task, remoteId, resolve);
  const leave = (): void => {
    poller.forget(task.id);
    resolve();
  };
  if (run.ended.aborted) {
    return;
  }
  run.ended.addEventListener('abort', leave, { once: true });
  try {
    // Straight after it was accepted there is nothing to hear yet.
    poller.watch(target, run.justSent?.retryAfter);
    run.justSent = undefined;
    await promise;
  } finally {
    run.ended.removeEventListener('abort', leave);
  }
}

/** Pauses a task until there is another key than the one that was refused, or that one was entered again. */
export async function waitForKey(run: Run, task: Task): Promise<void> {
  const { keys, store } = run.context;
  for (let refused = run.refusedKey; !run.ended.aborted; refused = undefined) {
    const change = changeOfKey(run, task.origin);
    try {
      // Looked at only now, so that no change slips through in between.
      const key = await keys.get(task.origin);
      if (key !== undefined && store.fingerprint(key) !== refused) {
        await run.record({ type: 'keyChanged' });
        return;
      }
      await change.happened;
    } finally {
      change.dispose();
    }
    if (run.task()?.status !== 'needs_key') {
      return;
    }
  }
}

/** Settles when the key is changed, or the task no longer waits for it. */
function changeOfKey(run: Run, origin: string): Disposable & { happened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = (): void => resolve();
  const subscriptions = [
    run.context.keys.onDidChange((changed) => {
      if (changed === origin) {
        resolve();
      }
    }),
    run.onDidChange((task) => {
      if (task?.status !== 'needs_key') {
        resolve();
      }
    }),
    { dispose: () => run.ended.removeEventListener('abort', ended) },
  ];
  run.ended.addEventListener('abort', ended, { once: true });
  return {
    happened: promise,
    dispose: () => {
      for (const subscription of subscriptions) {
        subscription.dispose();
      }
    },
  };
}

/** One accepted task, as the poller asks about it. */
class Watched implements PollTarget {
  readonly id: string;
  readonly origin: string;
  readonly #run: Run;
  readonly #task: Task;
  readonly #remoteId: string;
  readonly #moved: () => void;
  /** Pictures that came with the answer to the last question. */
  readonly #sinks = new Map<number, IncomingSink>();
  #askedWith: string | undefined;
  /** How often in a row the service said what is not believed at once. */
  #doubts = 0;
  #doubted: LimnerError | undefined;
  /** What the service said last, and for how long it has been the same. */
  #said = '';
  readonly #silence = new AwakeTime();
  readonly #trouble = new AwakeTime();

  constructor(run: Run, task: Task, remoteId: string, moved: () => void) {
    this.#run = run;
    this.#task = task;
    this.#remoteId = remoteId;
    this.#moved = moved;
    this.id = task.id;
    this.origin = task.origin;
  }

  async ask(signal: AbortSignal): Promise<RemoteTask> {
    const { keys, store, connect } = this.#run.context;
    const key = await keys.get(this.origin);
    this.#sinks.clear();
    this.#askedWith = key === undefined ? undefined : store.fingerprint(key);
    if (key === undefined) {
      throw new LimnerError('no_key', `There is no API key for ${this.origin}.`, { phase: 'poll' });
    }
    const remote = await connect(this.#task.request.baseUrl, key).query(this.#remoteId, {
      signal,
      openSink: this.#openSink,
    });
    if (remote.incomplete !== undefined && this.#doubts < believedAfter - 1) {
      const { code, message, ...options } = remote.incomplete;
      this.#doubted = new LimnerError(code, message, options);
      throw this.#doubted;
    }
    return remote;
  }

  async heard(remote: RemoteTask): Promise<boolean> {
    const at = this.#run.context.clock.now();
    const { status, progress, incomplete } = remote;
    this.#doubts = 0;
    this.#trouble.end();
    if (remote.error) {
      return this.#move({ type: 'failed', at, error: remote.error });
    }
    if (remote.images) {
      const results = answeredResults(remote.images, (sink) => this.#sinks.get(sink)?.file);
      const error = incomplete && { ...incomplete, phase: 'poll' as const };
      if (error && results.length === 0) {
        // Pictures that it named before may still be found where it said.
        const isKnown = this.#task.results.length > 0;
        return this.#move(isKnown ? { type: 'finished', at, results } : { type: 'failed', at, error });
      }
      return this.#move({ type: 'finished', at, results, ...(error && { incomplete: error }) });
    }
    const said = `${status} ${progress}`;
    if (said !== this.#said) {
      this.#silence.end();
      this.#said = said;
    }
    if (this.#silence.until(at) >= longestTrouble) {
      return this.#move({ type: 'stop', at, error: silence });
    }
    const task = await this.#run.record({
      type: 'reported',
      remote: { status, ...(progress !== undefined && { progress }) },
    });
    return task !== undefined || this.#leave();
  }

  async troubled(error: LimnerError, delay: number): Promise<boolean> {
    const at = this.#run.context.clock.now();
    const since = this.#run.task()?.troubleSince ?? at;
    const awake = this.#trouble.until(at);
    const record = { ...error.toRecord(), phase: 'poll' as const };
    if (error.code === 'task_not_found') {
      // To another key than the one that submitted it, it may just belong to somebody else.
      if (this.#askedWith !== this.#task.keyFingerprint) {
        await this.refused(error);
        return false;
      }
      this.#doubts += 1;
      if (this.#doubts >= believedAfter) {
        return this.#move(this.#gone(record));
      }
    } else if (error === this.#doubted) {
      this.#doubts += 1;
    }
    if (at - since >= longestTrouble && awake >= leastAwake) {
      return this.#move({ type: 'stop', at, error: record });
    }
    const task = await this.#run.record({ type: 'troubled', at, retryAt: at + delay, error: record });
    return task !== undefined || this.#leave();
  }

  async refused(error: LimnerError): Promise<void> {
    this.#run.refusedKey = this.#askedWith;
    await this.#move({ type: 'keyRefused', error: { ...error.toRecord(), phase: 'poll' as const } });
  }

  /** A task that was completed before it went took its pictures with it; another one failed. */
  #gone(error: ErrorRecord): TaskEvent {
    const at = this.#run.context.clock.now();
    const expired: ErrorRecord = { ...error, code: 'result_expired', billing: 'yes' };
    const { results } = this.#task;
    return results.some(lacksBytes)
      ? {
          type: 'finished',
          at,
          results: results.map((result) => (lacksBytes(result) ? failedResult(result, expired) : result)),
        }
      : { type: 'failed', at, error };
  }

  async #move(event: TaskEvent): Promise<false> {
    await this.#run.record(event);
    return this.#leave();
  }

  #leave(): false {
    this.#moved();
    return false;
  }

  readonly #openSink: OpenImageSink = (index) => {
    const sink = this.#run.context.incoming.sink(this.id, index, this.#run.fence);
    this.#sinks.set(index, sink);
    return sink;
  };
}

/** How long something lasts, in milliseconds; sleep of the machine, in which nobody can ask, is no time. */
class AwakeTime {
  #passed = 0;
  #last: number | undefined;

  /** To be asked at every question, with its time. */
  until(at: number): number {
    this.#passed += Math.min(Math.max(at - (this.#last ?? at), 0), longestGap);
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
