import * as english from '../../common/english.ts';
import type { CompositeOutcome, MaskedEdit } from '../../images/codecs/masks.ts';
import type { Codecs } from '../../images/finish/codecs.ts';
import type { ResultDownloader } from '../../service/http/download.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { backoff, sleep, type Clock, type Disposable } from '../../common/clock.ts';
import { isLive } from '../../common/taskStatus.ts';
import { databaseTrouble } from '../store/databaseErrors.ts';
import type { ImageService } from '../../service/wire/imageService.ts';
import type { KeptFiles } from '../files/keptFiles.ts';
import type { OriginalOutputs } from '../files/originalOutputs.ts';
import type { StagingStore } from '../files/stagingStore.ts';
import type { Lease } from '../store/lease.ts';
import type { Log } from '../../common/log.ts';
import type { EngineSettings, Publisher } from '../task/ports.ts';
import type { KeyRing } from '../task/keyRing.ts';
import type { Semaphore } from '../../common/semaphore.ts';
import type { ArrivedImage, SaveTarget, Task, TaskRequest, TaskResult } from '../task/task.ts';
import type { Refusal } from './hostRefusals.ts';
import { ResendPolicy } from './resendPolicy.ts';
import type { TaskEvent } from '../task/taskEvent.ts';
import type { TaskStore } from '../store/taskStore.ts';

export interface RunContext {
  store: TaskStore;
  staging: StagingStore;
  /** Folder on disk for images whose own folder can't be reached. */
  inbox: string;
  originalOutputs: OriginalOutputs;
  keptFiles: Pick<KeptFiles, 'sweep' | 'whereabouts'>;
  clock: Clock;
  log: Log;
  keys: KeyRing;
  requests: Semaphore;
  downloads: Semaphore;
  /** Limits simultaneous work on images that may crash this process. */
  codecs: Semaphore;
  isUnattended: boolean;
  /** Aborted when the engine closes, to give up rows that can't be written. */
  closing: AbortSignal;
  /** Opens the service at a base URL with a key. */
  connect: (baseUrl: string, apiKey: string) => Pick<ImageService, 'submit' | 'query'>;
  downloader: Pick<ResultDownloader, 'download'>;
  compositeMasked: (edit: MaskedEdit) => Promise<CompositeOutcome>;
  finish: Codecs['finish'];
  /** Returns the damage of the image at a path, if any. */
  findFlaw: (path: string) => Promise<string | undefined>;
  fileColors: Codecs['fileColors'];
  backgroundOf: Codecs['backgroundOf'];
  settings: () => EngineSettings;
  publisher: (target: SaveTarget) => Promise<Publisher | undefined>;
  /**
   * Adds a task that follows from another one, unless it exists. Runs it if a user just ordered it; otherwise it waits
   * for the user.
   *
   * @throws LimnerError as `start`
   */
  begin: (id: string, request: TaskRequest, isOrdered: boolean) => Promise<void>;
}

/** How long an unattended client tolerates an error that only a user can resolve, in milliseconds. */
const lastingBorne = 5000;

/** First and longest pause before another try to write a row, in milliseconds. */
const firstRetry = 250;
const maxRetryDelay = 5000;

/** After this many processes have died while working on an image, nothing more is made of it. */
const mostAttempts = 2;
const tooManyAttempts = english.t(
  'Limner was ended twice while it worked on the image, most likely for lack of memory.',
);

export class Run {
  readonly id: string;
  readonly context: RunContext;
  /** Whether a user sent the task from here. Otherwise it was taken over, or only its images are to be saved. */
  readonly isOrdered: boolean;
  /** Set when the service has just accepted the task, with the wait that it asked for in milliseconds. */
  justSent: { retryAfter: number } | undefined;
  readonly #ended = new AbortController();
  #fence: number;
  #calling = false;
  #leaving: string | undefined;
  readonly resends = new ResendPolicy();
  /**
   * The latest bytes of downloads that seem incomplete, damaged, or not an image, by index: how often they were the
   * same, and since when there are any.
   */
  readonly suspectDownloads = new Map<number, { sha256: string; times: number; since: number }>();
  /** Hosts that refuse an image, by the image's index. */
  readonly refusals = new Map<number, Refusal>();
  /** Damage of the images that have arrived, by hash, so that each is checked once. */
  readonly flaws = new Map<string, Promise<string | undefined>>();
  readonly #listeners = new Set<(task: Task | undefined) => void>();

  constructor(context: RunContext, lease: Lease, isOrdered: boolean) {
    this.context = context;
    this.isOrdered = isOrdered;
    this.id = lease.id;
    this.#fence = lease.fence;
  }

  /** Aborted when this window is done with the task: it ended, or another window has it. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get fence(): number {
    return this.#fence;
  }

  /**
   * Whether the one request of the task is open. Its response is awaited even if other windows consider the task lost.
   */
  get calling(): boolean {
    return this.#calling;
  }

  beginCall(): void {
    this.#calling = true;
  }

