import * as vscode from 'vscode';
import { isSameFile } from '../../common/disk/fileUris.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import { maxImages } from '../../tasks/store/taskRow.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import * as commands from '../commandIds.ts';
import type { LanguageModels } from '../prompts/languageModels.ts';
import type { PromptWriter } from '../prompts/promptWriter.ts';
import { aboutText, amountText, imagesText } from '../questions/costText.ts';
import { reportFailure } from '../questions/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isSame } from '../window/files.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import type { WorkspaceFolders } from '../questions/workspaceFolders.ts';
import { AnsweredInput, askPick, askPrompt, askText } from './inputSteps.ts';
import { modelName, type Models } from './models.ts';
import type { ModelPicker } from './modelPicker.ts';
import type { PaintArguments } from './paintArguments.ts';
import { maxInputsOf, wayOf } from '../../tasks/requests/modelRules.ts';
import { usualSizes } from './paintRequest.ts';
import { pickFolder } from './saveTarget.ts';

/** The prompt and options of one run, given or chosen. */
export interface Choices extends Pick<PaintArguments, 'size' | 'n' | 'folder'> {
  prompt: string;
  model: ModelEntry;
}

/** The texts of the questions about one run. */
export interface QuestionTexts {
  kind: TaskRequest['kind'];
  title: string;
  /** Tells what to write in the prompt. */
  promptText: string;
  placeholder: string;
  /** What the buttons change, where the rest isn't the person's to choose: the image has its place. */
  details?: readonly Detail[];
  /** The images to edit. */
  images?: readonly vscode.Uri[];
  /** The folders of the images to edit, undefined for those of none: results are saved there unless `folder` is. */
  beside?: readonly (vscode.Uri | undefined)[];
}

/** What a button of the prompt box changes, or `studio` to continue there. */
type Detail = 'improve' | 'model' | 'size' | 'count' | 'folder' | 'studio';

const icons: Record<Detail, string> = {
  improve: 'sparkle',
  model: 'symbol-misc',
  size: 'screen-full',
  count: 'layers',
  folder: 'folder',
  studio: 'symbol-color',
};

/** The number of newest tasks that are searched for earlier prompts. */
const searched = 200;
/** The number of earlier prompts that are offered. */
const offered = 20;
const onlyPrompt = { step: 1, total: 1 };

export interface QuestionServices {
  engine: EngineHost;
  names: ServiceNames;
  settings: Settings;
  models: Models;
  picker: ModelPicker;
  folders: WorkspaceFolders;
  languageModels: LanguageModels;
  writer: PromptWriter;
  log: vscode.LogOutputChannel;
}

/** Completes the arguments of a run, by asking or from the settings. */
export class PaintQuestions {
  readonly #services: QuestionServices;
  /** The last changes made in the box, kept until the window closes. */
  readonly #changed: Pick<Choices, 'size' | 'n' | 'folder'> = {};

  constructor(services: QuestionServices) {
    this.#services = services;
  }

