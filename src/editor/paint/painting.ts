// Room: from what was asked for to saved files: arguments, questions, service, inputs, target, run.
// Never: tasks that exist already.

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { askedSize } from '../../common/askedSize.ts';
import { type ErrorCode, isLimnerError } from '../../common/limnerError.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { Claim } from '../../tasks/claim.ts';
import { asOrdered, imageCount, isOnBlack } from '../../tasks/files/onTwoGrounds.ts';
import type { Task, TaskInput, TaskRequest } from '../../tasks/task.ts';
import { asRejection, reportFailure } from '../questions/refusal.ts';
import * as commands from '../commandIds.ts';
import { requireConfirmation } from '../questions/confirm.ts';
import { billNote } from '../questions/costText.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { dimensionsOf, type InputImage, warnOfLargeImages } from './inputImages.ts';
import { modelName } from './models.ts';
import { argumentsOf, type PaintArguments, passedFiles, readArguments } from './paintArguments.ts';
import type { PaintQuestions, QuestionTexts } from './paintQuestions.ts';
import { maxInputsOf } from '../../tasks/requests/modelRules.ts';
import type { ImageSource, Order, PaintRequests } from './paintRequest.ts';
import { pickFolder } from './saveTarget.ts';
import { RepeatGuard } from './repeatGuard.ts';
import type { RunLimits } from '../questions/runLimits.ts';
import { sentenceAt } from './sentenceAt.ts';
import type { ServiceConnection } from './serviceConnection.ts';
import type { TaskOutcome, TaskRuns } from './taskRuns.ts';

export interface PaintingServices {
  engine: EngineHost;
  service: ServiceConnection;
  questions: PaintQuestions;
  requests: PaintRequests;
  runs: TaskRuns;
  limits: RunLimits;
  log: vscode.LogOutputChannel;
}

/** What becomes part of the requests that documents need. */
type Purpose = Pick<TaskRequest, 'reference' | 'socialCard' | 'batch'>;

/** A new image as a document needs it, with its prompt. */
export interface ProposedImage extends Purpose {
  given: PaintArguments;
  /** It is not sent where another task stands for this. */
  claim?: Claim;
}

/** Returns those of proposed images that are still needed. Where none is, the person knows. */
export type NeededOf = () => Promise<readonly ProposedImage[]>;

/** How a run differs from the usual one. */
interface Manner {
  more?: Purpose;
  claim?: Claim | undefined;
  texts?: QuestionTexts;
  /** Part of the texts, for those that are usual. */
  details?: QuestionTexts['details'];
  /** Whether a document needs the size that is given, if one is. */
  isSizeOfDocument?: boolean;
  /** Called once nothing more is asked. */
  neededOf?: NeededOf;
  /** Takes over a task that is being started. */
  follow?: (starting: Promise<Task>) => Promise<TaskOutcome | undefined>;
}

