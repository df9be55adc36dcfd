import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSameFile } from '../../common/fileUris.ts';
import { typedSize, usualSizes } from '../../common/requestValues.ts';
import { runText } from '../../engine/messages/costText.ts';
import { billAhead, type RunAhead } from '../../engine/task/spending.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { maxImages } from '../../engine/store/taskRow.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import * as commands from '../window/commandIds.ts';
import * as settingNames from '../window/settingNames.ts';
import type { LanguageModels, PromptWriter } from './promptWriter.ts';
import { reportFailure } from '../ask/refusal.ts';
import { type ChosenStyle, styleFacts, type Styles } from '../ask/styles.ts';
import { styled } from '../../engine/operations/style.ts';
import { plainText } from '../window/plainText.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import { AnsweredInput, askPick, askPrompt, askText } from './inputSteps.ts';
import { modelName } from './models.ts';
import type { ModelPicker } from './modelSteps.ts';
import type { PaintArguments } from './paintArguments.ts';
import { maxInputsOf } from '../../engine/operations/modelRules.ts';
import { billedCount, defaultsFor, type PaintOrder, type RequestServices } from './paintRequest.ts';
import { buttonsFor, folderName, type PromptButton, type QuestionTexts, textBelow } from './questionTexts.ts';
import { folderWithoutWorkspace, pickFolder } from './saveTarget.ts';
import type { ServiceConnection } from './serviceConnection.ts';

/** An order without its images, and the service that the user was told of. */
export interface PaintAnswers extends Omit<PaintOrder, 'asks'> {
  baseUrl: string;
}

/** The style that a run begins with, and what it doesn't decide. */
export interface FromStyle {
  style: ChosenStyle | undefined;
  keeps: Parameters<typeof styled>[2];
}

/** Answers so far. */
interface Answering extends PaintAnswers {
  /** Whether the user chose the model, rather than a style or the settings. */
  isOwnModel: boolean;
  keeps: FromStyle['keeps'];
  /** Names of the styles that can be chosen. */
  styles: readonly string[];
}

/** The number of newest tasks that are searched for earlier prompts. */
const searched = 200;
/** The number of earlier prompts that are offered. */
const offered = 20;

export interface QuestionServices extends RequestServices {
  service: ServiceConnection;
  names: ServiceNames;
  picker: ModelPicker;
  languageModels: LanguageModels;
  writer: PromptWriter;
  styles: Styles;
  log: vscode.LogOutputChannel;
}

/** Asks for the prompt and the options of a run. */
export class PaintQuestions {
  readonly #services: QuestionServices;
  /** The folder that was last chosen for new images, kept until the window closes. */
  #folder: PaintAnswers['folder'];
  /** Prompts that were typed but not sent, kept until the window closes. */
  readonly #unsent = new Map<TaskRequest['kind'], string>();

  constructor(services: QuestionServices) {
    this.#services = services;
  }