  /** Completes the arguments without asking. @throws LimnerError `invalid_request` when there is no model */
  assume({ model }: PaintArguments): Pick<Choices, 'model'> {
    return { model: this.#services.models.choose(model) };
  }

  /**
   * Asks for the prompt in a box whose title says what Enter will do and whose buttons change it. Starts from the
   * arguments and, for new images, from the last changes.
   *
   * @throws LimnerError `invalid_request` when there is no model
   * @throws vscode.CancellationError when the person dismissed the box, or continued in the studio
   */
  async ask(given: PaintArguments, texts: QuestionTexts): Promise<Choices> {
    const isNew = texts.kind === 'generate';
    if (isNew && given.folder === undefined) {
      // With several workspace folders, asks for one before a prompt is typed.
      await this.#services.folders.current(true);
    }
    const model =
      this.#services.models.implied(this.#services.models.configured(), given.model) ??
      (await this.#services.picker.pick(texts.title));
    const { size, n, folder } = given;
    const choices: Choices = {
      ...(isNew && this.#changed),
      ...(size !== undefined && { size }),
      ...(n !== undefined && { n }),
      ...(folder !== undefined && { folder }),
      prompt: given.prompt ?? '',
      model,
    };
    const earlier = await this.#earlierPrompts(texts.kind);
    for (;;) {
      const detail = await this.#askPrompt(given, choices, texts, earlier);
      const { model, n, ...others } = choices;
      // What the title says, should another model make fewer than were chosen.
      const entered = { ...others, ...(n !== undefined && { n: countOf(model, n) }) };
      if (detail === undefined) {
        return { ...entered, model };
      }
      if (detail === 'studio') {
        await vscode.commands.executeCommand(commands.openStudio, {
          ...entered,
          model: model.id,
          images: texts.images ?? [],
        });
        throw new vscode.CancellationError();
      }
      await this.#change(detail, choices, texts);
    }
  }

  /**
   * Asks for the prompt, and for a better one as often as that is wanted.
   *
   * @param earlier gets the prompts that were improved, the last one first
   * @returns what else is to be changed; undefined after Enter
   */
  async #askPrompt(
    given: PaintArguments,
    choices: Choices,
    texts: QuestionTexts,
    earlier: string[],
  ): Promise<Exclude<Detail, 'improve'> | undefined> {
    const { languageModels } = this.#services;
    languageModels.look();
    const { model } = choices;
    const buttons = buttonsFor(texts, model);
    const [improve] = buttons.keys();
    let box = new AnsweredInput();
    try {
      for (;;) {
        const question = {
          title: await this.#titleOf(choices, texts, given),
          prompt: promptText(model, texts),
          placeholder: texts.placeholder,
          value: choices.prompt,
          earlier: [...new Set(earlier)],
          buttons: () => [...buttons.keys()].slice(languageModels.areThere ? 0 : 1),
          onDidChangeButtons: languageModels.onDidChange,
          needsText: improve,
        };
        const { prompt, button } = await askPrompt(question, box);
        choices.prompt = prompt;
        const detail = button && buttons.get(button);
        if (detail !== 'improve') {
          return detail;
        }
        choices.prompt = await this.#improve(prompt, texts.kind, box.dismissed);
        earlier.unshift(prompt);
        if (box.dismissed.isCancellationRequested) {
          box = new AnsweredInput();
        }
      }
    } finally {
      box.close();
    }
  }

  /** Returns in words what runs of one model would cost together; undefined where it has no price. */
  costText(given: readonly PaintArguments[]): string | undefined {
    const { models } = this.#services;
    const model = models.implied(models.configured(), given[0]?.model);
    if (!model) {
      return undefined;
    }
    const prices = given.map((one) => ({
      images: countOf(model, one.n ?? 1) * (wayOf({ ...one, model }) === 'grounds' ? 2 : 1),
      price: models.priceAhead(model, { ...this.#usualFor(kindOf(one)), ...one }),
    }));
    const amount = prices.reduce((sum, { images, price }) => sum + images * (price?.amount ?? 0), 0);
    const currency = prices[0]?.price?.currency;
    return currency === undefined ? undefined : aboutText(amountText(amount, currency));
  }

  /** Returns the title of the box, which says what Enter will do. */
  async #titleOf(
    { model, size, n, folder }: Choices,
    texts: QuestionTexts,
    given: PaintArguments,
  ): Promise<string> {
    const { kind, title, beside = [] } = texts;
    const usual = this.#usualFor(kind);
    const isTwice = wayOf({ ...given, model }) === 'grounds';
    const runs = beside.length > maxInputsOf(model) ? beside.length : 1;
    const count = runs * (isTwice ? 2 : countOf(model, n ?? usual.n));
    const wanted = size ?? usual.size;
    // Edits of one image each are saved beside it, one of several images beside the first.
    const places = runs === 1 ? [beside[0]] : [...new Map(beside.map((one) => [String(one), one])).values()];
    const { quality = usual.quality } = given;
    const price = this.#services.models.priceAhead(model, { ...given, size: wanted, quality });
    const place = folder ?? (places.length === 1 ? (places[0] ?? (await this.#usualFolder())) : undefined);
    return [
      title,
      modelName(model),
      imagesText(count),
      ...(price ? [aboutText(amountText(count * price.amount, price.currency))] : []),
      ...(model.family === 'image' && wanted !== '' ? [wanted.replace('x', ' × ')] : []),
      ...(place === undefined ? [] : [folderName(place)]),
      this.#services.names.inUse,
    ].join(' · ');
  }

  /** Returns what holds where nothing else was chosen; the values of the settings are for new images. */
  #usualFor(kind: TaskRequest['kind']): { size: string; quality: string; n: number } {
    return kind === 'edit' ? { size: '', quality: '', n: 1 } : this.#services.settings.forNewImages;
  }

  async #usualFolder(): Promise<vscode.Uri | string> {
    const root = await this.#services.folders.current(false);
    const folder = this.#services.settings.folder(root);
    return root ? vscode.Uri.joinPath(root, folder) : folder;
  }

  /** Returns the improved prompt; the typed one when the person cancels that, and when it fails, which is shown. */
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

  /** Asks for one part of the choices. Dismissing the question changes nothing and keeps the typed prompt. */
  async #change(
    detail: Exclude<Detail, 'improve' | 'studio'>,
    choices: Choices,
    texts: QuestionTexts,
  ): Promise<void> {
    const { kind, title } = texts;
    // An edit starts anew each time, from its own file.
    const changed = kind === 'generate' ? this.#changed : {};
    try {
      switch (detail) {
        case 'model':
          choices.model = await this.#services.picker.pick(title, choices.model);
          break;
        case 'size':
          changed.size = choices.size = await this.#askSize(choices, title);
          break;
        case 'count':
          changed.n = choices.n = await this.#askCount(choices, texts);
          break;
        case 'folder':
          changed.folder = choices.folder = (await pickFolder()) ?? choices.folder;
          break;
      }
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        throw error;
      }
    }
  }

  async #askSize(
    { model, size = this.#services.settings.forNewImages.size }: Choices,
    title: string,
  ): Promise<string> {
    const { sizes = [] } = model;
    const items = [...(sizes.length > 0 ? sizes : usualSizes), ''].map((size) => ({
      label: size === '' ? vscode.l10n.t('Auto') : size.replace('x', ' × '),
      size,
    }));
    const reply = await askPick(
      {
        title,
        placeholder: vscode.l10n.t('Size in pixels'),
        items,
        active: items.find((item) => item.size === size),
      },
      onlyPrompt,
    );
    return reply.kind === 'answer' ? reply.value.size : size;
  }

  async #askCount({ model, n }: Choices, { kind, title }: QuestionTexts): Promise<number> {
    const usual = n ?? this.#usualFor(kind).n;
    const most = countOf(model, maxImages);
    const reply = await askText(
      {
        title,
        prompt: vscode.l10n.t('Number of images, 1 to {0}', most),
        value: String(countOf(model, usual)),
        invalid: (text) =>
          /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most
            ? undefined
            : vscode.l10n.t('Enter a number from 1 to {0}.', most),
      },
      onlyPrompt,
    );
    return reply.kind === 'answer' ? Number(reply.value) : usual;
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

function kindOf({ images = [] }: PaintArguments): TaskRequest['kind'] {
  return images.length > 0 ? 'edit' : 'generate';
}

/** Returns how many images a model makes in one run where so many are wanted. */
function countOf({ maxCount = maxImages }: ModelEntry, wanted: number): number {
  return Math.min(maxCount, wanted);
}

/** Returns the buttons for what can be changed: first the prompt, then the parts of a run, of an edit without the size. */
function buttonsFor(
  { kind, details = ['improve', 'model', 'size', 'count', 'folder', 'studio'] }: QuestionTexts,
  { family }: ModelEntry,
): Map<vscode.QuickInputButton, Detail> {
  const takesSize = kind === 'generate' && family === 'image';
  const shown = details.filter((detail) => detail !== 'size' || takesSize);
  return new Map(
    shown.map((detail) => [
      { iconPath: new vscode.ThemeIcon(icons[detail]), tooltip: tooltipOf(detail) },
      detail,
    ]),
  );
}

function tooltipOf(detail: Detail): string {
  switch (detail) {
    case 'improve':
      return vscode.l10n.t('Improve Prompt');
    case 'model':
      return vscode.l10n.t('Change Model…');
    case 'size':
      return vscode.l10n.t('Change Size…');
    case 'count':
      return vscode.l10n.t('Change Number of Images…');
    case 'folder':
      return vscode.l10n.t('Change Folder…');
    case 'studio':
      return vscode.l10n.t('Open in Studio');
  }
}

function promptText({ family }: ModelEntry, { kind, promptText }: QuestionTexts): string {
  return family === 'native' && kind === 'generate'
    ? `${promptText}. ${vscode.l10n.t("This model doesn't support size and quality.")}`
    : promptText;
}

function folderName(folder: vscode.Uri | string): string {
  if (typeof folder === 'string') {
    return folder;
  }
  const root = vscode.workspace.getWorkspaceFolder(folder);
  return `${root && isSame(root.uri, folder) ? root.name : vscode.workspace.asRelativePath(folder, false).replace(/\/$/, '')}/`;
}
