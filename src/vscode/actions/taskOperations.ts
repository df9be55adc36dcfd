import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ellipsize, listText, sentencesText } from '../../common/text.ts';
import {
  isRecoverable,
  isStillAvailable,
  isTerminal,
  restorable,
  standingOf,
} from '../../common/taskStatus.ts';
import { bringsImages } from '../../engine/task/claim.ts';
import type { StartOptions } from '../../engine/run/taskRunner.ts';
import type { TaskScope } from '../../engine/store/taskStore.ts';
import type { SaveTarget, Task, TaskRequest } from '../../engine/task/task.ts';
import type { ErrorAction } from '../window/offers.ts';
import { describeError, freeAction } from '../window/errorText.ts';
import { isFree } from '../../engine/messages/failureText.ts';
import { taskName } from '../window/plainText.ts';
import * as settingNames from '../window/settingNames.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { modelName, type Models } from '../generate/models.ts';
import { pickFolder } from '../generate/saveTarget.ts';
import { RepeatGuard } from '../generate/repeatGuard.ts';
import type { RunLimits } from '../ask/runLimits.ts';
import type { TaskRuns } from '../generate/taskRuns.ts';
import { availableActions } from '../../engine/operations/availableActions.ts';
import { inUsualSize } from '../../engine/operations/modelRules.ts';
import { inTheOtherWay } from '../../engine/task/twoBackgrounds.ts';
import { confirmed, openInStudio, requireCharge } from '../ask/confirm.ts';
import { requestText } from '../taskList/costText.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import type { ServiceConnection } from '../generate/serviceConnection.ts';
import { taskOf, type TaskArgument } from './taskArgument.ts';

const longestQuoted = 60;
/** How many of the newest tasks are searched for one that was sent again. */
const newestSearched = 100;

export interface OperationServices {
  engine: EngineHost;
  service: ServiceConnection;
  names: ServiceNames;
  settings: Settings;
  models: Models;
  runs: TaskRuns;
  limits: RunLimits;
}

interface AgainOptions extends StartOptions {
  confirm?: (request: TaskRequest, task: Task) => Promise<unknown>;
  asks?: (request: TaskRequest, task: Task) => Promise<boolean>;
}

/** Performs actions on a task. The caller decides whether to follow the task to its end. */
export class TaskOperations {
  readonly #services: OperationServices;
  readonly #repeats = new RepeatGuard<Task>();

  constructor(services: OperationServices) {
    this.#services = services;
  }

  /** `limner.task.stop`: stops watching a task, which the service can't cancel, and warns if it may still be billed. */
  async stop(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (!task || !availableActions(task).some((action) => action === 'stop' || action === 'cancel')) {
      return;
    }
    const { runner, store } = await this.#services.engine.get();
    await runner.giveUp(task.id);
    const stopped = store.get(task.id);
    if (stopped?.error?.code === 'stopped' && stopped.error.billing === 'maybe' && !isFree(stopped)) {
      void vscode.window.showInformationMessage(
        l10n.t(
          '"{0}" was already sent. The service can\'t cancel it, and it may still be billed.',
          taskName(stopped),
        ),
      );
    }
  }

  /** `limner.task.cancel`: stops an unsent task. Says so if it was sent meanwhile and continues. */
  async cancel(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (!task) {
      return;
    }
    const { runner, store } = await this.#services.engine.get();
    const isCanceled = await runner.cancel(task.id);
    const latest = store.get(task.id);
    if (!isCanceled && latest && standingOf(latest) !== 'ended') {
      void vscode.window.showInformationMessage(
        l10n.t('"{0}" was just sent, so it wasn\'t canceled.', taskName(latest)),
      );
    }
  }