  /**
   * Asks for the prompt in a box whose title says what Enter will do and whose buttons change it. What they change
   * holds for one run; only the model and the folder of new images stay.
   *
   * @param baseUrl of the service in use, which is ready
   * @throws LimnerError `invalid_request` when there is no model
   * @throws vscode.CancellationError when the user dismissed the box, or continued in the studio
   */
  async ask(
    baseUrl: string,
    given: PaintArguments,
    texts: QuestionTexts,
    { style, keeps }: FromStyle,
  ): Promise<PaintAnswers> {
    const { service, styles } = this.#services;
    const isNew = texts.kind === 'generate';
    if (isNew && given.folder === undefined && !vscode.workspace.workspaceFolders?.length) {
      // Asks before a prompt is typed, since opening a folder would lose it.
      this.#folder ??= await folderWithoutWorkspace();
    }
    const answers: Answering = {
      ...given,
      style,
      keeps,
      styles: await styles.names(),
      isOwnModel: given.model !== undefined,
      folder: given.folder ?? (isNew ? this.#folder : undefined),
      baseUrl,
      prompt: given.prompt ?? '',
      model: await this.#model(texts, given.model ?? style?.model),
      images: undefined,
      mask: undefined,
    };
    const earlier = await this.#earlierPrompts(texts.kind);
    let typed = '';
    let box = new AnsweredInput();
    try {
      for (;;) {
        const button = await this.#askPrompt(answers, typed, texts, earlier, box);
        typed = answers.prompt;
        if (button === 'improve') {
          earlier.unshift(answers.prompt);
          answers.prompt = await this.#improve(answers.prompt, texts.kind, box.dismissed);
          if (!box.dismissed.isCancellationRequested) {
            continue;
          }
        }
        box.close();
        box = new AnsweredInput();
        if (button === 'studio') {
          await continueInStudio(answers, texts);
          answers.prompt = '';
          throw new vscode.CancellationError();
        } else if (button === undefined) {
          if (service.isInUse(answers)) {
            return entered(answers);
          }
          // Another service was configured meanwhile, from the box or from another window: the title must name it first.
          typed = '';
          answers.baseUrl = await service.readyOrSetUp();
          answers.model = await this.#model(texts, answers.style?.model);
        } else if (button !== 'improve') {
          await this.#change(button, answers, { given, texts });
        }
      }
    } finally {
      box.close();
      const { prompt } = answers;
      if (prompt.trim() !== '' && prompt !== given.prompt) {
        this.#unsent.set(texts.kind, prompt);
      }
    }
  }

  /** Forgets a prompt that was typed, now that it is sent. */
  wasSent({ kind, prompt }: Pick<TaskRequest, 'kind' | 'prompt'>): void {
    if (this.#unsent.get(kind)?.trim() === prompt) {
      this.#unsent.delete(kind);
    }
  }

  async #model({ title }: QuestionTexts, asked?: string): Promise<ModelEntry> {
    const { models, picker } = this.#services;
    return models.implied(models.configured(), asked) ?? picker.pick(title);
  }

