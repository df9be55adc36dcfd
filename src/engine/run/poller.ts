import * as english from '../../common/english.ts';
import { backoff, type Clock, type Disposable } from '../../common/clock.ts';
import { asLimnerError, LimnerError } from '../../common/limnerError.ts';
import type { RemoteTask } from '../../service/terms/messages.ts';

export interface PollTarget {
  id: string;
  /** Origin of the service. If it can't be reached, only one of its tasks keeps trying. */
  origin: string;
  /** Queries the service once (docs/service.md, "Query task"). */
  ask(signal: AbortSignal): Promise<RemoteTask>;
  /** @returns whether to keep asking */
  onStatus(remote: RemoteTask): Promise<boolean>;
  /** Called when a query failed; the next one follows in `delay` milliseconds. @returns whether to keep asking */
  onError(error: LimnerError, delay: number): Promise<boolean>;
  /** Whether the error may pass soon. The next query then comes after the usual interval. */
  maySoonChange?(error: LimnerError): boolean;
  isRefusal(error: LimnerError): boolean;
  /**
   * Called when the key is missing or refused.
   *
   * @returns whether to keep asking, at longer intervals, since a service may refuse a valid key
   */
  onRefused(error: LimnerError): Promise<boolean>;
}

export interface PollerOptions {
  clock: Clock;
  /** From 0 up to, but not including, 1. */
  random?: () => number;
  onError: (error: unknown) => void;
}

const maxInFlight = 4;

/** First and longest interval in milliseconds; with jitter it stays below 5 s. */
const firstInterval = 2000;
const maxInterval = 4500;
const easing = 1.2;
const jitter = 0.1;

/** Longest back-off while the service returns errors, in milliseconds. */
const maxBackoff = 60_000;

/** First and longest interval while the service refuses the key, in milliseconds. */
const firstRefused = 15_000;
const maxRefusedInterval = 5 * 60_000;

/** Interval of one task's tries while its origin can't be reached, in milliseconds, to recover within 5 s. */
const probeInterval = 4000;
/** How long a task waits after its query timed out, in milliseconds: longer than others, which then try first. */
const silentInterval = 5000;

/** Longest `Retry-After` that is obeyed, since images are kept for only 6 hours. */
const maxRetryAfter = 15 * 60_000;

interface Entry {
  target: PollTarget;
  polls: number;
  failures: number;
  abort: AbortController;
  timer?: Disposable;
}

/**
 * Polls tasks: every 2 s at first, slowing to 5 s, never faster for any reason, jittered upward only, with at most 4
 * open queries. Errors never end a task here; the interval backs off to 60 s.
 */
export class Poller {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #ready: Entry[] = [];
  /** Origins that can't be reached: the task that tries, if already chosen, and the tasks that wait for it. */
  readonly #down = new Map<string, { probe: Entry | undefined; parked: Set<Entry> }>();
  /**
   * When each task was last queried, in Unix milliseconds, including tasks that were forgotten and are watched again.
   */
  readonly #askedAt = new Map<string, number>();
  #inFlight = 0;

  constructor({ clock, random = Math.random, onError }: PollerOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#onError = onError;
  }

  /**
   * Starts to poll a task.
   *
   * @param wait how long the service asked to wait when it just accepted the task, in milliseconds; the first query
   *   then comes after at least one interval, otherwise at once
   */
  watch(target: PollTarget, wait?: number): void {
    this.forget(target.id);
    const entry: Entry = { target, polls: 0, failures: 0, abort: new AbortController() };
    this.#entries.set(target.id, entry);
    if (wait === undefined) {
      this.#enqueue(entry);
    } else {
      this.#schedule(entry, Math.max(this.#interval(entry), clampRetryAfter(wait)));
    }
  }

