import * as vscode from 'vscode';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { askPick, askText, type Step, taken, walk } from './inputSteps.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import { modelName, type Models, noModel } from './models.ts';
import { settingNames } from '../names.ts';
import type { PaintArguments } from './paintArguments.ts';

/** The choices of a person for one run. */
export interface Choices {
  prompt: string;
  model: ModelEntry;
  size?: string;
  n?: number;
}

/** How a run is named where it is asked for. */
export interface QuestionTexts {
  kind: TaskRequest['kind'];
  title: string;
  promptText: string;
  placeholder: string;
}

/** Number of newest tasks that are searched for the last values. */
const remembered = 50;

/** Fills in what was not given: by asking, or by what is usual. */
export class PaintQuestions {
  readonly #engine: EngineHost;
  readonly #settings: Settings;
  readonly #models: Models;

  constructor(engine: EngineHost, settings: Settings, models: Models) {
    this.#engine = engine;
    this.#settings = settings;
    this.#models = models;
  }

  /** Asks nothing. @throws LimnerError `invalid_request` when there is no model */
  assume({ prompt = '', model }: PaintArguments): Choices {
    return { prompt, model: this.#models.choose(model) };
  }

  /**
   * Asks for what is missing: the prompt always, the rest only where there is a choice. The last values are offered,
   * and a model that was picked is remembered.
   *
   * @throws LimnerError `invalid_request` when there is no model
   * @throws vscode.CancellationError when the person dismissed a question
   */
  async ask(given: PaintArguments, texts: QuestionTexts): Promise<Choices> {
    const models = this.#models.configured();
    const last = await this.#lastRequest(texts.kind);
    const implied = this.#models.implied(models, given.model);
    const dialog = new PaintDialog({ given, texts, models, last, settings: this.#settings }, implied);
    await walk(() => dialog.steps());
    const { model, prompt = given.prompt ?? '', ...details } = dialog.draft;
    if (!model) {
      throw noModel();
    }
    if (dialog.asksModel) {
      await this.#settings.update(settingNames.model, model.id);
    }
    return { model, prompt, ...details };
  }

  async #lastRequest(kind: TaskRequest['kind']): Promise<TaskRequest | undefined> {
    const { store } = await this.#engine.get();
    return store.list({ limit: remembered }).find(({ request }) => request.kind === kind)?.request;
  }
}

interface DialogContext {
  given: PaintArguments;
  texts: QuestionTexts;
  models: readonly ModelEntry[];
  /** The last run of this kind, whose values are offered. */
  last: TaskRequest | undefined;
  settings: Settings;
}

/** The questions of one run, and what was answered so far. */
class PaintDialog {
  readonly draft: Partial<Choices>;
  asksModel: boolean;
  readonly #context: DialogContext;
  readonly #offeredModel: ModelEntry | undefined;

  /** @throws LimnerError `invalid_request` when there is no model */
  constructor(context: DialogContext, implied: ModelEntry | undefined) {
    const { models, last } = context;
    if (!implied && models.length === 0) {
      throw noModel();
    }
    this.#context = context;
    this.draft = implied ? { model: implied } : {};
    this.asksModel = !implied;
    this.#offeredModel = models.find(({ id }) => id === last?.model) ?? models[0];
  }

  /** Returns the questions that the answers so far leave; until a model is picked, those of the one that is offered. */
  steps(): Step[] {
    const { given, texts } = this.#context;
    const asksDetails = texts.kind === 'generate' && given.prompt === undefined;
    const {
      sizes = [],
      family,
      maxCount = 1,
    } = this.draft.model ?? this.#offeredModel ?? { family: 'image' };
    const asksSize = asksDetails && given.size === undefined && family === 'image' && sizes.length > 1;
    return [
      ...(this.asksModel ? [this.#askModel] : []),
      ...(given.prompt === undefined ? [this.#askPrompt] : []),
      ...(asksSize ? [this.#askSize] : []),
      ...(asksDetails && given.n === undefined && maxCount > 1 ? [this.#askCount] : []),
    ];
  }

  readonly #askModel: Step = async (place) => {
    const { texts, models } = this.#context;
    const items = models.map(modelItem);
    const active = items.find(({ model }) => model === (this.draft.model ?? this.#offeredModel));
    const placeholder = vscode.l10n.t('Model');
    const reply = await askPick({ title: texts.title, placeholder, items, active }, place);
    return taken(reply, ({ model }) => {
      this.draft.model = model;
    });
  };

  readonly #askPrompt: Step = async (place) => {
    const { texts, models, last } = this.#context;
    const { model, prompt } = this.draft;
    const changeModel = {
      iconPath: new vscode.ThemeIcon('settings-gear'),
      tooltip: vscode.l10n.t('Change Model…'),
    };
    const reply = await askText(
      {
        title: model ? `${texts.title} · ${modelName(model)}` : texts.title,
        prompt:
          model?.family === 'native' && texts.kind === 'generate'
            ? `${texts.promptText}. ${withoutSize()}`
            : texts.promptText,
        placeholder: texts.placeholder,
        value: prompt ?? last?.prompt ?? '',
        buttons: models.length > 1 && !this.asksModel ? [changeModel] : [],
        invalid: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a prompt.') : undefined),
      },
      place,
    );
    if (reply.kind !== 'back') {
      this.draft.prompt = reply.value;
    }
    if (reply.kind === 'button') {
      this.asksModel = true;
      return 'first';
    }
    return reply.kind === 'answer' ? 'next' : 'back';
  };

  readonly #askSize: Step = async (place) => {
    const { texts, last, settings } = this.#context;
    const { model, size } = this.draft;
    const items = [
      ...(model?.sizes ?? []).map((size) => ({ label: size.replace('x', ' × '), size })),
      { label: vscode.l10n.t('Let the Service Decide'), size: '' },
    ];
    const offered =
      size ?? (last?.model === model?.id ? last?.size : undefined) ?? settings.forNewImages.size;
    const active = items.find(({ size }) => size === offered);
    const placeholder = vscode.l10n.t('Size in pixels');
    const reply = await askPick({ title: texts.title, placeholder, items, active }, place);
    return taken(reply, ({ size }) => {
      this.draft.size = size;
    });
  };

  readonly #askCount: Step = async (place) => {
    const { texts, last, settings } = this.#context;
    const { model, n } = this.draft;
    const most = model?.maxCount ?? 1;
    const reply = await askText(
      {
        title: texts.title,
        prompt: vscode.l10n.t('Number of images, 1 to {0}', most),
        value: String(Math.min(most, n ?? last?.n ?? settings.forNewImages.n)),
        invalid: (text) =>
          /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most
            ? undefined
            : vscode.l10n.t('Enter a number from 1 to {0}.', most),
      },
      place,
    );
    return taken(reply, (text) => {
      this.draft.n = Number(text);
    });
  };
}

function modelItem(model: ModelEntry): vscode.QuickPickItem & { model: ModelEntry } {
  return {
    label: modelName(model),
    ...(model.label !== undefined && { description: model.id }),
    ...(model.family === 'native' && { detail: withoutSize() }),
    model,
  };
}

function withoutSize(): string {
  return vscode.l10n.t(
    "You can't choose size and quality because the service doesn't apply them to this model family.",
  );
}
