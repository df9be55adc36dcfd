// Room: what can be done with a task or an image, one method each, for commands and studio alike.
// Never: command ids, webviews.

import * as vscode from 'vscode';
import { ellipsize } from '../../common/text.ts';
import { isRecoverable, isStillAvailable, restorable } from '../../common/resultAvailability.ts';
import { standingOf } from '../../common/taskStatus.ts';
import type { StartOptions } from '../../tasks/run/taskRunner.ts';
import type { TaskScope } from '../../tasks/store/taskStore.ts';
import type { SaveTarget, Task, TaskRequest } from '../../tasks/task.ts';
import { isFree } from '../failures/billing.ts';
import { describeError } from '../failures/errorText.ts';
import { taskName } from '../failures/taskFailures.ts';
import { settingNames } from '../names.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { Models } from '../paint/models.ts';
import { pickFolder } from '../paint/saveTarget.ts';
import { RepeatGuard } from '../paint/repeatGuard.ts';
import type { RunLimits } from '../questions/runLimits.ts';
import type { TaskRuns } from '../paint/taskRuns.ts';
import { availableActions } from '../availableActions.ts';
import { imageCount, inTheOtherWay } from '../../tasks/files/onTwoGrounds.ts';
import { confirmed, requireConfirmation } from '../questions/confirm.ts';
import { billNote, imagesText } from '../questions/costText.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import type { ServiceConnection } from '../paint/serviceConnection.ts';
import { taskOf, type TaskArgument } from './taskArgument.ts';

/** Characters of a prompt in a question. */
const longestQuoted = 60;

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
  confirm?: (request: TaskRequest) => Promise<void>;
  asks?: (request: TaskRequest) => Promise<boolean>;
}

/** Performs what a person asks for a task. Whether the end of a task is followed is up to the caller. */
export class TaskOperations {
  readonly #services: OperationServices;
  readonly #repeats = new RepeatGuard<Task>();

  constructor(services: OperationServices) {
    this.#services = services;
  }

