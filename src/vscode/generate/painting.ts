import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askedSize } from '../../common/requestValues.ts';
import type { Claim } from '../../engine/task/claim.ts';
import { asOrdered } from '../../engine/task/twoBackgrounds.ts';
import type { StartOptions } from '../../engine/run/taskRunner.ts';
import type { Task, TaskInput, TaskRequest } from '../../engine/task/task.ts';
import { asRejection, reportFailure, reportFailures } from '../ask/refusal.ts';
import * as commands from '../window/commandIds.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { dimensionsOf, type InputImage, warnOfLargeImages } from './inputImages.ts';
import { modelName, type Models } from './models.ts';
import { argumentsOf, type PaintArguments, passedFiles, readArguments } from './paintArguments.ts';
import type { PaintQuestions } from './paintQuestions.ts';
import { maxInputsOf } from '../../engine/operations/modelRules.ts';
import type { ImageSource, PaintOrder, PaintRequests, Purpose } from './paintRequest.ts';
import { cardTexts, editTexts, generateTexts, type QuestionTexts } from './questionTexts.ts';
import { RepeatGuard } from './repeatGuard.ts';
import type { RunLimits } from '../ask/runLimits.ts';
import { type ChosenStyle, type Styles, styleOfTask } from '../ask/styles.ts';
import { styled } from '../../engine/operations/style.ts';
import { promptIn } from './promptText.ts';
import type { ServiceConnection } from './serviceConnection.ts';
import type { TaskOutcome, TaskRuns } from './taskRuns.ts';

export interface PaintingServices {
  engine: EngineHost;
  service: ServiceConnection;
  models: Models;
  questions: PaintQuestions;
  requests: PaintRequests;
  runs: TaskRuns;
  limits: RunLimits;
  styles: Styles;
  log: vscode.LogOutputChannel;
}

/** A new image as a document needs it, with its prompt. */
export interface ProposedImage extends Purpose {
  given: PaintArguments;
  /** It is not sent where another task stands for this. */
  claim?: Claim;
  /** Whether the arguments alone decide the background, rather than a style. */
  keepsBackground?: boolean;
  /** Whether the size is that of a style, which services are asked for as it is. */
  isSizeOfStyle?: boolean;
}

/** Returns those of proposed images that are still needed. Tells the user if none is. */
export type StillNeeded = () => Promise<readonly ProposedImage[]>;

/** One run, before anything is asked. */
interface PaintOptions {
  given: PaintArguments;
  /** The images to edit, the active one if empty; undefined for a new image. */
  sources?: readonly ImageSource[] | undefined;
  /** Whether the user is asked for the prompt, and told of failures. */
  asks: boolean;
  purpose?: Purpose;
  claim?: Claim | undefined;
  /** The style of an earlier task, in the place of one of the workspace. */
  style?: ChosenStyle | undefined;
  /** Replaces some of the usual texts and buttons of the prompt box. */
  texts?: Partial<QuestionTexts>;
  /** Whether a document needs the size that is given, if one is. */
  isSizeOfDocument?: boolean;
  /** Called once nothing more is asked. */
  stillNeeded?: StillNeeded | undefined;
}

/**
 * Turns a prompt into saved files: asks, builds, limits, sends. With a prompt among the arguments, nothing is asked and a
 * failure rejects with an error that has a `code`. Run by a user, it asks for what is missing, reports failures in
 * messages and doesn't reject.
 */
export class Painting {
  readonly #services: PaintingServices;
  readonly #repeats = new RepeatGuard<TaskOutcome | undefined>();

  constructor(services: PaintingServices) {
    this.#services = services;
  }

  /** `limner.generate`: makes new images, or edits those among the arguments. */
  async generate(passed?: unknown): Promise<TaskOutcome | undefined> {
    const given = readArguments(passed);
    return this.#run([commands.generate, passed], given, given.images?.length ? given.images : undefined);
  }

  /**
   * `limner.edit`: makes new images beside the original, from images and a prompt.
   *
   * @param first the file, as URI or path; the arguments, from a key binding; or a value that a menu passes
   * @param second the selected files, the arguments, or a value that a menu passes
   */
  async edit(first?: unknown, second?: unknown): Promise<TaskOutcome | undefined> {
    const passed = passedFiles(first, second);
    const given = readArguments(
      Array.isArray(second) ? {} : passed.length === 0 ? (second ?? first) : second,
    );
    return this.#run([commands.edit, first, second], given, [...passed, ...(given.images ?? [])]);
  }