  /**
   * Asks for the prompt.
   *
   * @param typed what the user typed before
   * @param earlier the prompts to offer, the last one first
   * @param box the box before, which stays open until this one is shown
   * @returns the button that was pressed; undefined after Enter
   */
  async #askPrompt(
    answers: Answering,
    typed: string,
    texts: QuestionTexts,
    earlier: readonly string[],
    box: AnsweredInput,
  ): Promise<PromptButton | undefined> {
    const { languageModels } = this.#services;
    languageModels.look();
    const { style, styles } = answers;
    const named = style?.name ?? (styles.length > 0 ? '' : undefined);
    const buttons = buttonsFor(texts, answers.model, named, entered(answers).background !== undefined);
    const [improve] = buttons.keys();
    const question = {
      title: await this.#titleOf(answers, texts),
      prompt: textBelow(answers.model, texts),
      placeholder: texts.placeholder,
      value: answers.prompt,
      isTyped: answers.prompt === typed,
      unsent: this.#unsent.get(texts.kind),
      earlier: [...new Set(earlier)],
      onDidType: (text: string): void => {
        answers.prompt = text;
      },
      buttons: () => [...buttons.keys()].slice(languageModels.areThere ? 0 : 1),
      onDidChangeButtons: languageModels.onDidChange,
      needsText: improve,
    };
    const { prompt, button } = await askPrompt(question, box);
    answers.prompt = prompt;
    return button && buttons.get(button);
  }

  /**
   * Says what runs of one model would make and cost, and at which service; undefined while no service or model is set.
   *
   * @param model of all runs; by default, as the first says
   * @param most images of one run, where the model's entry doesn't say
   */
  runText(
    given: readonly PaintArguments[],
    model = this.#services.models.usual(given[0]?.model),
    most = maxImages,
  ): string | undefined {
    const { settings } = this.#services;
    return model && settings.baseUrl !== ''
      ? this.#textOf(
          given.map(({ n, images, ...one }) =>
            this.#ahead(
              { ...one, model, n: n === undefined ? n : possibleCount(model, n, most) },
              images?.length ? 'edit' : 'generate',
            ),
          ),
        )
      : undefined;
  }

  #textOf(runs: readonly RunAhead[]): string {
    return runText(billAhead(runs, vscode.env.language), this.#services.names.inUse);
  }

  /** Returns what is known of a run before its request is built. */
  #ahead(
    order: Pick<PaintOrder, 'model' | 'n' | 'size' | 'quality' | 'fit' | 'background' | 'twoGrounds'>,
    kind: TaskRequest['kind'],
    runs = 1,
  ): RunAhead {
    const { models, names, settings } = this.#services;
    const usual = defaultsFor(settings, kind);
    const { size = usual.size, quality = usual.quality } = order;
    const price = models.priceAhead(order.model, { ...order, size, quality });
    return {
      n: runs * billedCount(order, usual.n),
      ...(price && { price }),
      ...(names.isDemo && { free: true }),
    };
  }

  /** Returns the title of the box, which says what Enter will do. */
  async #titleOf(answers: Answering, { kind, title, edited = [] }: QuestionTexts): Promise<string> {
    const order = entered(answers);
    const { model, folder } = order;
    const { folders, settings, targets } = this.#services;
    const { size = defaultsFor(settings, kind).size } = order;
    const runs = edited.length > maxInputsOf(model) ? edited.length : 1;
    // Edits of one image each are saved beside it, one of several images beside the first.
    const beside = edited
      .slice(0, runs)
      .map(({ original }) => String(original && vscode.Uri.joinPath(original, '..')));
    const isKnown = folder !== undefined || edited.length > 0 || folders.known !== undefined;
    const isOneFolder = folder !== undefined || (isKnown && new Set(beside).size <= 1);
    const intended = { folder, original: edited[0]?.original, asks: false };
    return [
      title,
      modelName(model),
      this.#textOf([this.#ahead(order, kind, runs)]),
      ...(model.family === 'image' && size !== '' ? [size.replace('x', ' × ')] : []),
      ...(order.background ? [l10n.t('transparent')] : []),
      ...(order.style ? [l10n.t('Style: {0}', order.style.name)] : []),
      ...(isOneFolder ? [folderName(await targets.intended(intended))] : []),
    ].join(' · ');
  }

  /** Returns the improved prompt; the typed one when the user cancels that, and when it fails, which is shown. */
  async #improve(
    prompt: string,
    kind: TaskRequest['kind'],
    dismissed: vscode.CancellationToken,
  ): Promise<string> {
    try {
      return await this.#services.writer.improve(prompt.trim(), kind, dismissed);
    } catch (error) {
      void reportFailure(this.#services.log, error);
      return prompt;
    }
  }

  /** Asks for one part of the run. Dismissing the question changes nothing and keeps the typed prompt. */
  async #change(
    part: Exclude<PromptButton, 'improve' | 'studio'>,
    answers: Answering,
    { given, texts }: { given: PaintArguments; texts: QuestionTexts },
  ): Promise<void> {
    const { kind, title } = texts;
    try {
      switch (part) {
        case 'model':
          answers.model = await this.#services.picker.pick(title, answers.model);
          answers.isOwnModel = true;
          break;
        case 'background':
          answers.background = entered(answers).background ? undefined : 'transparent';
          // From here on, the style doesn't decide it.
          answers.keeps = { ...answers.keeps, background: true };
          break;
        case 'size':
          Object.assign(answers, await this.#askSize(answers, given, title));
          break;
        case 'count':
          answers.n = await this.#askCount(answers, texts);
          break;
        case 'style':
          answers.style = await this.#askStyle(answers, title);
          if (!answers.isOwnModel) {
            answers.model = await this.#model(texts, answers.style?.model);
          }
          break;
        case 'folder':
          answers.folder = (await pickFolder()) ?? answers.folder;
          if (kind === 'generate') {
            this.#folder = answers.folder;
          }
          break;
      }
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        throw error;
      }
    }
  }

  /** Asks for a size of the model, or any other, to which Limner then crops what the service returns. */
  async #askSize(
    answers: Answering,
    given: PaintArguments,
    title: string,
  ): Promise<Pick<PaintAnswers, 'size' | 'fit'>> {
    const { settings } = this.#services;
    const { model, size = settings.forNewImages.size } = entered(answers);
    const { sizes = [] } = model;
    const itemOf = (one: string): SizeItem => ({
      label: one === '' ? l10n.t('Auto') : one.replace('x', ' × '),
      answer: { size: one, fit: given.fit },
    });
    const items = [...(sizes.length > 0 ? sizes : usualSizes), ''].map(itemOf);
    const usualFit = given.fit ?? settings.finishing().fit;
    const reply = await askPick<SizeItem>({
      title,
      placeholder: l10n.t('Choose a size, or type one, such as 1200x630'),
      prompt: forOneRun(),
      noneText: l10n.t('Enter width and height in pixels, such as 1200x630.'),
      items,
      active: items.find(({ answer }) => answer.size === size),
      buttons: [keepButton()],
      typed: (text) => {
        const typed = typedSize(text);
        const offered = items.find(({ answer }) => answer.size === typed);
        return typed === undefined || offered
          ? offered
          : { ...itemOf(typed), answer: { size: typed, fit: usualFit === 'off' ? 'crop' : usualFit } };
      },
    });
    if (reply.kind === 'back') {
      return { size: answers.size, fit: answers.fit };
    }
    const { answer } = reply.value;
    if (reply.kind === 'button') {
      await settings.update(settingNames.size, answer.size);
    }
    return answer;
  }

  /** Asks for a style; the first item takes it off. */
  async #askStyle(
    { style: before, styles: names }: Answering,
    title: string,
  ): Promise<ChosenStyle | undefined> {
    const { styles } = this.#services;
    const items = names.map(async (name) => {
      const style = await styles.find(name).catch(() => undefined);
      return {
        label: plainText(name),
        detail: plainText(style ? styleFacts(style).join(' · ') : l10n.t("This style can't be read")),
        name,
      };
    });
    const all = [{ label: l10n.t('None'), detail: '', name: '' }, ...(await Promise.all(items))];
    const reply = await askPick({
      title,
      placeholder: l10n.t('Choose a style'),
      prompt: l10n.t('This run only; the setting "{0}" is for all new images', settingNames.style),
      items: all,
      active: all.find(({ name }) => name === (before?.name ?? '')),
    });
    try {
      return reply.kind === 'answer' ? await styles.choose(reply.value.name) : before;
    } catch (error) {
      void reportFailure(this.#services.log, error);
      return before;
    }
  }

  async #askCount({ model, n }: PaintAnswers, { kind, title }: QuestionTexts): Promise<number> {
    const { settings } = this.#services;
    const usual = n ?? defaultsFor(settings, kind).n;
    const most = possibleCount(model, maxImages);
    const isNew = kind === 'generate';
    const question = l10n.t('Number of images, 1 to {0}', most);
    const reply = await askText({
      title,
      prompt: isNew ? `${question}. ${forOneRun()}` : question,
      value: String(possibleCount(model, usual)),
      buttons: isNew ? [keepButton()] : [],
      invalid: (text) =>
        /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most
          ? undefined
          : l10n.t('Enter a number from 1 to {0}.', most),
    });
    if (reply.kind === 'back') {
      return usual;
    }
    if (reply.kind === 'button') {
      await settings.update(settingNames.count, Number(reply.value));
    }
    return Number(reply.value);
  }

  /** Returns the earlier prompts of this workspace, newest first, without duplicates. */
  async #earlierPrompts(kind: TaskRequest['kind']): Promise<string[]> {
    const { store } = await this.#services.engine.get();
    const roots = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.toString()) ?? [];
    const prompts = store
      .list({ limit: searched })
      .filter(
        ({ request }) => request.kind === kind && roots.some((root) => isSameFile(root, request.target.root)),
      )
      .map(({ request }) => request.prompt);
    return [...new Set(prompts)].slice(0, offered);
  }
}