  /**
   * Queries a waiting task as soon as allowed, and then at the first interval again. If its origin can't be reached,
   * the task that tries for all does so.
   */
  pollNow(id: string): void {
    const entry = this.#entries.get(id);
    const next = (entry && this.#down.get(entry.target.origin)?.probe) ?? entry;
    if (next?.timer) {
      next.timer.dispose();
      next.polls = 0;
      this.#enqueue(next);
    }
  }

  forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry) {
      this.#end(entry);
      entry.abort.abort(new LimnerError('stopped', english.t('Nothing waits for the response anymore.')));
    }
  }

  dispose(): void {
    for (const id of this.#entries.keys()) {
      this.forget(id);
    }
  }

  #schedule(entry: Entry, delay: number): void {
    entry.timer = this.#clock.setTimeout(() => this.#enqueue(entry), delay);
  }

  #enqueue(entry: Entry): void {
    delete entry.timer;
    const wait = this.#wait(entry.target.id);
    if (wait > 0) {
      this.#schedule(entry, wait);
      return;
    }
    this.#ready.push(entry);
    this.#pump();
  }

  /** Returns how long to wait before a task may be queried again, in milliseconds. */
  #wait(id: string): number {
    const asked = this.#askedAt.get(id);
    const since = asked === undefined ? firstInterval : this.#clock.now() - asked;
    // The clock may have been set back.
    return since < 0 ? 0 : firstInterval - since;
  }

  /** Records a query, and forgets tasks that may be queried again. */
  #noteAsked(id: string): void {
    for (const other of this.#askedAt.keys()) {
      if (this.#wait(other) <= 0) {
        this.#askedAt.delete(other);
      }
    }
    this.#askedAt.set(id, this.#clock.now());
  }

  /** Whether a task waits because another one tries their origin. */
  #isParked(entry: Entry): boolean {
    const down = this.#down.get(entry.target.origin);
    if (!down || (down.probe ??= entry) === entry) {
      return false;
    }
    down.parked.add(entry);
    return true;
  }

  #pump(): void {
    while (this.#inFlight < maxInFlight) {
      const entry = this.#ready.shift();
      if (!entry) {
        return;
      }
      if (this.#isWatched(entry) && !this.#isParked(entry)) {
        this.#inFlight++;
        this.#poll(entry)
          .catch(this.#onError)
          .finally(() => {
            this.#inFlight--;
            this.#pump();
          });
      }
    }
  }

  async #poll(entry: Entry): Promise<void> {
    const { target } = entry;
    entry.polls++;
    this.#noteAsked(target.id);
    let remote: RemoteTask;
    try {
      remote = await target.ask(entry.abort.signal);
    } catch (error) {
      if (this.#isWatched(entry)) {
        await this.#failed(entry, asLimnerError(error));
      }
      return;
    }
    if (!this.#isWatched(entry)) {
      return;
    }
    this.#reached(target.origin);
    entry.failures = 0;
    const shouldContinue = await target.onStatus(remote);
    this.#continue(
      entry,
      shouldContinue,
      Math.max(this.#interval(entry), clampRetryAfter(remote.retryAfter)),
    );
  }

  async #failed(entry: Entry, error: LimnerError): Promise<void> {
    const { target } = entry;
    if (error.sent === false) {
      this.#askedAt.delete(target.id);
    }
    // A timeout does not tell whether the origin can be reached.
    if (error.sent !== false && error.code !== 'timeout') {
      this.#reached(target.origin);
    }
    if (target.isRefusal(error)) {
      const delay = this.#backoff(entry.failures++, firstRefused, maxRefusedInterval, error);
      this.#continue(entry, await target.onRefused(error), delay);
      return;
    }
    const delay = this.#delayAfter(entry, error);
    const shouldContinue = await target.onError(error, delay);
    this.#continue(entry, shouldContinue, delay);
  }

  #delayAfter(entry: Entry, error: LimnerError): number {
    if (error.sent === false || error.code === 'timeout') {
      return this.#unreachable(entry, error);
    }
    return entry.target.maySoonChange?.(error) === true
      ? Math.max(this.#interval(entry), clampRetryAfter(error.retryAfter))
      : this.#backoff(entry.failures++, firstInterval, maxBackoff, error);
  }

  #continue(entry: Entry, shouldContinue: boolean, delay: number): void {
    if (!shouldContinue) {
      this.#end(entry);
    } else if (this.#isWatched(entry)) {
      this.#schedule(entry, delay);
    }
  }

  /**
   * Lets one task try for all tasks of an unreachable origin. After a timeout another task takes its turn, since the
   * service may be too slow for that task alone.
   */
  #unreachable(entry: Entry, { sent }: LimnerError): number {
    const { origin } = entry.target;
    const down = this.#down.get(origin) ?? { probe: entry, parked: new Set<Entry>() };
    this.#down.set(origin, down);
    if (sent === false) {
      return this.#jittered(probeInterval);
    }
    if (down.probe === entry) {
      down.probe = undefined;
      const [next] = down.parked;
      if (next) {
        down.parked.delete(next);
        this.#enqueue(next);
      }
    }
    return this.#jittered(silentInterval);
  }

  #reached(origin: string): void {
    const down = this.#down.get(origin);
    this.#down.delete(origin);
    for (const entry of down?.parked ?? []) {
      this.#enqueue(entry);
    }
  }

  #end(entry: Entry): void {
    const { id, origin } = entry.target;
    entry.timer?.dispose();
    if (this.#isWatched(entry)) {
      this.#entries.delete(id);
    }
    const down = this.#down.get(origin);
    if (!down?.parked.delete(entry) && down?.probe === entry) {
      this.#reached(origin);
    }
  }

  #isWatched(entry: Entry): boolean {
    return this.#entries.get(entry.target.id) === entry;
  }

  #interval(entry: Entry): number {
    return this.#jittered(Math.min(firstInterval * easing ** Math.max(entry.polls - 1, 0), maxInterval));
  }

  #backoff(attempt: number, first: number, longest: number, { retryAfter }: LimnerError): number {
    return Math.max(
      Math.min(this.#jittered(backoff(attempt, first, longest)), longest),
      clampRetryAfter(retryAfter),
    );
  }

  #jittered(milliseconds: number): number {
    return milliseconds * (1 + jitter * this.#random());
  }
}

function clampRetryAfter(milliseconds: number | undefined): number {
  return Math.min(milliseconds ?? 0, maxRetryAfter);
}
