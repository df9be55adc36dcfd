import type { CompositeOutcome, MaskedEdit } from '../../images/codecs/compositeMasked.ts';
import type { Codecs } from '../../images/codecs/codecs.ts';
import type { ResultDownloader } from '../../service/results/download.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { backoff } from '../../common/backoff.ts';
import { isLive } from '../../common/taskStatus.ts';
import { sleep, type Clock, type Disposable } from '../../common/clock.ts';
import { databaseTrouble } from '../store/databaseErrors.ts';
import type { ImageService } from '../../service/imageService.ts';
import type { KeptFiles } from '../files/keptFiles.ts';
import type { OriginalOutputs } from '../files/originalOutputs.ts';
import type { StagingStore } from '../files/stagingStore.ts';
import type { Lease } from '../store/lease.ts';
import type { Log } from '../../common/log.ts';
import type { EngineSettings, Publisher } from '../ports.ts';
import type { KeyRing } from '../keyRing.ts';
import type { Semaphore } from '../../common/semaphore.ts';
import type { ArrivedImage, SaveTarget, Task, TaskRequest, TaskResult } from '../task.ts';
import type { Refusal } from './hostRefusals.ts';
import { ResendPolicy } from './resendPolicy.ts';
import type { TaskEvent } from '../taskEvent.ts';
import type { TaskStore } from '../store/taskStore.ts';

/** The means by which each step of a task works. */
export interface RunContext {
  store: TaskStore;
  staging: StagingStore;
  /** Folder on disk for images whose own folder cannot be reached. */
  inbox: string;
  originalOutputs: OriginalOutputs;
  keptFiles: Pick<KeptFiles, 'sweep' | 'whereabouts'>;
  clock: Clock;
  log: Log;
  keys: KeyRing;
  requests: Semaphore;
  /** Downloads that may be open at once. */
  downloads: Semaphore;
  /** Images that are worked on at once in a way that may end this process. */
  codecs: Semaphore;
  /** As in `EngineOptions`. */
  isUnattended: boolean;
  /** Aborted when rows that cannot be written are given up, because the engine closes. */
  closing: AbortSignal;
  /** Opens the service at a base URL with a key. */
  connect: (baseUrl: string, apiKey: string) => Pick<ImageService, 'submit' | 'query'>;
  downloader: Pick<ResultDownloader, 'download'>;
  compositeMasked: (edit: MaskedEdit) => Promise<CompositeOutcome>;
  finish: Codecs['finish'];
  /** Returns what is wrong with the image at a path. */
  findFlaw: (path: string) => Promise<string | undefined>;
  fileColours: Codecs['fileColours'];
  backgroundOf: Codecs['backgroundOf'];
  settings: () => EngineSettings;
  publisher: (target: SaveTarget) => Promise<Publisher | undefined>;
  /**
   * Adds a task that follows from another one, unless it is there, and runs it if a person ordered it just now;
   * otherwise it waits for one.
   * @throws LimnerError as `start`
   */
  begin: (id: string, request: TaskRequest, isOrdered: boolean) => Promise<void>;
}

/** How long what lets nothing through until a person changes it is borne where nobody sits by, in milliseconds. */
const lastingBorne = 5000;

/** Pauses before a row that couldn't be written is tried again, in milliseconds: first and at most. */
const firstRetry = 250;
const maxRetryDelay = 5000;

/** After so many processes have died over an image, nothing more is made of it. */
const mostAttempts = 2;
const tooManyAttempts =
  'Limner was ended twice while it worked on the image, most likely for lack of memory.';

/** One running task, in the window that holds its lease. */
export class Run {
  readonly id: string;
  readonly context: RunContext;
  /** Whether a person had it sent from here: otherwise it was taken over, or only its images are to be saved. */
  readonly isOrdered: boolean;
  /** Set when the service accepted the task just now, with the wait it asked for in milliseconds. */
  justSent: { retryAfter: number } | undefined;
  readonly #ended = new AbortController();
  #fence: number;
  #calling = false;
  #leaving: string | undefined;
  readonly resends = new ResendPolicy();
  /** The last bytes of images that seem cut or damaged, or aren't images, by index, how often they were the same, and since when there are such. */
  readonly suspectDownloads = new Map<number, { sha256: string; times: number; since: number }>();
  /** Hosts of images, by index, that give something else in their place. */
  readonly refusals = new Map<number, Refusal>();
  /** What is wrong with images that have arrived, by their hash; they are looked at once. */
  readonly flaws = new Map<string, Promise<string | undefined>>();
  readonly #listeners = new Set<(task: Task | undefined) => void>();

  constructor(context: RunContext, lease: Lease, isOrdered: boolean) {
    this.context = context;
    this.isOrdered = isOrdered;
    this.id = lease.id;
    this.#fence = lease.fence;
  }

  /** Aborted when this window has nothing more to do with the task: it ended, or another window has it. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get fence(): number {
    return this.#fence;
  }

  /** Whether the one request of the task is open: its answer is waited for whatever other windows think. */
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

  /** Ends the run, as soon as its request is answered. */
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

  /** Reports every change of the row; undefined once it was removed. */
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
   * Whether an error ends the task here, where nobody sits by who could do something about it.
   *
   * @param passed how long it has lasted, in milliseconds
   */
  isHopeless({ lasting }: { lasting?: true | undefined }, passed: number): boolean {
    return lasting === true && this.context.isUnattended && passed >= lastingBorne;
  }

  /** Whether another try of the task is due, perhaps because a person wants it now. */
  isDue(task: Task | undefined): boolean {
    return task?.retryAt !== undefined && task.retryAt <= this.context.clock.now();
  }

  /** Waits for the next try, which a person may bring forward from any window. */
  async pause(delay: number): Promise<void> {
    const forward = new AbortController();
    const check = (task: Task | undefined): void => {
      if (this.isDue(task)) {
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
   * Does work on an image that may take more memory than there is: one at a time, and counted in the row before it
   * begins. A process that ends in order, or leaves the task to another one, takes its attempt back.
   *
   * @throws LimnerError `unsupported_image` instead, once two processes didn't survive it; the reason of `ended`, as soon
   *   as that is aborted; what the work throws
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
   * @returns the task after it; undefined when it did not happen: refused, removed, or the lease is lost
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
   * Like `record`, for what the service said about the one request that was sent: it applies even if another window
   * gave the task up, and this window then takes the task back.
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

/** Says in the log that a key is not taken, with the service's own code. */
export function warnOfRefusal({ id, context }: Run, { code, status, service }: LimnerError): void {
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  context.log.warn(`Task ${id}: ${service?.code ?? code}${http}`);
}

/** Something that is made of an image between its arrival and its publication, as its row says. */
export interface Step {
  name: 'composed' | 'finished';
  /** Whether it is asked for, and neither done nor known to be impossible. */
  isDue: (task: Task, result: TaskResult) => boolean;
  /**
   * Returns the new bytes, if there are any, and what the row says of it; undefined if there is nothing to say. What it
   * throws is a fault of the disk.
   */
  make: (
    run: Run,
    task: Task,
    image: ArrivedImage,
  ) => Promise<{ bytes?: Uint8Array; facts: Partial<TaskResult> } | undefined>;
}