  /** `limner.task.tryNow`: retries a waiting task at once. */
  async tryNow(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (task && availableActions(task).includes('tryNow')) {
      await (await this.#services.engine.get()).runner.tryNow(task.id);
    }
  }

  /**
   * Resumes several tasks: free ones first, then unsent ones once the budget is confirmed.
   *
   * @throws vscode.CancellationError if the user declines
   */
  async *resumeAll(chosen: readonly TaskArgument[]): AsyncGenerator<Task | undefined, void> {
    const unsent: Task[] = [];
    for (const one of chosen) {
      const task = await taskOf(this.#services.engine, one);
      if (task?.held) {
        unsent.push(task);
      } else {
        yield await this.resume(one);
      }
    }
    if (unsent.length === 0) {
      return;
    }
    const options = await this.#services.limits.withinBudget(unsent.map(({ request }) => request));
    for (const task of unsent) {
      yield await this.resume(task.id, options);
    }
  }

  /**
   * `limner.task.resume`: watches a stopped or paused task again, or sends an unsent one.
   *
   * @param options for sending it, if already confirmed
   */
  async resume(argument: TaskArgument, options?: StartOptions): Promise<Task | undefined> {
    const task = await taskOf(this.#services.engine, argument);
    if (!task || !availableActions(task).includes('resume')) {
      return undefined;
    }
    const { engine, limits } = this.#services;
    const { runner } = await engine.get();
    if (!task.held) {
      return runner.resume(task.id);
    }
    const { id, request } = task;
    const confirmed = options ?? (await limits.withinBudget([request]));
    return limits.send(request, confirmed, async (how) => runner.sendNow(id, how));
  }

  /** `limner.task.runAgain`: sends the same request as a new task, which is billed again. */
  async runAgain(argument: TaskArgument): Promise<Task | undefined> {
    return this.#startAgain(argument, 'run', (request) => request);
  }

  /** Asks whether several tasks that run again may together exceed the budget. */
  async allowAgain(tasks: readonly Task[]): Promise<StartOptions> {
    return this.#services.limits.withinBudget(tasks.map(({ request }) => this.#pricedAsBefore(request)));
  }

  /**
   * Runs failed tasks of a batch again: asks for the service once, and sends each only once.
   *
   * @param lookedAt time at which the disk was last checked for their files, in Unix milliseconds
   */
  runAllAgain(tasks: readonly Task[], options: StartOptions, lookedAt: number): Promise<Task | undefined>[] {
    let answer: Promise<boolean> | undefined;
    const asks = async (request: TaskRequest, task: Task): Promise<boolean> =>
      (answer ??= this.#asksForItsService(request, task));
    return tasks.map(async (task) =>
      this.#startAgain(task.id, 'run', (request) => request, {
        asks,
        ...options,
        claim: { insteadOf: task, lookedAt },
      }),
    );
  }

  /** `limner.task.runSynchronously`: runs the task again, with the images in the response itself. */
  async runSynchronously(argument: TaskArgument): Promise<Task | undefined> {
    return this.#startAgain(argument, 'synchronously', (request) => ({ ...request, callStyle: 'sync' }));
  }

  /** Runs a task whose size the service refused again: in a usual size, which Limner scales to the wanted one. */
  async runScaled(argument: TaskArgument): Promise<Task | undefined> {
    const task = await taskOf(this.#services.engine, argument);
    const scaled = task && inUsualSize(task);
    const { size, finish } = scaled ?? {};
    const change = (request: TaskRequest): TaskRequest =>
      this.#services.models.priced({
        ...request,
        ...(size !== undefined && { size }),
        ...(finish && { finish }),
      });
    return scaled && this.#startAgain(task.id, 'run', change);
  }

  /** Asks, and sends a task's request again for this many images, or as many as its model allows. */
  async variations(id: string, count: number): Promise<Task | undefined> {
    const change = (request: TaskRequest): TaskRequest => {
      // Images on two backgrounds are made one at a time.
      const most = request.onBlack ? 1 : (this.#modelOf(request)?.maxCount ?? count);
      return { ...request, n: Math.min(most, count) };
    };
    return this.#startAgain(id, 'variations', change, { confirm: confirmVariations });
  }

  /**
   * Asks once, and sends the requests of several tasks again, each with the same target: their images get the next free
   * names, and those that are there stay. An image on two backgrounds begins on white again.
   *
   * @throws vscode.CancellationError if the user declines
   */
  async makeAgain(ids: readonly string[]): Promise<(Task | undefined)[]> {
    const { store } = await this.#services.engine.get();
    const beginningOf = (task: Task): Task => {
      const { batch, finish } = task.request;
      const onWhite =
        batch && finish?.cutout?.by === 'grounds'
          ? store
              .batch(batch.id)
              .find(({ request }) => request.onBlack && request.batch?.index === batch.index)
          : undefined;
      return onWhite ?? task;
    };
    const tasks = ids.flatMap((id) => store.get(id) ?? []).map(beginningOf);
    const [first] = tasks;
    if (!first) {
      return [];
    }
    const requests = tasks.map(({ request }) => this.#pricedAsBefore(request));
    await requireCharge(
      tasks.length === 1
        ? l10n.t('Generate "{0}" again?', ellipsize(first.request.prompt, longestQuoted))
        : l10n.t('Generate {0} images again?', tasks.length),
      [l10n.t('Generate Again')],
      { title: l10n.t('Later'), run: async () => Promise.resolve() },
      requestText(requests),
    );
    const options = await this.#services.limits.withinBudget(requests);
    let answer: Promise<boolean> | undefined;
    const asks = async (request: TaskRequest, task: Task): Promise<boolean> =>
      (answer ??= this.#asksForItsService(request, task));
    return Promise.all(
      tasks.map(async ({ id }) =>
        this.#startAgain(id, 'again', (request) => request, { asks, confirm: isConfirmed, ...options }),
      ),
    );
  }

  /** Asks, and sends a task's request again with the other method for a transparent background. */
  async tryOtherWay(id: string): Promise<Task | undefined> {
    const change = (request: TaskRequest): TaskRequest => {
      const model = this.#modelOf(request);
      const own = request.finish?.cutout?.by === 'alpha' ? model?.transparent?.extra : undefined;
      const extra = Object.entries(request.extra ?? {}).filter(([name]) => !own || !(name in own));
      const { extra: _, ...plain } = request;
      const asked = { ...plain, ...(extra.length > 0 && { extra: Object.fromEntries(extra) }) };
      return inTheOtherWay(asked, model ? this.#services.models.editCall(model) : {});
    };
    return this.#startAgain(id, 'other way', change, { confirm: confirmOtherWay });
  }

  #modelOf({ model, baseUrl }: TaskRequest): ModelEntry | undefined {
    return this.#services.models.configured(baseUrl).find(({ id }) => id === model);
  }

  /** Returns the model with which the service in use makes a request again. */
  #modelInUse({ model }: TaskRequest): ModelEntry | undefined {
    const { models } = this.#services;
    return models.configured().find(({ id }) => id === model) ?? models.usual();
  }

  /**
   * `limner.task.saveAgain`, `limner.task.fetchAgain`: tries again to save billed images. If the first folder is gone
   * or fails again, the user chooses another.
   *
   * @param isShown whether the images are already visible
   */
  async saveAgain(argument: TaskArgument, isShown = false): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (!task || !(await this.#allowHosts(task))) {
      return;
    }
    let target: SaveTarget | undefined;
    if (!(await statOf(vscode.Uri.parse(task.request.target.root, true)))) {
      target = await chooseFolder(task);
      if (!target) {
        return;
      }
    }
    const { runner } = await this.#services.engine.get();
    for (;;) {
      const after = await this.#services.runs.ended(task.id, async () => runner.saveAgain(task.id, target));
      const problem = after.results.find(
        ({ state, error }) => state !== 'saved' && error?.code === 'save_failed',
      );
      if (!problem?.error) {
        await this.#services.runs.finish(after, { isShown });
        return;
      }
      target = await offerFolder(after, describeError(problem.error, after).message);
      if (!target) {
        return;
      }
    }
  }

  /**
   * `limner.task.finishAgain`: retries finishing images that were saved as received.
   *
   * @param isShown whether they are already visible
   */
  async finishAgain(argument: TaskArgument, isShown = false): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (task && availableActions(task).includes('finishAgain')) {
      const { runner } = await this.#services.engine.get();
      const { runs } = this.#services;
      await runs.finish(await runs.ended(task.id, async () => runner.finishAgain(task.id)), { isShown });
    }
  }

  /** `limner.task.copyPrompt`: copies prompts to the clipboard, one per line. */
  async copyPrompts(tasks: readonly Task[]): Promise<void> {
    const prompts = new Set(tasks.map(({ request }) => request.prompt));
    await vscode.env.clipboard.writeText([...prompts].join('\n'));
  }

  /**
   * `limner.task.remove`: removes tasks from the list; their files stay. Asks if something could no longer be saved,
   * restored, or fetched.
   *
   * @param asks whether to always ask
   */
  async remove(tasks: readonly Task[], asks = false): Promise<void> {
    const [first] = tasks;
    const losses = [...new Set(tasks.flatMap(lossesBy))];
    if (!first || ((asks || losses.length > 0) && !(await confirmRemoval(first, tasks.length, losses)))) {
      return;
    }
    const { store } = await this.#services.engine.get();
    for (const { id } of tasks) {
      await store.remove(id);
    }
  }

  /**
   * `limner.tasks.clearFinished`: removes all ended tasks from the list. Files stay, and so do tasks with starred
   * images, with images that can still be saved or fetched, or with images or originals that can be restored.
   *
   * @param scope limits it to the tasks of this workspace
   */
  async clearFinished(scope: TaskScope | undefined): Promise<void> {
    const isMeant = await confirmed(
      scope
        ? l10n.t('Clear the finished tasks of this workspace from the list?')
        : l10n.t('Clear the finished tasks of all workspaces from the list?'),
      l10n.t('Clear'),
      l10n.t(
        "Image files aren't deleted. Tasks with starred images, with images that may still be saved or fetched, or with deleted images or replaced originals that can be restored stay in the list.",
      ),
    );
    if (isMeant) {
      await (await this.#services.engine.get()).store.clearFinished(Date.now(), scope);
    }
  }

  /**
   * Sends a task's request again, with at most one question: which service to use, or else whether to send it.
   *
   * @param act identifies the action, to join a repetition at the same time
   * @param options `confirm` asks before sending, `asks` before using the task's own service; both reject if the user
   * declines
   */
  async #startAgain(
    argument: TaskArgument,
    act: string,
    change: (request: TaskRequest) => TaskRequest,
    {
      confirm,
      asks = async (request, task) => this.#asksForItsService(request, task),
      isBeyondBudget,
      claim,
    }: AgainOptions = {},
  ): Promise<Task | undefined> {
    const { engine, limits, service, settings, models } = this.#services;
    const task = await taskOf(engine, argument);
    if (!task) {
      return undefined;
    }
    const before = withoutTakenPlace(task);
    let request: TaskRequest;
    if (settings.baseUrl === '' || service.isInUse(before)) {
      request = change(models.priced({ ...before, baseUrl: await service.ready() }));
      await (confirm?.(request, task) ?? this.#confirmAgain(task, request));
    } else {
      const asked = change(this.#pricedAsBefore(before));
      const isAsBefore = await asks(asked, task);
      const again = change(await (isAsBefore ? this.#atItsService(before) : this.#atServiceInUse(before)));
      request = { ...again, n: Math.min(asked.n, again.n) };
    }
    const options = isBeyondBudget ? { isBeyondBudget } : await limits.withinBudget([request]);
    const { runner } = await engine.get();
    const { agent: _, ...again } = request;
    return this.#repeats.once(`${act} ${task.id}`, async () =>
      limits.send(again, options, async (how) => runner.start(again, { ...how, claim })),
    );
  }

  async #confirmAgain(task: Task, request: TaskRequest): Promise<unknown> {
    if (isTerminal(task.status) && bringsImages(task, Date.now())) {
      return confirmBilledAgain(request, task);
    }
    if (request.onBlack) {
      return confirmBoth(request, task);
    }
    return task.status !== 'completed' && (await this.#isSentAgain(task))
      ? confirmOnceMore(request, task)
      : this.#services.limits.confirmCount([request]);
  }

  /** Whether a later task generates the same, or has saved it. */
  async #isSentAgain({ id, request }: Task): Promise<boolean> {
    const { store } = await this.#services.engine.get();
    const { kind, prompt, images } = request;
    return store
      .list({ limit: newestSearched, kind })
      .some(
        (later) =>
          later.id > id &&
          later.request.prompt === prompt &&
          isDeepStrictEqual(later.request.images, images) &&
          (standingOf(later) === 'running' || later.results.some(({ state }) => state === 'saved')),
      );
  }

  /** Asks whether to use the request's own service again, or the one in use now. */
  async #asksForItsService(request: TaskRequest, { id }: Task): Promise<boolean> {
    const { names, settings } = this.#services;
    const { baseUrl } = settings;
    const itsName = names.of(request.baseUrl, request.free);
    const areDistinct = itsName !== names.inUse;
    const [before, now] = areDistinct ? [itsName, names.inUse] : [request.baseUrl, baseUrl];
    const model = this.#modelInUse(request);
    const notes = [
      ...(!model || model.id === request.model
        ? []
        : [l10n.t("{0} doesn't have {1} and uses {2}.", now, request.model, modelName(model))]),
      // The service in use may have no model yet.
      ...[request, ...(model ? [this.#movedTo(baseUrl, request)] : [])].map((one) => requestText([one])),
    ];
    const chosen = await requireCharge(
      l10n.t('Run this again at {0} (as before) or at {1} (in use now)?', before, now),
      [now, before],
      openInStudio(id),
      notes.join('\n'),
    );
    return chosen === before;
  }

  /** The demo stays free at its old address. */
  #pricedAsBefore(request: TaskRequest): TaskRequest {
    const { service, models } = this.#services;
    return service.isDemo(request) ? request : models.priced(request);
  }

  async #atItsService(request: TaskRequest): Promise<TaskRequest> {
    const { service, models } = this.#services;
    return models.priced(
      service.isDemo(request) ? { ...request, baseUrl: await service.startDemo() } : request,
    );
  }

  async #atServiceInUse(request: TaskRequest): Promise<TaskRequest> {
    return this.#movedTo(await this.#services.service.ready(), request);
  }

  /** Returns a request as the service in use takes it. */
  #movedTo(baseUrl: string, request: TaskRequest): TaskRequest {
    const { models } = this.#services;
    const model = this.#modelInUse(request) ?? models.choose();
    const { id, family, extra, taskPath, maxCount = request.n } = model;
    const callStyle = models.callStyle(model, request.kind);
    const again = { ...request, baseUrl, model: id, family, callStyle, n: Math.min(request.n, maxCount) };
    if (again.onBlack) {
      again.onBlack = { ...again.onBlack, ...models.editCall(model) };
    }
    delete again.extra;
    delete again.taskPath;
    if (family === 'native') {
      delete again.size;
      delete again.quality;
    }
    return models.priced({ ...again, ...(extra && { extra }), ...(taskPath !== undefined && { taskPath }) });
  }

  /** Asks before fetching results from hosts that aren't allowed yet. @returns whether they are allowed now */
  async #allowHosts(task: Task): Promise<boolean> {
    const allowed = this.#services.settings.engine([]).resultHosts;
    const hosts = [...new Set(task.results.flatMap(({ error }) => error?.refusedHost ?? []))].filter(
      (host) => !allowed.includes(host),
    );
    if (hosts.length === 0) {
      return true;
    }
    const isAllowed = await confirmed(
      l10n.t('Fetch images from {0}?', listText(hosts, vscode.env.language)),
      l10n.t('Allow This Host and Fetch'),
      l10n.t(
        'The service says the images are there, but the address isn\'t on the public internet. Allow it only if you know the host, which is then added to the "{0}" setting.',
        settingNames.resultHosts,
      ),
    );
    if (isAllowed) {
      await this.#services.settings.update(settingNames.resultHosts, [...allowed, ...hosts]);
    }
    return isAllowed;
  }
}

/** Returns a task's request, without a place in a document that its image already took. */
function withoutTakenPlace({ request, results }: Task): TaskRequest {
  const { reference: _, ...plain } = request;
  return results.some(({ state }) => state === 'saved') ? plain : request;
}

async function confirmBoth(request: TaskRequest, { id }: Task): Promise<unknown> {
  return requireCharge(
    l10n.t('Generate it on white and on black again?'),
    [l10n.t('Run Again')],
    openInStudio(id),
    requestText([request]),
  );
}

async function confirmBilledAgain(request: TaskRequest, task: Task): Promise<unknown> {
  return requireCharge(
    l10n.t(
      'The images of "{0}" can still be fetched or saved at no cost. Generate others?',
      ellipsize(request.prompt, longestQuoted),
    ),
    [l10n.t('Run Again')],
    freeWay(task),
    requestText([request]),
  );
}

/** Returns the way to a task's images that costs nothing. */
function freeWay(task: Task): ErrorAction {
  return (task.error && freeAction(task.error, task)) ?? openInStudio(task.id);
}

async function confirmOnceMore(request: TaskRequest, { id }: Task): Promise<unknown> {
  return requireCharge(
    l10n.t('"{0}" was already run again. Run it once more?', ellipsize(request.prompt, longestQuoted)),
    [l10n.t('Run Again')],
    openInStudio(id),
    requestText([request]),
  );
}

async function confirmVariations(request: TaskRequest, { id }: Task): Promise<unknown> {
  const { n, prompt } = request;
  return requireCharge(
    n === 1
      ? l10n.t('Generate a variation of "{0}"?', ellipsize(prompt, longestQuoted))
      : l10n.t('Generate {0} variations of "{1}"?', n, ellipsize(prompt, longestQuoted)),
    [n === 1 ? l10n.t('Generate Image') : l10n.t('Generate {0} Images', n)],
    openInStudio(id),
    requestText([request]),
  );
}

/** Asks nothing: the user agreed to all at once. */
async function isConfirmed(): Promise<true> {
  return Promise.resolve(true);
}

async function confirmOtherWay(request: TaskRequest, { id }: Task): Promise<unknown> {
  return requireCharge(
    request.onBlack
      ? l10n.t('Generate it on white, edit that to black, and take the difference?')
      : l10n.t('Generate it on one flat color, and remove that color?'),
    [l10n.t('Try the Other Way')],
    openInStudio(id),
    requestText([request]),
  );
}

async function offerFolder(task: Task, message: string): Promise<SaveTarget | undefined> {
  const choose = l10n.t('Save Elsewhere…');
  const chosen = await vscode.window.showErrorMessage(message, choose);
  return chosen === choose ? chooseFolder(task) : undefined;
}

async function chooseFolder({ request }: Task): Promise<SaveTarget | undefined> {
  const folder = await pickFolder();
  return folder && { ...request.target, folder: folder.toString(), root: folder.toString() };
}

async function confirmRemoval(first: Task, count: number, losses: readonly string[]): Promise<boolean> {
  return confirmed(
    count === 1
      ? l10n.t('Remove "{0}" from the list?', ellipsize(first.request.prompt, longestQuoted))
      : l10n.t('Remove {0} tasks from the list?', count),
    l10n.t('Remove'),
    sentencesText([l10n.t("Image files aren't deleted."), ...losses]),
  );
}

function lossesBy(task: Task): string[] {
  return [
    ...(task.results.some(({ state, stagedPath }) => state !== 'saved' && stagedPath !== undefined)
      ? [l10n.t("Images that aren't saved yet will be lost.")]
      : []),
    ...(task.results.some((result) => restorable(result) !== undefined)
      ? [l10n.t('An original that was replaced can only be restored from its task.')]
      : []),
    ...(task.results.some((result) => isRecoverable(result))
      ? [l10n.t('Deleted images can only be restored from their task.')]
      : []),
    ...(isStillAvailable(task, Date.now())
      ? [l10n.t('The service may still have an image, which can be fetched at no extra cost.')]
      : []),
  ];
}
