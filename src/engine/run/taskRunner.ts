import * as english from '../../common/english.ts';
import { backoff, sleep, type Disposable } from '../../common/clock.ts';
import { nameOfUri, pathOfUri } from '../../common/fileUris.ts';
import { unlink } from '../../common/heldFiles.ts';
import { canBeFinished, hasImage, isAskedFor, isTerminal } from '../../common/taskStatus.ts';
import { isLimnerError, LimnerError, notSent } from '../../common/limnerError.ts';
import { endpointsOf } from '../../service/http/endpoints.ts';
import { databaseTrouble } from '../store/databaseErrors.ts';
import type { Lease } from '../store/lease.ts';
import {
  budgetLeft,
  type Excess,
  findExcess,
  overBudget,
  readBudget,
  spendingUnknown,
} from '../task/budget.ts';
import { Poller } from './poller.ts';
import { recoverSubmission } from './recoverSubmission.ts';
import { isOver, Run, type RunContext } from './run.ts';
import { writeAccess } from './publishResults.ts';
import { withInstruction, submitRequest } from './submitRequest.ts';
import { saveResults } from './saveResults.ts';
import { watchRemoteTask } from './watchRemoteTask.ts';
import type { Claim } from '../task/claim.ts';
import { taskOnBlack } from '../task/twoBackgrounds.ts';
import { piecesOf } from '../files/stagingStore.ts';
import { prepareFolder } from '../files/targetFolder.ts';
import type { OriginalOutput, SaveTarget, Task, TaskRequest, TaskResult } from '../task/task.ts';
import type { TaskEvent } from '../task/taskEvent.ts';
import { newTaskId } from '../task/taskId.ts';
import { problemOf } from '../store/taskRow.ts';

/** Default time that `dispose` waits for responses, in milliseconds. */
const shutdownGrace = 2500;

export interface StartOptions {
  /** A user decided to send it although it exceeds the budget. */
  isBeyondBudget?: true | undefined;
  /**
   * If another task stands for this claim, nothing is sent. Checked in the transaction; an agent's call is its own
   * claim.
   */
  claim?: Claim | undefined;
  /** Throws, in the same transaction, if something that only this process knows forbids sending. */
  check?: (() => void) | undefined;
}

/**
 * Runs tasks: from the row that holds the request, through the one request, to files. Each step starts from the row, so
 * that a task continues wherever a crash, another window, or a user left it.
 */
export class TaskRunner {
  readonly #context: RunContext;
  readonly #poller: Poller;
  readonly #runs = new Map<string, { run: Run; done: Promise<void> }>();
  readonly #subscription: Disposable;
  readonly #closing = new AbortController();
  #takesOrphans = false;
  #disposed = false;