  /** `limner.generateFromSelection`: uses the selected text as the prompt, or the sentence at the cursor. */
  async generateFromSelection(): Promise<TaskOutcome | undefined> {
    const prompt = promptIn(vscode.window.activeTextEditor);
    if (prompt === '') {
      void vscode.window.showInformationMessage(
        l10n.t(
          'Select the text that describes the image, or put the cursor in a sentence, then run the command again.',
        ),
      );
      return undefined;
    }
    return this.#repeats.once(JSON.stringify([commands.generateFromSelection, prompt]), async () =>
      this.#paint({ given: { prompt }, asks: true }),
    );
  }

  /**
   * `limner.task.runWithChanges`: asks for a prompt, beginning with that of a task, and runs it with the task's options,
   * inputs and target. At another service than the task's, the model is that of the settings. It makes the image for
   * which the task failed, if that was one for a document or of several that were made together.
   */
  async runWithChanges(task: Task): Promise<TaskOutcome | undefined> {
    const request = asOrdered(task.request);
    const { prompt, model, quality, n, target, images, mask, socialCard, style } = request;
    const isSaved = task.results.some(({ state }) => state === 'saved');
    const { reference, batch } = isSaved ? {} : request;
    const size = askedSize(request);
    return this.#paint({
      given: {
        prompt,
        ...(this.#services.service.isInUse(request) && { model }),
        ...(size !== undefined && { size }),
        ...(quality !== undefined && { quality }),
        ...argumentsOf(request),
        n,
        style: '',
        folder: vscode.Uri.parse(target.folder, true),
        fileName: target.fileName,
        ...(mask && { mask: vscode.Uri.file(mask.path) }),
      },
      sources: images && (await Promise.all(images.map(async (image) => this.#asSent(image)))),
      asks: true,
      style: style && styleOfTask(style),
      purpose: {
        ...(socialCard && { socialCard }),
        ...(reference && { reference }),
        ...(batch && { batch }),
      },
      ...(reference && { texts: { buttons: ['improve', 'model', 'style'] } }),
      isSizeOfDocument: request.size !== undefined && request.size !== size,
    });
  }

  /**
   * Asks for the prompt of a new image, beginning with the one that is proposed, and makes it: from images, if there are
   * some. Its place, its number, and the size that a document asks for can't be changed.
   *
   * @param stillNeeded called once nothing more is asked; without it, the image is needed
   */
  async propose(image: ProposedImage, stillNeeded?: StillNeeded): Promise<TaskOutcome | undefined> {
    const { given, claim, keepsBackground: _, isSizeOfStyle: __, ...purpose } = image;
    return this.#paint({
      given,
      sources: given.images,
      asks: true,
      purpose,
      claim,
      texts: {
        buttons: [
          'improve',
          'model',
          'background',
          ...(given.size === undefined ? ['size' as const] : []),
          'style',
        ],
      },
      isSizeOfDocument: true,
      stillNeeded,
    });
  }

  /**
   * Asks for the prompt of the background of a social card, and starts to make it.
   *
   * @param page the name of the page that the card is for
   * @returns undefined when nothing was started, which the user knows
   */
  async proposeCard({ given, socialCard }: ProposedImage, page: string): Promise<Task | undefined> {
    return this.#reporting(true, async () => {
      const texts = cardTexts(page);
      const purpose = { ...(socialCard && { socialCard }) };
      const [task] = await this.#start({ given, asks: true, purpose, texts, isSizeOfDocument: true });
      return task;
    });
  }

  /** Says what proposed images would cost, and at which service; undefined while no service or model is set. */
  runText(proposed: readonly ProposedImage[]): string | undefined {
    return this.#services.questions.runText(proposed.map(({ given }) => given));
  }

  /**
   * Makes new images together, each as it is proposed. All requests are checked before the first is sent.
   *
   * @param title says what they are
   * @param stillNeeded called once nothing more is asked; only what is needed then is made
   * @throws LimnerError of the first that could not be started; the others go on
   */
  async makeAll(title: string, proposed: readonly ProposedImage[], stillNeeded: StillNeeded): Promise<void> {
    const { limits, requests, runs, service } = this.#services;
    const baseUrl = await service.readyOrSetUp();
    const id = randomUUID();
    const built = new Map<ProposedImage, TaskRequest>();
    for (const [index, image] of proposed.entries()) {
      const { given, claim: _, keepsBackground = false, isSizeOfStyle, ...purpose } = image;
      const order = {
        ...(await this.#assume(given, purpose, { keepsBackground })),
        isSizeOfDocument: given.size !== undefined && !isSizeOfStyle,
        purpose: { ...purpose, batch: { id, title, index } },
        asks: true,
      };
      built.set(image, await requests.build(baseUrl, order));
    }
    const confirmed = await limits.confirm([...built.values()]);
    const images = await stillNeeded();
    const needed = [...built].filter(([image]) => images.includes(image));
    await runs.followTogether(
      needed.map(async ([{ claim }, request]) => this.#send(request, confirmed, claim)),
    );
  }

  /**
   * Starts the run of a draft, with the same checks as a command. The caller shows how it ends.
   *
   * @param draft the model and the style in it
   * @param read returns the rest of the order; called once a request may be sent
   * @throws LimnerError when something is missing or wrong, with buttons that fix it
   * @throws vscode.CancellationError when the user declined
   */
  async startDraft(
    draft: Parameters<Models['ofDraft']>[0] & { style: string },
    read: () => Promise<Omit<PaintOrder, 'model'>>,
    purpose: Purpose = {},
  ): Promise<Task> {
    const { limits, models, service, requests, styles } = this.#services;
    const baseUrl = await service.ready();
    const chosen = models.ofDraft(draft) ?? models.choose();
    const style = await styles.choose(draft.style);
    const order = { ...(await read()), style };
    const isSizeOfDocument = purpose.socialCard !== undefined;
    const request = await requests.build(baseUrl, { ...order, model: chosen, purpose, isSizeOfDocument });
    await warnOfLargeImages(order.images ?? []);
    return this.#send(request, await limits.confirm([request]));
  }

  /**
   * Starts the images of a draft's set together, with the same checks as a command: of all of them, before the first is
   * sent. The caller shows how they end.
   *
   * @param read returns the orders of the images in a style; called once requests may be sent
   * @throws as `startDraft`
   */
  async startSet(
    draft: Parameters<Models['ofDraft']>[0] & { style: string },
    title: string,
    read: (style: ChosenStyle | undefined) => Promise<readonly Omit<PaintOrder, 'model'>[]>,
  ): Promise<Promise<Task>[]> {
    const { limits, models, service, requests, styles } = this.#services;
    const baseUrl = await service.ready();
    const chosen = models.ofDraft(draft) ?? models.choose();
    const style = await styles.choose(draft.style);
    const orders = await read(style);
    const id = randomUUID();
    const built: TaskRequest[] = [];
    for (const [index, order] of orders.entries()) {
      const purpose = { batch: { id, title, index } };
      built.push(await requests.build(baseUrl, { ...order, style, model: chosen, purpose }));
    }
    await warnOfLargeImages(orders[0]?.images ?? []);
    const isConfirmed = await limits.confirmRepeat(built);
    const confirmed = isConfirmed ? await limits.withinBudget(built) : await limits.confirm(built);
    return built.map(async (request) => this.#send(request, confirmed));
  }

  /** Asks unless a prompt is given; then, a key that is held down starts one run. @param call tells runs apart */
  async #run(
    call: readonly unknown[],
    given: PaintArguments,
    sources: readonly ImageSource[] | undefined,
  ): Promise<TaskOutcome | undefined> {
    return given.prompt === undefined
      ? this.#paint({ given, sources, asks: true })
      : this.#repeats.once(JSON.stringify(call), async () => this.#paint({ given, sources, asks: false }));
  }

  /** Runs the whole flow and follows the tasks to their end. @returns the first outcome */
  async #paint(options: PaintOptions): Promise<TaskOutcome | undefined> {
    const { asks } = options;
    const started = (await this.#reporting(asks, async () => this.#start(options))) ?? [];
    const ends = await Promise.allSettled(started.map(async (task) => this.#services.runs.follow(task)));
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (!asks && errors.length > 0) {
      throw asRejection(errors[0]);
    }
    await reportFailures(this.#services.log, errors, started.length);
    return ends.find((end) => end.status === 'fulfilled')?.value;
  }

  /** Asks, builds, limits, and sends. @returns the tasks that are being started; empty if none is needed any more */
  async #start(options: PaintOptions): Promise<Promise<Task>[]> {
    const { claim, stillNeeded } = options;
    const { questions } = this.#services;
    const { baseUrl, order } = await this.#ask(options);
    const built = await this.#build(baseUrl, order);
    const confirmed = await this.#limit(order, built);
    return (await stillNeeded?.())?.length === 0
      ? []
      : built.map(async (request) => {
          const task = await this.#send(request, confirmed, claim);
          if (options.asks) {
            questions.wasSent(request);
          }
          return task;
        });
  }

  /** Asks for what the arguments leave open, or takes it from the settings. */
  async #ask(options: PaintOptions): Promise<{ baseUrl: string; order: PaintOrder }> {
    const { given, sources, asks, purpose, texts } = options;
    const { questions, requests, service } = this.#services;
    const baseUrl = await (asks ? service.readyOrSetUp() : service.ready());
    // Otherwise the typed prompt would be lost.
    requests.requireOneAtATime(given);
    const { images, mask } = await requests.inputs(sources, given.mask);
    if (!asks) {
      return { baseUrl, order: { ...(await this.#assume(given, purpose, { sources })), images, mask, asks } };
    }
    await warnOfLargeImages(images ?? []);
    const usual = images ? editTexts(images) : generateTexts();
    const chosen = options.style ?? (await this.#styleOf(given, sources));
    const from = { style: chosen, keeps: keptBy(given, purpose) };
    const { baseUrl: told, ...answers } = await questions.ask(baseUrl, given, { ...usual, ...texts }, from);
    const isGivenSize = given.size !== undefined && answers.size === given.size;
    const isSizeOfDocument = isGivenSize && options.isSizeOfDocument === true;
    return { baseUrl: told, order: { ...answers, images, mask, isSizeOfDocument, purpose, asks } };
  }

  /** Returns an image with what the style of new images decides, so that lists tell what it will be, and cost. */
  async withStyle({ given, ...image }: ProposedImage): Promise<ProposedImage> {
    const style = await this.#styleOf(given, undefined);
    return {
      ...image,
      given: { ...styled(given, style, keptBy(given, image)), style: style?.name ?? '' },
      isSizeOfStyle: given.size === undefined,
    };
  }

  /** Takes what the arguments leave open from the style, or else from the settings. */
  async #assume(
    given: PaintArguments,
    purpose: Purpose = {},
    {
      sources,
      keepsBackground = false,
    }: { sources?: PaintOptions['sources']; keepsBackground?: boolean } = {},
  ): Promise<Omit<PaintOrder, 'asks'>> {
    const style = await this.#styleOf(given, sources);
    const keeps = keptBy(given, purpose);
    const full = styled(given, style, { ...keeps, background: keeps.background || keepsBackground });
    const model = this.#services.models.choose(full.model);
    return { ...full, style, prompt: given.prompt ?? '', model, images: undefined, mask: undefined };
  }

  /** Returns the style of a run: the one that is given, or else that of new images. */
  async #styleOf(
    { style, folder }: PaintArguments,
    sources: readonly ImageSource[] | undefined,
  ): Promise<ChosenStyle | undefined> {
    const place = folder instanceof vscode.Uri ? folder : undefined;
    return this.#services.styles.choose(style ?? (sources ? '' : undefined), place);
  }

  /** Builds the request of an order, or one for each of its images where the model takes fewer at a time. */
  async #build(baseUrl: string, order: PaintOrder): Promise<TaskRequest[]> {
    const { asks, images = [], model } = order;
    const isOneByOne = asks && images.length > maxInputsOf(model);
    const built: TaskRequest[] = [];
    for (const group of isOneByOne ? images.map((image) => [image]) : [order.images]) {
      built.push(await this.#services.requests.build(baseUrl, { ...order, images: group }));
    }
    return built;
  }

  /** Asks before requests that go beyond a limit. @returns how they are sent */
  async #limit({ asks, model }: PaintOrder, built: readonly TaskRequest[]): Promise<StartOptions> {
    const { limits } = this.#services;
    const confirmed = await (built.length > 1
      ? limits.confirmOneByOne(built, modelName(model), maxInputsOf(model))
      : limits.confirm(built));
    if (asks) {
      await limits.confirmRepeat(built);
    }
    return confirmed;
  }

  /** Sends a request as it was confirmed. @throws vscode.CancellationError when the user declines a later question */
  async #send(request: TaskRequest, confirmed: StartOptions, claim?: Claim): Promise<Task> {
    const { engine, limits } = this.#services;
    const { runner } = await engine.get();
    return limits.send(request, confirmed, async (how) => runner.start(request, { ...how, claim }));
  }

  /** Returns an input of a task as it was sent, as long as Limner has that; otherwise its file as it is now. */
  async #asSent(input: TaskInput): Promise<vscode.Uri | InputImage> {
    const { keptFiles } = await this.#services.engine.get();
    const original = vscode.Uri.parse(input.uri, true);
    const path = await keptFiles.whereabouts(input);
    return path === undefined
      ? original
      : { original, name: input.name, input, dimensions: await dimensionsOf(path) };
  }

  /** Reports a failure if a user runs the command; otherwise throws it to the caller. */
  async #reporting<T>(asks: boolean, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!asks) {
        throw asRejection(error);
      }
      await reportFailure(this.#services.log, error);
      return undefined;
    }
  }
}

/** Returns what no style decides: the size of a masked edit, and a background that needs to be there. */
function keptBy(
  { mask }: PaintArguments,
  purpose: Purpose | undefined,
): { size: boolean; background: boolean } {
  return { size: mask !== undefined, background: purpose?.socialCard !== undefined };
}
