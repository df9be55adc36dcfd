// Room: what a task does next.
// Never: SQL.

import { backoff } from '../../common/backoff.ts';
import { nameOfUri, pathOfUri } from '../../common/disk/fileUris.ts';
import { canBeFinished, hasImage, isAskedFor } from '../../common/resultAvailability.ts';
import { isLimnerError, LimnerError, notSent } from '../../common/limnerError.ts';
import { endpointsOf } from '../../service/endpoints.ts';
import { sleep, type Disposable } from '../../common/clock.ts';
import { databaseTrouble } from '../store/databaseErrors.ts';
import type { Lease } from '../store/lease.ts';
import { type Excess, findExcess, overBudget, readBudget, spendingUnknown } from '../spending/budget.ts';
import { Poller } from './poller.ts';
import { recoverSubmission } from './recoverSubmission.ts';
import { isOver, Run, type RunContext } from './run.ts';
import { wayTo } from './publishResults.ts';
import { withInstruction } from './withInstruction.ts';
import { saveResults } from './saveResults.ts';
import { submitRequest } from './submitRequest.ts';
import { watchRemoteTask } from './watchRemoteTask.ts';
import type { Claim } from '../claim.ts';
import { taskOnBlack } from '../files/onTwoGrounds.ts';
import { piecesOf } from '../files/stagingStore.ts';
import { prepareFolder } from '../files/targetFolder.ts';
import type { SaveTarget, Task, TaskRequest, TaskResult } from '../task.ts';
import type { TaskEvent } from '../taskEvent.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import { newTaskId } from '../taskId.ts';
import { problemOf } from '../store/taskRow.ts';

/** How long `dispose` waits for responses unless it is told, in milliseconds. */
const shutdownGrace = 2500;

/** How a task is sent. */
export interface StartOptions {
  /** A person decided to, although the budget is exceeded. */
  isBeyondBudget?: true | undefined;
  /** If another task stands for this, nothing is sent. Decided in the transaction; a call of an agent is its own claim. */
  claim?: Claim | undefined;
  /** Throws, in the same transaction, if something that only this process knows forbids sending. */
  check?: (() => void) | undefined;
}