  constructor(context: Omit<RunContext, 'closing' | 'begin'>) {
    this.#context = {
      ...context,
      closing: this.#closing.signal,
      begin: async (id, request, isOrdered) => {
        if (!context.store.get(id)) {
          await this.#begin(id, request, isOrdered);
        }
      },
    };
    const { clock, log, store } = context;
    this.#poller = new Poller({ clock, onError: (error) => log.error(`Polling failed: ${String(error)}`) });
    this.#subscription = store.onDidChange((ids) => this.#onDidChange(ids));
    store.leases.start({
      wantsOrphans: () => this.#takesOrphans,
      onOrphans: (leases) => void this.#adopt(leases),
    });
  }

  /**
   * Starts a task. Once this resolves, the task survives everything but the loss of the disk.
   *
   * @returns the task, or the one that already stands for the same call of an agent
   * @throws LimnerError `no_service` for an invalid address, `invalid_request` for values of the wrong shape and for an
   *   image that another task already stands for, `over_budget`, `save_failed` when the folder or the row can't be
   *   written; nothing is sent then
   */
  async start(request: TaskRequest, options: StartOptions = {}): Promise<Task> {
    const id = newTaskId(this.#context.clock.now());
    return this.#begin(id, request, true, options);
  }

  /**
   * Returns how requests that are sent together would exceed the budget; undefined if they don't.
   *
   * @throws LimnerError `over_budget` when the budget can't be read, or past spending is unknown
   */
  excessOf(requests: readonly TaskRequest[]): Excess | undefined {
    const { clock, settings, store } = this.#context;
    const isLimited =
      Object.keys(readBudget(settings().budget)).length > 0 ||
      requests.some(({ startedBy }) => startedBy === 'agent');
    const aside = isLimited ? store.asideStill() : undefined;
    if (aside) {
      throw spendingUnknown(aside.path, aside.version);
    }
    return findExcess(readBudget(settings().budget), requests, clock.now(), (time) =>
      store.spent.between(time),
    );
  }

  /** Returns what is left of each limit of the budget. @throws LimnerError `over_budget` when it can't be read */
  budgetLeft(): ReturnType<typeof budgetLeft> {
    const { clock, settings, store } = this.#context;
    const aside = store.asideStill();
    if (aside) {
      throw spendingUnknown(aside.path, aside.version);
    }
    return budgetLeft(readBudget(settings().budget), clock.now(), (time) => store.spent.between(time));
  }

  /** Throws if a request must not be sent; called in the transaction that sends it. */
  #check(request: TaskRequest, { isBeyondBudget, check }: StartOptions): void {
    check?.();
    const excess = isBeyondBudget ? undefined : this.excessOf([request]);
    if (excess) {
      throw overBudget(excess);
    }
  }

  /** @param options absent for a task that is part of another order, which nothing forbids */
  async #begin(id: string, request: TaskRequest, isOrdered: boolean, options?: StartOptions): Promise<Task> {
    const { clock, store } = this.#context;
    this.#assertOpen();
    const problem = problemOf(request);
    if (problem !== undefined) {
      throw new LimnerError('invalid_request', problem, notSent);
    }
    if (request.onBlack && (request.n > 1 || !request.target.folder.startsWith('file:'))) {
      const message = english.t('Two backgrounds make one image at a time, in a folder on disk.');
      throw new LimnerError('invalid_request', message, notSent);
    }
    // Programs that shorten texts may leave half a surrogate pair, which many services can't read.
    const prompt = request.prompt.toWellFormed();
    const createdAt = clock.now();
    const task: Task = {
      id,
      request: await withInstruction({ ...request, prompt }, this.#context),
      status: 'waiting',
      ...(!isOrdered && { held: true }),
      createdAt,
      origin: endpointsOf(request.baseUrl).origin,
      results: [],
    };
    await prepareFolder(request.target);
    let before: Task | undefined;
    try {
      const check = options && ((): void => this.#check(request, options));
      // An agent's call is one request, whoever sends it.
      const claim = request.agent ?? options?.claim;
      before = await store.add(task, check, claim);
    } catch (error) {
      if (isLimnerError(error)) {
        throw error;
      }
      const message = english.t("Couldn't add the task to the task list. {0}", databaseTrouble(error));
      throw new LimnerError('save_failed', message, { ...notSent, cause: error });
    }
    if (before) {
      if (!request.agent) {
        throw new LimnerError(
          'invalid_request',
          english.t('Another window makes this image already.'),
          notSent,
        );
      }
      return before;
    }
    if (isOrdered) {
      void this.#startRun({ id, fence: 1 }, { isOrdered });
    } else {
      store.releaseLease(id);
    }
    return task;
  }

  /**
   * Waits until a task has ended (completed, failed, unknown, stopped, or expired) in whichever window it runs, and
   * then for the sent task that puts its image on black, if any.
   *
   * @returns the last of them
   * @throws LimnerError `stopped` when it is removed or doesn't exist
   */
  async outcome(id: string): Promise<Task> {
    const task = await this.#end(id);
    const next = this.#context.store.get(taskOnBlack(task) ?? '');
    return !next || next.held ? task : this.outcome(next.id);
  }

  async #end(id: string): Promise<Task> {
    const { store } = this.#context;
    const { promise, resolve, reject } = Promise.withResolvers<Task>();
    const check = (): void => {
      const task = store.get(id);
      if (!task) {
        reject(new LimnerError('stopped', english.t("The task isn't in the task list.")));
      } else if (isTerminal(task.status)) {
        resolve(task);
      }
    };
    const subscription = store.onDidChange((ids) => {
      if (ids.includes(id)) {
        check();
      }
    });
    try {
      check();
      return await promise;
    } finally {
      subscription.dispose();
    }
  }

  /** Stops watching a task, wherever it runs, unless it has ended or its images are being saved. */
  async stop(id: string): Promise<void> {
    const { store, clock, log } = this.#context;
    const applied = await store.apply(id, { type: 'stop', at: clock.now() });
    if (!applied.ok) {
      log.debug(`Task ${id} is not stopped: ${applied.refusal}`);
    }
  }

  /** Stops a task as `stop` does, also while it waits for its images: those can be fetched later. */
  async giveUp(id: string): Promise<void> {
    await this.stop(id);
    await this.#context.store.apply(id, { type: 'giveUp', at: this.#context.clock.now() });
  }

  /** Cancels an unsent task, wherever it waits. @returns whether it was canceled; a sent task continues */
  async cancel(id: string): Promise<boolean> {
    const { store, clock } = this.#context;
    return (await store.apply(id, { type: 'cancel', at: clock.now() })).ok;
  }

  /** Makes the next try of a waiting task at once, wherever it runs. */
  async tryNow(id: string): Promise<void> {
    const { store, clock, log } = this.#context;
    const applied = await store.apply(id, { type: 'tryNow', at: clock.now() });
    if (!applied.ok) {
      log.debug(`Task ${id} is not tried now: ${applied.refusal}`);
    }
  }

  /**
   * Watches a stopped task again, or retries one that waits for a key.
   *
   * @throws LimnerError `stopped` when the service gave no ID to query
   */
  async resume(id: string): Promise<Task> {
    return this.#applyAndRun(id, { type: 'resume' });
  }

  /**
   * Sends a task that was still unsent when its window closed.
   *
   * @throws LimnerError `stopped` when it no longer waits, `over_budget`
   */
  async sendNow(id: string, options: StartOptions = {}): Promise<Task> {
    const { clock } = this.#context;
    return this.#applyAndRun(id, { type: 'release', at: clock.now() }, true, ({ request }) =>
      this.#check(request, options),
    );
  }

  /**
   * Saves unsaved images from their bytes on disk or their URLs, without paying again.
   *
   * @param target another destination
   * @param isSelected which images; the default is all
   * @throws LimnerError `stopped` when no image can be saved
   */
  async saveAgain(
    id: string,
    target?: SaveTarget,
    isSelected: (result: TaskResult) => boolean = () => true,
  ): Promise<Task> {
    const indexes = this.#taskOrThrow(id)
      .results.filter(isSelected)
      .map(({ index }) => index);
    return this.#applyAndRun(id, { type: 'saveAgain', indexes, ...(target && { target }) });
  }

  /**
   * Finishes images again that were saved as received because finishing failed. The finished files are saved beside
   * them.
   *
   * @throws LimnerError `unsupported_image` when a file was moved, changed, or deleted, `stopped` when there is none
   */
  async finishAgain(id: string): Promise<Task> {
    const { keptFiles, staging } = this.#context;
    const task = this.#taskOrThrow(id);
    const copies: { index: number; stagedPath: string }[] = [];
    for (const result of task.results.filter((one) => canBeFinished(task, one))) {
      const { index, uri = '', sha256 = '' } = result;
      const path = await keptFiles.whereabouts({ path: pathOfUri(uri), sha256 });
      if (path === undefined) {
        const message = english.t('"{0}" was moved, changed, or deleted.', nameOfUri(uri));
        throw new LimnerError('unsupported_image', message, { phase: 'save', billing: 'yes' });
      }
      const copy = staging.copySink(id, index);
      for await (const piece of piecesOf(path)) {
        await copy.write(piece);
      }
      await copy.close();
      copies.push({ index, stagedPath: copy.file?.stagedPath ?? '' });
    }
    return this.#applyAndRun(id, { type: 'finishAgain', copies });
  }

  /**
   * Stars an image or removes its star. Tasks with a star are never trimmed from the history.
   *
   * @throws LimnerError `stopped` when the image doesn't exist
   */
  async star(id: string, index: number, starred: boolean): Promise<Task> {
    const applied = await this.#context.store.apply(id, { type: 'starred', index, starred });
    if (!applied.ok) {
      throw new LimnerError('stopped', applied.refusal);
    }
    return applied.task;
  }

  /**
   * Keeps the bytes that an image is about to be made anew from, like the outputs of the service from which others were
   * made.
   */
  async keepOutput(id: string, index: number, bytes: Uint8Array): Promise<OriginalOutput> {
    const { staging, originalOutputs } = this.#context;
    const copy = staging.copySink(id, index);
    await copy.write(bytes);
    await copy.close();
    const { file } = copy;
    if (file?.mediaType === undefined) {
      await copy.discard();
      throw new LimnerError('unsupported_image', english.t('The image is not a PNG, JPEG, or WebP file.'));
    }
    const kept = await originalOutputs.keep(
      id,
      { ...file, index, state: 'staged', mediaType: file.mediaType },
      0,
    );
    await unlink(file.stagedPath).catch(() => {});
    return kept;
  }

  /**
   * Records that the file of an image is about to be deleted (a copy is kept), is a file again, or replaced its
   * original.
   *
   * @returns whether it was recorded; false if the task is gone or the file is discarded already
   */
  async recordFile(
    id: string,
    event: Extract<
      TaskEvent,
      { type: 'discarded' | 'recovered' | 'originalReplaced' | 'remade' | 'delivered' }
    >,
  ): Promise<boolean> {
    return (await this.#context.store.apply(id, event)).ok;
  }

  /**
   * Takes over the tasks of earlier windows: polling and saving continue, unsent tasks wait for the user, and requests
   * without a known outcome become `unknown`. From then on, this window also takes over from others that die.
   */
  async resumeUnfinished(): Promise<void> {
    const { store, staging, originalOutputs, keptFiles } = this.#context;
    this.#takesOrphans = true;
    await this.#adopt(await store.leases.claimOrphans());
    await staging.sweep((id) => {
      const task = store.get(id);
      return task ? !isTerminal(task.status) || staging.isNeededBy(task) : store.mayKnow(id);
    });
    await originalOutputs.sweep((id) => store.mayKnow(id));
    await originalOutputs.sweepOld((id) => {
      const task = store.get(id);
      return !task || !isTerminal(task.status) || task.results.some(hasImage);
    });
    await this.emptyInbox();
    await this.#trimHistory();
    await keptFiles.sweep();
  }

  /** Moves images from the inbox to their folders, if this window can reach those now. */
  async emptyInbox(isMeant: (id: string) => boolean = () => true): Promise<void> {
    for (const task of this.#context.store.unsaved()) {
      if (isMeant(task.id)) {
        await this.#publishFromInbox(task);
      }
    }
  }

  /**
   * Stops working on tasks, which continue with the next engine or in another window.
   *
   * @param grace how long to wait for responses that say where the images will be, in milliseconds
   */
  async dispose(grace = shutdownGrace): Promise<void> {
    this.#disposed = true;
    this.#takesOrphans = false;
    this.#subscription.dispose();
    this.#poller.dispose();
    const runs = [...this.#runs.values()];
    for (const { run } of runs) {
      run.leave(english.t('Limner is shutting down.'));
    }
    const calls = Promise.all(runs.map(({ done }) => done));
    const graceTimer = new AbortController();
    await Promise.race([calls, sleep(this.#context.clock, grace, graceTimer.signal).catch(() => {})]);
    graceTimer.abort();
    this.#closing.abort(new LimnerError('stopped', english.t('Limner is shutting down.')));
    for (const { run } of runs) {
      run.end(english.t('Limner is shutting down.'));
    }
    await calls;
  }

  async #applyAndRun(
    id: string,
    event: TaskEvent,
    isOrdered = false,
    check?: (before: Task) => void,
  ): Promise<Task> {
    this.#assertOpen();
    const applied = await this.#context.store.apply(id, event, { take: true }, check);
    if (!applied.ok) {
      throw new LimnerError('stopped', applied.refusal);
    }
    void this.#startRun({ id, fence: applied.fence }, { isOrdered });
    return applied.task;
  }

  async #publishFromInbox({ id, status, results, request }: Task): Promise<void> {
    const waits = status === 'completed' && results.some(({ state }) => state === 'staged');
    if (waits && (await writeAccess(request.target, this.#context)) !== undefined) {
      await this.saveAgain(id, undefined, isAskedFor).catch((error: unknown) =>
        this.#context.log.debug(String(error)),
      );
    }
  }

  #taskOrThrow(id: string): Task {
    const task = this.#context.store.get(id);
    if (!task) {
      throw new LimnerError('stopped', english.t("The task isn't in the task list."));
    }
    return task;
  }

  #assertOpen(): void {
    if (this.#disposed) {
      throw new LimnerError('stopped', english.t('Limner has shut down.'));
    }
  }

  /** Takes over tasks of windows that are gone; resolves when each is decided. */
  async #adopt(leases: readonly Lease[]): Promise<void> {
    const decided = leases.map((lease) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const first = async (run: Run): Promise<void> => recoverSubmission(run).finally(resolve);
      const done = this.#startRun(lease, { first });
      return Promise.race([promise, done]);
    });
    await Promise.all(decided);
  }

  /** @returns a promise that settles when this window is done with the task */
  #startRun(
    lease: Lease,
    { first, isOrdered = false }: { first?: (run: Run) => Promise<void>; isOrdered?: boolean },
  ): Promise<void> {
    if (this.#disposed) {
      // The next engine takes it over.
      return Promise.resolve();
    }
    const before = this.#runs.get(lease.id);
    before?.run.end(english.t('The task was restarted.'));
    const run = new Run(this.#context, lease, isOrdered);
    const done = this.#runToEnd(run, before?.done, first);
    this.#runs.set(lease.id, { run, done });
    return done;
  }

  /**
   * Takes a task from step to step until it ends or this window is done with it. Each step follows from the row at that
   * moment; a step that fails unexpectedly is repeated.
   *
   * @param first runs before the first step of a task that was taken over
   */
  async #runToEnd(
    run: Run,
    before: Promise<void> | undefined,
    first: ((run: Run) => Promise<void>) | undefined,
  ): Promise<void> {
    const { clock, log, store } = this.#context;
    await before;
    let next = first;
    for (let failures = 0; !run.ended.aborted;) {
      try {
        await next?.(run);
        next = undefined;
        const task = run.task();
        if (!task || isOver(task)) {
          break;
        }
        switch (task.status) {
          case 'waiting':
            await submitRequest(run, task);
            break;
          case 'submitting':
            await recoverSubmission(run);
            break;
          case 'queued':
          case 'in_progress':
          case 'needs_key':
            await (task.remoteId === undefined
              ? recoverSubmission(run)
              : watchRemoteTask(run, task, task.remoteId, this.#poller));
            break;
          case 'saving':
            await saveResults(run);
            break;
          default:
        }
        if (!run.ended.aborted && JSON.stringify(run.task()) === JSON.stringify(task)) {
          throw new Error(`It does not get beyond "${task.status}".`);
        }
        failures = 0;
      } catch (error) {
        if (!run.ended.aborted) {
          log.error(`Task ${run.id}: ${String(error)}`);
          await sleep(clock, backoff(failures++), run.ended).catch(() => {});
        }
      }
    }
    if (this.#runs.get(run.id)?.run === run) {
      this.#runs.delete(run.id);
      store.releaseLease(run.id);
    }
    if (!this.#disposed) {
      await this.#trimHistory();
    }
  }

  async #trimHistory(): Promise<void> {
    const { clock, log, settings, store } = this.#context;
    const { historyLimit, historyAge } = settings();
    await store
      .trimHistory({ limit: historyLimit, age: historyAge, now: clock.now() })
      .catch((error: unknown) => log.warn(`Couldn't trim the task list: ${String(error)}`));
  }

  async #forgetRemoved(ids: readonly string[]): Promise<void> {
    const { originalOutputs, log, store } = this.#context;
    try {
      await Promise.all(ids.filter((id) => !store.mayKnow(id)).map(async (id) => originalOutputs.remove(id)));
    } catch (error) {
      // The next sweep removes them.
      log.debug(String(error));
    }
  }

  #onDidChange(ids: readonly string[]): void {
    const { store } = this.#context;
    if (this.#takesOrphans && !this.#disposed) {
      // Another window may have had to keep the task's images in the inbox.
      this.emptyInbox((id) => ids.includes(id) && !this.#runs.has(id)).catch((error: unknown) =>
        this.#context.log.debug(String(error)),
      );
    }
    void this.#forgetRemoved(ids);
    for (const id of ids) {
      const run = this.#runs.get(id)?.run;
      if (!run) {
        continue;
      }
      const task = store.get(id);
      run.changed(task);
      // An open request is always awaited: its response is about a paid image.
      if (!run.calling && (!task || isOver(task) || store.fence(id) > run.fence)) {
        run.end(english.t('The task has ended here.'));
      }
    }
  }
}