type SizeItem = vscode.QuickPickItem & { answer: Pick<PaintAnswers, 'size' | 'fit'> };

function keepButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('pin'), tooltip: l10n.t('Use for All New Images') };
}

function forOneRun(): string {
  return l10n.t('This run only; the pin above keeps it for all new images');
}

/** Continues in the studio with what was entered. */
async function continueInStudio(answers: Answering, { edited = [] }: QuestionTexts): Promise<void> {
  const { prompt, model, size, n, folder, background, style } = entered(answers);
  const images = edited.map(({ original, input }) => original ?? vscode.Uri.file(input.path));
  const composition = {
    prompt,
    model: model.id,
    size,
    n,
    folder,
    background,
    images,
    style: style?.name ?? '',
  };
  await vscode.commands.executeCommand(commands.openStudio, composition);
}

/**
 * Returns the answers as the title says them: with what the style decides, and no more images than the model makes,
 * should another one have been chosen.
 */
function entered(answering: Answering): PaintAnswers {
  const { keeps, isOwnModel: _, styles: __, ...answers } = answering;
  const { model, n, style } = answers;
  return {
    ...answers,
    ...styled({ ...answers, model: undefined }, style, keeps),
    model,
    n: n === undefined ? undefined : possibleCount(model, n),
  };
}

/** Returns how many images a model makes in one run where so many are wanted. */
function possibleCount({ maxCount }: ModelEntry, wanted: number, most = maxImages): number {
  return Math.min(maxCount ?? most, wanted);
}