/**
 * Turns a prompt into saved files. With a prompt among the arguments, nothing is asked and a failure rejects with an
 * error that has a `code`. Run by a person, it asks for what is missing, reports failures in messages and doesn't
 * reject.
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
    if (given.images?.length) {
      return this.edit(undefined, given);
    }
    return given.prompt === undefined
      ? this.#paint(given, undefined, true)
      : this.#repeats.once(JSON.stringify([commands.generate, passed]), async () =>
          this.#paint(given, undefined, false),
        );
  }

  /**
   * Asks for the prompt of a new image, beginning with the one that is proposed, and makes it: of images, if there are
   * some. Its place, its number, and the size that a document asks for are not to be changed.
   *
   * @param neededOf called once nothing more is asked; without it, the image is needed
   */
  async propose(image: ProposedImage, neededOf?: NeededOf): Promise<TaskOutcome | undefined> {
    const { given, claim, ...more } = image;
    const details = ['improve', 'model', ...(given.size === undefined ? ['size' as const] : [])] as const;
    return this.#paint(given, given.images, true, {
      more,
      claim,
      details,
      isSizeOfDocument: true,
      ...(neededOf && { neededOf }),
    });
  }

  /** Returns in words what proposed images would cost; undefined where no price says it. */
  costText(proposed: readonly ProposedImage[]): string | undefined {
    return this.#services.questions.costText(proposed.map(({ given }) => given));
  }

  /**
   * Asks for the prompt of the background of a social card, and starts to make it.
   *
   * @param page the name of the page that the card is for
   * @returns undefined when nothing was started, which the person knows
   */
  async proposeCard({ given, ...more }: ProposedImage, page: string): Promise<Task | undefined> {
    let started: Task | undefined;
    const follow = async (starting: Promise<Task>): Promise<undefined> => {
      started = await starting;
    };
    const texts = cardTexts(page);
    await this.#paint(given, undefined, true, { more, texts, isSizeOfDocument: true, follow });
    return started;
  }

  /**
   * Makes new images together, each as it is proposed. All requests are checked before the first is sent.
   *
   * @param title says what they are
   * @param neededOf called once nothing more is asked; only what is needed then is made
   * @throws LimnerError of the first that could not be started; the others go on
   */
  async makeAll(title: string, proposed: readonly ProposedImage[], neededOf: NeededOf): Promise<void> {
    const { engine, limits, questions, requests, runs } = this.#services;
    const baseUrl = await this.#ready(true);
    const id = randomUUID();
    const built = new Map<ProposedImage, TaskRequest>();
    for (const [index, image] of proposed.entries()) {
      const { given, claim: _, ...more } = image;
      const { prompt = '' } = given;
      const order = { ...given, ...questions.assume(given), prompt, images: undefined, mask: undefined };
      const isSizeOfDocument = given.size !== undefined;
      const request = await requests.build(baseUrl, { ...order, isSizeOfDocument, asks: true });
      built.set(image, { ...request, ...more, batch: { id, title, index } });
    }
    const options = await limits.confirm([...built.values()]);
    const { runner } = await engine.get();
    const images = await neededOf();
    const needed = [...built].filter(([image]) => images.includes(image));
    await runs.followTogether(
      needed.map(async ([{ claim }, request]) =>
        limits.send(request, options, async (how) => runner.start(request, { ...how, claim })),
      ),
    );
  }

  /** `limner.generateFromSelection`: uses the selected text as the prompt, or the sentence at the cursor. */
  async generateFromSelection(): Promise<TaskOutcome | undefined> {
    const prompt = promptIn(vscode.window.activeTextEditor);
    if (prompt === '') {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'Select the text that describes the image, or put the cursor in a sentence, then run the command again.',
        ),
      );
      return undefined;
    }
    return this.#repeats.once(JSON.stringify([commands.generateFromSelection, prompt]), async () =>
      this.#paint({ prompt }, undefined, true),
    );
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
    const files = [...passed, ...(given.images ?? [])];
    return given.prompt === undefined
      ? this.#paint(given, files, true)
      : this.#repeats.once(JSON.stringify([commands.edit, first, second]), async () =>
          this.#paint(given, files, false),
        );
  }

  /**
   * `limner.task.runWithChanges`: asks for a prompt, beginning with that of a task, and runs it with the task's options,
   * inputs and target. At another service than the task's, the model is that of the settings. It makes the image for
   * which the task failed, if that was one for a document or of several that were made together.
   */
  async runWithChanges(task: Task): Promise<TaskOutcome | undefined> {
    const request = asOrdered(task.request);
    const { prompt, model, quality, n, target, images, mask, socialCard } = request;
    const isSaved = task.results.some(({ state }) => state === 'saved');
    const { reference, batch } = isSaved ? {} : request;
    const size = askedSize(request);
    const given: PaintArguments = {
      prompt,
      ...(this.#services.service.isInUse(request) && { model }),
      ...(size !== undefined && { size }),
      ...(quality !== undefined && { quality }),
      ...argumentsOf(request),
      n,
      folder: vscode.Uri.parse(target.folder, true),
      fileName: target.fileName,
      ...(mask && { mask: vscode.Uri.file(mask.path) }),
    };
    const inputs = images && (await Promise.all(images.map(async (image) => this.#asSent(image))));
    const isSizeOfDocument = request.size !== undefined && request.size !== size;
    return this.#paint(given, inputs, true, {
      more: { ...(socialCard && { socialCard }), ...(reference && { reference }), ...(batch && { batch }) },
      ...(reference && { details: ['improve', 'model'] }),
      isSizeOfDocument,
    });
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

  /**
   * Starts the run of a draft, with the same checks as a command. The caller shows how it ends.
   *
   * @param model ID of the requested model
   * @param read returns the rest of the order; called once a request may be sent
   * @param more becomes part of the request
   * @throws LimnerError when something is missing or wrong, with buttons that fix it
   * @throws vscode.CancellationError when the person declined
   */
  async start(
    model: string | undefined,
    read: () => Promise<Omit<Order, 'model'>>,
    more: Purpose = {},
  ): Promise<Task> {
    const { engine, limits, service, questions, requests } = this.#services;
    const baseUrl = await service.ready();
    const chosen = questions.assume({ model });
    const order = await read();
    const isSizeOfDocument = more.socialCard !== undefined;
    const request = await requests.build(baseUrl, { ...chosen, ...order, isSizeOfDocument });
    await warnOfLargeImages(order.images ?? []);
    const options = await limits.confirm([request]);
    const { runner } = await engine.get();
    return limits.send(request, options, async (how) => runner.start({ ...request, ...more }, how));
  }

  /** @param files the files to edit, the active one if empty; undefined for a new image */
  async #paint(
    given: PaintArguments,
    files: readonly ImageSource[] | undefined,
    asks: boolean,
    manner: Manner = {},
  ): Promise<TaskOutcome | undefined> {
    const { engine, limits, questions, requests, runs } = this.#services;
    const { more, claim, details, follow = async (starting) => runs.follow(starting) } = manner;
    const outcomes: Promise<TaskOutcome | undefined>[] = [];
    try {
      const baseUrl = await this.#ready(asks);
      if (asks && !files && given.folder === undefined && !vscode.workspace.workspaceFolders?.length) {
        // Asks before a prompt is typed, since opening a folder would lose it.
        return await this.#paint({ ...given, folder: await folderWithoutWorkspace() }, files, asks, manner);
      }
      const images = files && (await requests.images(files));
      const mask = images && (await requests.mask(given));
      if (asks) {
        await warnOfLargeImages(images ?? []);
      }
      const texts = manner.texts ?? (images ? editTexts(images) : generateTexts());
      const choices = asks
        ? await questions.ask(given, { ...texts, ...(details && { details }) })
        : { prompt: given.prompt ?? '', ...questions.assume(given) };
      if (asks && !this.#services.service.isInUse({ baseUrl })) {
        // Another service was configured meanwhile, from the box or from another window: the title must name it first.
        const again = { ...given, prompt: choices.prompt };
        delete again.model;
        return await this.#paint(again, files, asks, manner);
      }
      const isOneByOne = asks && images !== undefined && images.length > maxInputsOf(choices.model);
      const isGivenSize = given.size !== undefined && choices.size === given.size;
      const isSizeOfDocument = isGivenSize && manner.isSizeOfDocument === true;
      const order = { ...given, ...choices, mask, isSizeOfDocument, asks };
      const built: TaskRequest[] = [];
      for (const group of isOneByOne ? images.map((image) => [image]) : [images]) {
        const request = await requests.build(baseUrl, { ...order, images: group });
        built.push({ ...request, ...more });
      }
      if (isOneByOne) {
        await confirmOneByOne(choices.model, built);
      }
      const options = await (isOneByOne ? limits.withinBudget(built) : limits.confirm(built));
      const { runner, store } = await engine.get();
      if (asks) {
        await confirmRepeat(
          built,
          store.list({ limit: 2 }).find(({ request }) => !isOnBlack(request)),
        );
      }
      if ((await manner.neededOf?.())?.length === 0) {
        return undefined;
      }
      for (const request of built) {
        const outcome = follow(
          limits.send(request, options, async (how) => runner.start(request, { ...how, claim })),
        );
        outcomes.push(outcome.catch(async (error: unknown) => this.#fail(error, asks)));
      }
    } catch (error) {
      return this.#fail(error, asks);
    }
    return (await Promise.all(outcomes)).find((outcome) => outcome !== undefined);
  }

  /** Returns the base URL once a request may be sent; asks a person for what is missing. */
  async #ready(asks: boolean): Promise<string> {
    try {
      return await this.#services.service.ready();
    } catch (error) {
      if (!asks || !isLimnerError(error) || !(await offerSetup(error.code))) {
        throw error;
      }
    }
    try {
      return await this.#services.service.ready();
    } catch (error) {
      if (isLimnerError(error) && error.code === 'no_key') {
        // The person dismissed the question for it.
        throw new vscode.CancellationError();
      }
      throw error;
    }
  }

  /** Reports a failure if a person runs the command; otherwise throws it to the caller. */
  async #fail(error: unknown, asks: boolean): Promise<undefined> {
    if (!asks) {
      throw asRejection(error);
    }
    await reportFailure(this.#services.log, error);
    return undefined;
  }
}

/** Returns the text that is selected, or the sentence at the cursor. */
function promptIn(editor: vscode.TextEditor | undefined): string {
  const selected = selectedText(editor);
  if (!editor || selected !== '') {
    return selected;
  }
  const { document, selection } = editor;
  return sentenceAt(document.getText(), document.offsetAt(selection.active));
}

/** Returns the text that is selected, each of several selections on lines of its own; empty where there is none. */
export function selectedText(editor: vscode.TextEditor | undefined): string {
  return (editor?.selections ?? [])
    .map((one) => editor?.document.getText(one).trim() ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

function generateTexts(): QuestionTexts {
  return {
    kind: 'generate',
    title: vscode.l10n.t('Generate Image'),
    promptText: vscode.l10n.t('Describe the image'),
    placeholder: vscode.l10n.t('A red fox in the snow, watercolor'),
  };
}

function cardTexts(page: string): QuestionTexts {
  return {
    kind: 'generate',
    title: vscode.l10n.t('Background of the Social Card of {0}', page),
    promptText: vscode.l10n.t(
      'Describe the background. Limner puts title and site name on it. This makes 1 image, which may be billed',
    ),
    placeholder: vscode.l10n.t('Soft hills in the morning, no text, no letters'),
    details: ['improve', 'model', 'folder'],
  };
}

function editTexts(images: readonly InputImage[]): QuestionTexts {
  const [only] = images.length === 1 ? images : [];
  return {
    kind: 'edit',
    title: only ? vscode.l10n.t('Edit {0}', only.name) : vscode.l10n.t('Edit {0} Images', images.length),
    promptText: vscode.l10n.t('Describe the change'),
    placeholder: vscode.l10n.t('Make it night, with a full moon'),
    images: images.map(({ original, input }) => original ?? vscode.Uri.file(input.path)),
    beside: images.map(({ original }) => original && vscode.Uri.joinPath(original, '..')),
  };
}

async function confirmOneByOne(model: ModelEntry, built: readonly TaskRequest[]): Promise<void> {
  await requireConfirmation(
    vscode.l10n.t('Edit these {0} images one by one?', built.length),
    vscode.l10n.t('Edit Each'),
    [
      vscode.l10n.t(
        '{0} takes {1} at a time. {2} images are made in separate tasks.',
        modelName(model),
        maxInputsOf(model),
        built.reduce((sum, request) => sum + imageCount(request), 0),
      ),
      billNote(built),
    ].join(' '),
  );
}

/** Offers to set up the missing key or service. @returns whether it may be set up now */
async function offerSetup(code: ErrorCode): Promise<boolean> {
  if (code === 'no_key') {
    await vscode.commands.executeCommand(commands.setApiKey);
    return true;
  }
  if (code !== 'no_service') {
    return false;
  }
  const demo = vscode.l10n.t('Use Demo Service');
  const connect = vscode.l10n.t('Connect to a Service…');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Connect an image service first, or try the demo.'),
    demo,
    connect,
  );
  if (chosen === undefined) {
    throw new vscode.CancellationError();
  }
  await vscode.commands.executeCommand(chosen === demo ? commands.useDemoService : commands.connect);
  return true;
}

/** Asks where to save when no folder is open. */
async function folderWithoutWorkspace(): Promise<vscode.Uri> {
  const choose = vscode.l10n.t('Choose Folder…');
  const open = vscode.l10n.t('Open Folder…');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('No folder is open. Where do you want to save images?'),
    choose,
    open,
  );
  if (chosen === open) {
    await vscode.commands.executeCommand('workbench.action.files.openFolder');
  }
  const folder = chosen === choose ? await pickFolder() : undefined;
  if (!folder) {
    throw new vscode.CancellationError();
  }
  return folder;
}

/** How long repeating the last request is treated as a likely mistake, in milliseconds. */
const repeatTime = 10 * 60_000;

/** Asks before sending a request that equals the last one, if that was sent recently and may have been billed. */
async function confirmRepeat([request]: readonly TaskRequest[], last: Task | undefined): Promise<void> {
  const isRecent = last && Date.now() - last.createdAt < repeatTime && last.error?.billing !== 'no';
  if (request && isRecent && isSameRequest(request, last.request)) {
    await requireConfirmation(
      vscode.l10n.t('You just asked for exactly this. Make it again?'),
      vscode.l10n.t('Make It Again'),
      billNote([request]),
    );
  }
}

function isSameRequest(one: TaskRequest, other: TaskRequest): boolean {
  return isDeepStrictEqual(essenceOf(one), essenceOf(other));
}

/** Returns what tells requests apart: everything but where images are saved and where inputs are kept. */
function essenceOf(request: TaskRequest): unknown {
  const { images, mask } = request;
  const options = {
    ...request,
    target: undefined,
    instruction: undefined,
    price: undefined,
    startedBy: undefined,
    batch: undefined,
    reference: undefined,
    socialCard: undefined,
  };
  return { ...options, images: images?.map(({ sha256 }) => sha256), mask: mask?.sha256 };
}