/**
 * Runs tasks: from the row that says what is wanted, through the one request, to files. Each step is read from the row,
 * so that a task continues from wherever a crash, another window or a person left it.
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
   * Starts a task; once this resolves it survives everything but the loss of the disk.
   *
   * @returns the task, or the one that stands for the same call of an agent already
   * @throws LimnerError `no_service` for an invalid address, `invalid_request` for values of the wrong shape and for an
   * image that another task stands for already, `over_budget`, `save_failed` when the folder or the row cannot be written;
   * nothing is sent then
   */
  async start(request: TaskRequest, options: StartOptions = {}): Promise<Task> {
    const id = newTaskId(this.#context.clock.now());
    return this.#begin(id, request, true, options);
  }

  /**
   * Returns by what requests that would be sent together exceed the budget; undefined if they don't.
   *
   * @throws LimnerError `over_budget` when the budget can't be read, or what was spent isn't known
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

  /** Throws if a request is not to be sent; to be called in the transaction that has it sent. */
  #check(request: TaskRequest, { isBeyondBudget, check }: StartOptions): void {
    check?.();
    const excess = isBeyondBudget ? undefined : this.excessOf([request]);
    if (excess) {
      throw overBudget(excess);
    }
  }

  /** @param options none for a task that is a part of another one's order: nothing forbids it */
  async #begin(id: string, request: TaskRequest, isOrdered: boolean, options?: StartOptions): Promise<Task> {
    const { clock, store } = this.#context;
    this.#assertOpen();
    const problem = problemOf(request);
    if (problem !== undefined) {
      throw new LimnerError('invalid_request', problem, notSent);
    }
    if (request.onBlack && (request.n > 1 || !request.target.folder.startsWith('file:'))) {
      const message = 'Two backgrounds make one image at a time, in a folder on disk.';
      throw new LimnerError('invalid_request', message, notSent);
    }
    // Programs cut texts by their length, which may leave half a surrogate pair that many services cannot read.
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
      // An agent's call is one request, whoever has it sent.
      const claim = request.agent ?? options?.claim;
      before = await store.add(task, check, claim);
    } catch (error) {
      if (isLimnerError(error)) {
        throw error;
      }
      const message = `Couldn't add the task to the task list. ${databaseTrouble(error)}`;
      throw new LimnerError('save_failed', message, { ...notSent, cause: error });
    }
    if (before) {
      if (!request.agent) {
        throw new LimnerError('invalid_request', 'Another window makes this image already.', notSent);
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
   * Waits until a task has ended: completed, failed, unknown, stopped or expired, in whichever window it runs; then for
   * the one that puts its image on black, if there is one that was sent.
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
        reject(new LimnerError('stopped', "The task isn't in the task list."));
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

  /** Stops watching a task, wherever it runs, unless it has ended. */
  async stop(id: string): Promise<void> {
    const { store, clock, log } = this.#context;
    const applied = await store.apply(id, { type: 'stop', at: clock.now() });
    if (!applied.ok) {
      log.debug(`Task ${id} is not stopped: ${applied.refusal}`);
    }
  }

  /**
   * Stops a task that is not sent yet, wherever it waits.
   *
   * @returns whether it was not; one that is sent goes on
   */
  async cancel(id: string): Promise<boolean> {
    const { store, clock } = this.#context;
    return (await store.apply(id, { type: 'cancel', at: clock.now() })).ok;
  }

  /** Makes the next try of a task that waits for one, wherever it runs, at once. */
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
   * @throws LimnerError `stopped` when the service gave no id to ask for
   */
  async resume(id: string): Promise<Task> {
    return this.#applyAndRun(id, { type: 'resume' });
  }

  /**
   * Sends a task that was not sent before its window was closed.
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
   * Saves the images that aren't saved, from the bytes that are here or from their URLs, without paying again.
   *
   * @param target where else they should go
   * @param isSelected which of them; all unless it is given
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
   * Finishes images once more that were saved as received because that failed. Their files stay; the finished ones come
   * beside them.
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
        const message = `"${nameOfUri(uri)}" was moved, changed, or deleted.`;
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
   * Stars an image or removes its star; a task with one is never trimmed from the history.
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
   * Records what became of the file of an image: a copy of it is kept while it is deleted, it is a file again, or it
   * replaced its original.
   *
   * @returns whether that is so: not when its task is gone, or its file is discarded already
   */
  async recordFile(
    id: string,
    event: Extract<TaskEvent, { type: 'discarded' | 'recovered' | 'originalReplaced' }>,
  ): Promise<boolean> {
    return (await this.#context.store.apply(id, event)).ok;
  }

  /**
   * Takes over what earlier windows left: polling and saving continue, what was not sent waits for a person, what can't
   * be known becomes `unknown`. From then on this window also takes over from others that die.
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

  /** Moves images from the inbox to their folders, as far as this window can reach those now. */
  async emptyInbox(isMeant: (id: string) => boolean = () => true): Promise<void> {
    for (const task of this.#context.store.unsaved()) {
      if (isMeant(task.id)) {
        await this.#publishFromInbox(task);
      }
    }
  }

  /**
   * Stops working on tasks; they continue with the next engine, or in another window.
   *
   * @param grace how long responses are waited for that say where the images will be, in milliseconds
   */
  async dispose(grace = shutdownGrace): Promise<void> {
    this.#disposed = true;
    this.#takesOrphans = false;
    this.#subscription.dispose();
    this.#poller.dispose();
    const runs = [...this.#runs.values()];
    for (const { run } of runs) {
      run.leave('Limner is shutting down.');
    }
    const calls = Promise.all(runs.map(({ done }) => done));
    const graceTimer = new AbortController();
    await Promise.race([calls, sleep(this.#context.clock, grace, graceTimer.signal).catch(() => {})]);
    graceTimer.abort();
    this.#closing.abort(new LimnerError('stopped', 'Limner is shutting down.'));
    for (const { run } of runs) {
      run.end('Limner is shutting down.');
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
    if (waits && (await wayTo(request.target, this.#context)) !== undefined) {
      await this.saveAgain(id, undefined, isAskedFor).catch((error: unknown) =>
        this.#context.log.debug(String(error)),
      );
    }
  }

  #taskOrThrow(id: string): Task {
    const task = this.#context.store.get(id);
    if (!task) {
      throw new LimnerError('stopped', "The task isn't in the task list.");
    }
    return task;
  }

  #assertOpen(): void {
    if (this.#disposed) {
      throw new LimnerError('stopped', 'Limner has shut down.');
    }
  }

  /** Takes over tasks of windows that are gone; resolves when it is decided what happens to each. */
  async #adopt(leases: readonly Lease[]): Promise<void> {
    const decided = leases.map((lease) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const first = async (run: Run): Promise<void> => recoverSubmission(run).finally(resolve);
      const done = this.#startRun(lease, { first });
      return Promise.race([promise, done]);
    });
    await Promise.all(decided);
  }

  /** @returns settles when this window has nothing more to do with the task */
  #startRun(
    lease: Lease,
    { first, isOrdered = false }: { first?: (run: Run) => Promise<void>; isOrdered?: boolean },
  ): Promise<void> {
    if (this.#disposed) {
      // The next engine takes it over.
      return Promise.resolve();
    }
    const before = this.#runs.get(lease.id);
    before?.run.end('The task was restarted.');
    const run = new Run(this.#context, lease, isOrdered);
    const done = this.#runToEnd(run, before?.done, first);
    this.#runs.set(lease.id, { run, done });
    return done;
  }

  /**
   * Takes a task from step to step until it has ended or this window has nothing more to do with it. Each step follows
   * from the row as it is then; one that fails unexpectedly is repeated.
   *
   * @param first what comes before the first step, for a task that was taken over
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

  /** Removes what is kept for tasks that were removed. */
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
      // Another window may only have been able to keep its images in the inbox.
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
      // An open request is waited for whatever happened: its response is about a paid image.
      if (!run.calling && (!task || isOver(task) || store.fence(id) > run.fence)) {
        run.end('The task has ended here.');
      }
    }
  }
}