  finishCall(): void {
    this.#calling = false;
    if (this.#leaving !== undefined) {
      this.end(this.#leaving);
    }
  }

  /** Ends the run as soon as its request is answered. */
  leave(reason: string): void {
    if (this.#calling) {
      this.#leaving = reason;
    } else {
      this.end(reason);
    }
  }

  end(reason: string): void {
    this.#ended.abort(new LimnerError('stopped', reason));
  }

  task(): Task | undefined {
    return this.context.store.get(this.id);
  }

  /** Reports every change of the row; undefined once it is removed. */
  onDidChange(listener: (task: Task | undefined) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  changed(task: Task | undefined): void {
    for (const listener of this.#listeners) {
      listener(task);
    }
  }

  /**
   * Whether an error ends the task in an unattended client, where no user can resolve it.
   *
   * @param passed how long the error has lasted, in milliseconds
   */
  isHopeless({ lasting }: { lasting?: true | undefined }, passed: number): boolean {
    return lasting === true && this.context.isUnattended && passed >= lastingBorne;
  }

  /** Whether another try is due, possibly because a user wants it now. */
  isDue(task: Task | undefined): boolean {
    return task?.retryAt !== undefined && task.retryAt <= this.context.clock.now();
  }

  /** Waits for the next try, which a user may bring forward or give up from any window. */
  async pause(delay: number): Promise<void> {
    const forward = new AbortController();
    const check = (task: Task | undefined): void => {
      if (task?.retryAt === undefined || this.isDue(task)) {
        forward.abort();
      }
    };
    const subscription = this.onDidChange(check);
    try {
      check(this.task());
      await sleep(this.context.clock, delay, AbortSignal.any([this.#ended.signal, forward.signal]));
    } catch (error) {
      if (this.#ended.signal.aborted) {
        throw error;
      }
    } finally {
      subscription.dispose();
    }
  }

  /**
   * Does work on an image that may take too much memory: one piece of work at a time, counted in the row before it
   * begins. A process that ends normally or hands over the task takes its attempt back.
   *
   * @throws LimnerError `unsupported_image` instead, once two processes have died; the reason of `ended`, as soon as
   *   that is aborted; whatever the work throws
   */
  async counted<T>(index: number, work: () => Promise<T>): Promise<T> {
    const { ended } = this;
    const release = await this.context.codecs.acquire(ended);
    try {
      const before = this.task()?.results.find((result) => result.index === index)?.attempts ?? 0;
      if (before >= mostAttempts) {
        throw new LimnerError('unsupported_image', tooManyAttempts, { phase: 'save', billing: 'yes' });
      }
      await this.record({ type: 'attempt', index, attempts: before + 1 });
      ended.throwIfAborted();
      const { promise, reject } = Promise.withResolvers<never>();
      const leave = (): void => reject(ended.reason);
      ended.addEventListener('abort', leave);
      try {
        return await Promise.race([work(), promise]);
      } finally {
        ended.removeEventListener('abort', leave);
        await this.record({ type: 'attempt', index, attempts: ended.aborted ? before : 0 });
      }
    } finally {
      release();
    }
  }

  /**
   * Applies an event to the task while this window holds its lease, however long it takes until the row can be written.
   *
   * @returns the changed task; undefined if the event was refused, the task removed, or the lease lost
   */
  async record(event: TaskEvent): Promise<Task | undefined> {
    const applied = await this.#applyWithRetry(event, { fence: this.#fence });
    if (applied?.ok) {
      return applied.task;
    }
    if (applied && applied.reason !== 'refused') {
      this.end(applied.refusal);
    }
    return undefined;
  }

  /**
   * Like `record`, for the outcome of the one request. It applies even if another window gave up the task, and this
   * window then takes the task back.
   */
  async recordAnswer(event: TaskEvent): Promise<Task | undefined> {
    const applied = await this.#applyWithRetry(event, { take: true });
    if (!applied?.ok) {
      return undefined;
    }
    this.#fence = applied.fence;
    return applied.task;
  }

  async #applyWithRetry(
    event: TaskEvent,
    claim: Parameters<TaskStore['apply']>[2],
  ): Promise<Awaited<ReturnType<TaskStore['apply']>> | undefined> {
    const { store, clock, log, closing } = this.context;
    for (let attempts = 0; store.isOpen; attempts++) {
      try {
        const applied = await store.apply(this.id, event, claim);
        if (!applied.ok) {
          log.debug(`Task ${this.id}, "${event.type}": ${applied.refusal}`);
        }
        return applied;
      } catch (error) {
        log.warn(`Couldn't write task ${this.id}; retrying. ${databaseTrouble(error)}`);
      }
      if (closing.aborted) {
        break;
      }
      await sleep(clock, backoff(attempts, firstRetry, maxRetryDelay), closing).catch(() => {});
    }
    return undefined;
  }
}

/** Keeps a response without an image beside its task; returns its path, unless it can't be written. */
export async function keepResponse({ id, context }: Run, bytes: Buffer): Promise<string | undefined> {
  try {
    return await context.originalOutputs.keepResponse(id, bytes);
  } catch (error) {
    context.log.warn(`Task ${id}: couldn't keep the response. ${String(error)}`);
    return undefined;
  }
}

export function isOver(task: Task | undefined): boolean {
  return !task || !isLive(task);
}

/** Logs that a key is refused, with the service's own code. */
export function warnOfRefusal({ id, context }: Run, { code, status, service }: LimnerError): void {
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  context.log.warn(`Task ${id}: ${service?.code ?? code}${http}`);
}

/** A step between an image's arrival and its publication, recorded in its row. */
export interface Step {
  name: 'composed' | 'finished';
  /** Whether the step is requested and not yet done or found impossible. */
  isDue: (task: Task, result: TaskResult) => boolean;
  /**
   * Returns the new bytes, if any, and the facts for the row; undefined if nothing changes. It throws errors of the
   * disk only.
   */
  make: (
    run: Run,
    task: Task,
    image: ArrivedImage,
  ) => Promise<{ bytes?: Uint8Array; facts: Partial<TaskResult> } | undefined>;
}