  /** `limner.task.stop`: stops watching a task, which the service can't cancel. Says so of one that may still be billed. */
  async stop(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (!task || !availableActions(task).some((action) => action === 'stop' || action === 'cancel')) {
      return;
    }
    const { runner, store } = await this.#services.engine.get();
    await runner.stop(task.id);
    const stopped = store.get(task.id);
    if (stopped?.error?.code === 'stopped' && stopped.error.billing === 'maybe' && !isFree(stopped)) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          '"{0}" was already sent. The service can\'t cancel it, and it may still be billed.',
          taskName(stopped),
        ),
      );
    }
  }

  /** `limner.task.cancel`: stops a task that is not sent yet. One that was sent meanwhile goes on, which is said. */
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
        vscode.l10n.t('"{0}" was just sent, so it wasn\'t canceled.', taskName(latest)),
      );
    }
  }

  /** `limner.task.tryNow`: makes the next try of a task that waits for one at once. */
  async tryNow(argument: TaskArgument): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (task && availableActions(task).includes('tryNow')) {
      await (await this.#services.engine.get()).runner.tryNow(task.id);
    }
  }

  /**
   * Resumes several tasks: at first those that cost nothing more, then, once it is known whether they may exceed the
   * budget, those that were not sent yet.
   *
   * @throws vscode.CancellationError when the person declines
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
   * `limner.task.resume`: watches a stopped or paused task again, or sends one that was not sent yet.
   *
   * @param options say how that is sent, where it was asked about already
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

  /** `limner.task.runAgain`: sends the same request once more, as a new task that is billed again. */
  async runAgain(argument: TaskArgument): Promise<Task | undefined> {
    return this.#startAgain(argument, 'run', (request) => request);
  }

  /** Asks, before several tasks are run again, whether all of them may exceed the budget. */
  async allowAgain(tasks: readonly Task[]): Promise<StartOptions> {
    return this.#services.limits.withinBudget(tasks.map(({ request }) => this.#pricedAsBefore(request)));
  }

  /**
   * As `runAgain`, of failed tasks that were made together: at which service is asked once, and each is made once.
   *
   * @param lookedAt when the disk was last looked at for their files, in Unix milliseconds
   */
  runAllAgain(tasks: readonly Task[], options: StartOptions, lookedAt: number): Promise<Task | undefined>[] {
    let answer: Promise<boolean> | undefined;
    const asks = async (request: TaskRequest): Promise<boolean> =>
      (answer ??= this.#asksForItsService(request));
    return tasks.map(async (task) =>
      this.#startAgain(task.id, 'run', (request) => request, {
        asks,
        ...options,
        claim: { insteadOf: task, lookedAt },
      }),
    );
  }

  /** `limner.task.runSynchronously`: as `runAgain`, with the images in the response itself. */
  async runSynchronously(argument: TaskArgument): Promise<Task | undefined> {
    return this.#startAgain(argument, 'run', (request) => ({ ...request, callStyle: 'sync' }));
  }

  /** Asks, and sends the request of a task again for this many images, or for as many as its model gives. */
  async variations(id: string, count: number): Promise<Task | undefined> {
    const change = (request: TaskRequest): TaskRequest => {
      // On two backgrounds, one is made at a time.
      const most = request.onBlack ? 1 : (this.#modelOf(request)?.maxCount ?? count);
      return { ...request, n: Math.min(most, count) };
    };
    return this.#startAgain(id, 'variations', change, { confirm: confirmVariations });
  }

  /** Asks, and sends the request of a task again, with the background made transparent in another way. */
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

  #modelOf({ model }: TaskRequest): ModelEntry | undefined {
    return this.#services.models.configured().find(({ id }) => id === model);
  }

  /**
   * `limner.task.saveAgain`, `limner.task.fetchAgain`: tries once more to save what was billed; in another folder, which
   * the person chooses, when the first one is gone or fails again.
   *
   * @param isShown whether its images are in sight already
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
        await this.#services.runs.finish(after, isShown);
        return;
      }
      target = await offerFolder(after, describeError(problem.error, after).message);
      if (!target) {
        return;
      }
    }
  }

  /**
   * `limner.task.finishAgain`: finishes images once more that were saved as received because that failed.
   *
   * @param isShown whether they are in sight already
   */
  async finishAgain(argument: TaskArgument, isShown = false): Promise<void> {
    const task = await taskOf(this.#services.engine, argument);
    if (task && availableActions(task).includes('finishAgain')) {
      const { runner } = await this.#services.engine.get();
      const { runs } = this.#services;
      await runs.finish(await runs.ended(task.id, async () => runner.finishAgain(task.id)), isShown);
    }
  }

  /** `limner.task.copyPrompt`: puts the prompt on the clipboard; of several tasks, one a line. */
  async copyPrompts(chosen: readonly TaskArgument[]): Promise<void> {
    const tasks = await Promise.all(chosen.map(async (one) => taskOf(this.#services.engine, one)));
    const prompts = new Set(tasks.flatMap((task) => task?.request.prompt ?? []));
    if (prompts.size > 0) {
      await vscode.env.clipboard.writeText([...prompts].join('\n'));
    }
  }

  /**
   * `limner.task.remove`: takes tasks from the list; their files stay. Asks when something could no longer be saved,
   * restored or fetched.
   *
   * @param asks whether to ask in any case
   */
  async remove(chosen: readonly TaskArgument[], asks = false): Promise<void> {
    const tasks = new Map<string, Task>();
    for (const one of chosen) {
      const task = await taskOf(this.#services.engine, one);
      if (task && availableActions(task).includes('remove')) {
        tasks.set(task.id, task);
      }
    }
    const [first] = tasks.values();
    const losses = [...new Set([...tasks.values()].flatMap(lossesBy))];
    if (!first || ((asks || losses.length > 0) && !(await confirmRemoval(first, tasks.size, losses)))) {
      return;
    }
    const { store } = await this.#services.engine.get();
    for (const id of tasks.keys()) {
      await store.remove(id);
    }
  }

  /**
   * `limner.tasks.clearFinished`: takes every ended task from the list; files stay, and so do starred tasks and those
   * with images that can still be saved or fetched, or with images or originals that can be restored.
   *
   * @param scope of this workspace, where only its tasks are meant
   */
  async clearFinished(scope: TaskScope | undefined): Promise<void> {
    const isMeant = await confirmed(
      scope
        ? vscode.l10n.t('Clear the finished tasks of this workspace from the list?')
        : vscode.l10n.t('Clear the finished tasks of all workspaces from the list?'),
      vscode.l10n.t('Clear'),
      vscode.l10n.t(
        "Image files aren't deleted. Tasks with starred images, with images that may still be saved or fetched, or with deleted images or replaced originals that can be restored stay in the list.",
      ),
    );
    if (isMeant) {
      await (await this.#services.engine.get()).store.clearFinished(Date.now(), scope);
    }
  }

  /**
   * Sends the request of a task once more, with one question at most: where to, or else whether to.
   *
   * @param act what counts as the same act when it is asked for twice at once
   * @param options `confirm` asks before it is sent, `asks` whether to its own service; both reject when the person declines
   */
  async #startAgain(
    argument: TaskArgument,
    act: string,
    change: (request: TaskRequest) => TaskRequest,
    {
      confirm = async (request) =>
        request.onBlack ? confirmBoth(request) : this.#services.limits.confirmCount([request]),
      asks = async (request) => this.#asksForItsService(request),
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
      await confirm(request);
    } else {
      const asked = change(this.#pricedAsBefore(before));
      const isAsBefore = await asks(asked);
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

  /** Asks whether a request is sent to its own service again, or to the one that is in use by now. */
  async #asksForItsService(request: TaskRequest): Promise<boolean> {
    const { names, settings } = this.#services;
    const { baseUrl } = settings;
    const itsName = names.of(request.baseUrl, request.free);
    const areDistinct = itsName !== names.inUse;
    const [before, now] = areDistinct ? [itsName, names.inUse] : [request.baseUrl, baseUrl];
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('Run this again at {0}, as before, or at {1}, which is in use now?', before, now),
      {
        modal: true,
        ...(imageCount(request) > 1 && { detail: makesNote(request) }),
      },
      now,
      before,
    );
    if (chosen === undefined) {
      throw new vscode.CancellationError();
    }
    return chosen === before;
  }

  /** The demo stays free where it was left. */
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
    const { service, models } = this.#services;
    const baseUrl = await service.ready();
    const listed = models.configured().find(({ id }) => id === request.model);
    const model = listed ?? models.choose(undefined);
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

  /** Asks before results are fetched from hosts that are not allowed yet. @returns whether they are now */
  async #allowHosts(task: Task): Promise<boolean> {
    const allowed = this.#services.settings.engine([]).resultHosts;
    const hosts = [...new Set(task.results.flatMap(({ error }) => error?.refusedHost ?? []))].filter(
      (host) => !allowed.includes(host),
    );
    if (hosts.length === 0) {
      return true;
    }
    const isAllowed = await confirmed(
      vscode.l10n.t('Fetch images from {0}?', hosts.join(', ')),
      vscode.l10n.t('Allow This Host and Fetch'),
      vscode.l10n.t(
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

/** Returns the request of a task, without the place in a document that its image has taken already. */
function withoutTakenPlace({ request, results }: Task): TaskRequest {
  const { reference: _, ...plain } = request;
  return results.some(({ state }) => state === 'saved') ? plain : request;
}

/** Says how many images a request makes, and what it costs. */
function makesNote(request: TaskRequest): string {
  return `${vscode.l10n.t('It makes {0}.', imagesText(imageCount(request)))} ${billNote([request])}`;
}

async function confirmBoth(request: TaskRequest): Promise<void> {
  await requireConfirmation(
    vscode.l10n.t('Make it on white and on black again?'),
    vscode.l10n.t('Run Again'),
    makesNote(request),
  );
}

async function confirmVariations(request: TaskRequest): Promise<void> {
  const { onBlack, n, prompt } = request;
  await requireConfirmation(
    n === 1
      ? vscode.l10n.t('Generate a variation of "{0}"?', ellipsize(prompt, longestQuoted))
      : vscode.l10n.t('Generate {0} variations of "{1}"?', n, ellipsize(prompt, longestQuoted)),
    n === 1 ? vscode.l10n.t('Generate Image') : vscode.l10n.t('Generate {0} Images', n),
    onBlack ? makesNote(request) : billNote([request]),
  );
}

async function confirmOtherWay(request: TaskRequest): Promise<void> {
  await requireConfirmation(
    request.onBlack
      ? vscode.l10n.t('Make it on white, edit that to black, and take the difference?')
      : vscode.l10n.t('Make it on one flat color, and remove that?'),
    vscode.l10n.t('Try the Other Way'),
    imageCount(request) === 1 && !request.price
      ? vscode.l10n.t('It makes 1 image, which may be billed.')
      : makesNote(request),
  );
}

async function offerFolder(task: Task, message: string): Promise<SaveTarget | undefined> {
  const choose = vscode.l10n.t('Choose Another Folder…');
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
      ? vscode.l10n.t('Remove "{0}" from the list?', ellipsize(first.request.prompt, longestQuoted))
      : vscode.l10n.t('Remove {0} tasks from the list?', count),
    vscode.l10n.t('Remove'),
    losses.join(' '),
  );
}

/** Says what is lost when a task is removed. */
function lossesBy(task: Task): string[] {
  return [
    ...(task.results.some(({ state, stagedPath }) => state !== 'saved' && stagedPath !== undefined)
      ? [vscode.l10n.t("Images that aren't saved yet will be lost.")]
      : []),
    ...(task.results.some((result) => restorable(result) !== undefined)
      ? [vscode.l10n.t('An original that was replaced can only be restored from its task.')]
      : []),
    ...(task.results.some((result) => isRecoverable(result))
      ? [vscode.l10n.t('Deleted images can only be restored from their task.')]
      : []),
    ...(isStillAvailable(task, Date.now())
      ? [vscode.l10n.t('The service may still have an image, which can be fetched at no extra cost.')]
      : []),
  ];
}
