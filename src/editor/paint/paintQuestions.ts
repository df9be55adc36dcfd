import * as vscode from 'vscode';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { askPick, askText, type Direction, type Place, type Reply, type Step, walk } from './inputSteps.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import { modelName, type Models, noModel } from './models.ts';
import { settingNames } from '../names.ts';
import type { PaintArguments } from './paintArguments.ts';

/** What a person decided for one run. */
export interface Choices {
  prompt: string;
  model: ModelEntry;
  size?: string;
  n?: number;
}

/** What a run is called where it is asked for. */
export interface QuestionTexts {
  kind: TaskRequest['kind'];
  title: string;
  /** What the prompt is to say. */
  promptText: string;
  placeholder: string;
}

/** How many of the newest tasks are looked through for the last values. */
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
    const settings = this.#settings;
    const models = this.#models.configured();
    const last = await this.#lastRequest(texts.kind);
    const draft: { prompt?: string; model?: ModelEntry; size?: string; n?: number } = {};
    const implied = this.#models.implied(models, given.model);
    if (implied) {
      draft.model = implied;
    } else if (models.length === 0) {
      throw noModel();
    }
    const offeredModel = models.find(({ id }) => id === last?.model) ?? models[0];
    let asksModel = !implied;
    const changeModel = {
      iconPath: new vscode.ThemeIcon('settings-gear'),
      tooltip: vscode.l10n.t('Change Model…'),
    };

    await walk(() => {
      const asksDetails = texts.kind === 'generate' && given.prompt === undefined;
      // Until a model is picked, the steps are those of the one that is offered.
      const { sizes = [], family, maxCount = 1 } = draft.model ?? offeredModel ?? { family: 'image' };
      return [
        ...(asksModel ? [askModel] : []),
        ...(given.prompt === undefined ? [askPrompt] : []),
        ...(asksDetails && given.size === undefined && family === 'image' && sizes.length > 1
          ? [askSize]
          : []),
        ...(asksDetails && given.n === undefined && maxCount > 1 ? [askCount] : []),
      ] satisfies Step[];
    });
    const { model, prompt = given.prompt ?? '', size, n } = draft;
    if (!model) {
      throw noModel();
    }
    if (asksModel) {
      await settings.update(settingNames.model, model.id);
    }
    return { model, prompt, ...(size !== undefined && { size }), ...(n !== undefined && { n }) };

    async function askModel(place: Place): Promise<Direction> {
      const items = models.map((model) => ({
        label: modelName(model),
        ...(model.label !== undefined && { description: model.id }),
        ...(model.family === 'native' && { detail: withoutSize() }),
        model,
      }));
      const reply = await askPick(
        {
          title: texts.title,
          placeholder: vscode.l10n.t('Model'),
          items,
          active: items.find(({ model }) => model === (draft.model ?? offeredModel)),
        },
        place,
      );
      return taken(reply, ({ model }) => {
        draft.model = model;
      });
    }

    async function askPrompt(place: Place): Promise<Direction> {
      const { model } = draft;
      const reply = await askText(
        {
          title: model ? `${texts.title} · ${modelName(model)}` : texts.title,
          prompt:
            model?.family === 'native' && texts.kind === 'generate'
              ? `${texts.promptText}. ${withoutSize()}`
              : texts.promptText,
          placeholder: texts.placeholder,
          value: draft.prompt ?? last?.prompt ?? '',
          buttons: models.length > 1 && !asksModel ? [changeModel] : [],
          invalid: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a prompt.') : undefined),
        },
        place,
      );
      if (reply.kind !== 'back') {
        draft.prompt = reply.value;
      }
      if (reply.kind === 'button') {
        asksModel = true;
        return 'first';
      }
      return reply.kind === 'answer' ? 'next' : 'back';
    }

    async function askSize(place: Place): Promise<Direction> {
      const items = [
        ...(draft.model?.sizes ?? []).map((size) => ({ label: size.replace('x', ' × '), size })),
        { label: vscode.l10n.t('Let the Service Decide'), size: '' },
      ];
      const offered = draft.size ?? (last?.model === draft.model?.id ? last?.size : undefined);
      const wanted = offered ?? settings.size;
      const reply = await askPick(
        {
          title: texts.title,
          placeholder: vscode.l10n.t('Size in pixels'),
          items,
          active: items.find(({ size }) => size === wanted),
        },
        place,
      );
      return taken(reply, ({ size }) => {
        draft.size = size;
      });
    }

    async function askCount(place: Place): Promise<Direction> {
      const most = draft.model?.maxCount ?? 1;
      const reply = await askText(
        {
          title: texts.title,
          prompt: vscode.l10n.t('Number of images, 1 to {0}', most),
          value: String(Math.min(most, draft.n ?? last?.n ?? settings.count)),
          invalid: (text) =>
            /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most
              ? undefined
              : vscode.l10n.t('Enter a number from 1 to {0}.', most),
        },
        place,
      );
      return taken(reply, (text) => {
        draft.n = Number(text);
      });
    }
  }

  async #lastRequest(kind: TaskRequest['kind']): Promise<TaskRequest | undefined> {
    const { store } = await this.#engine.get();
    return store.list({ limit: remembered }).find(({ request }) => request.kind === kind)?.request;
  }
}

function taken<T>(reply: Reply<T>, take: (value: T) => void): Direction {
  if (reply.kind === 'back') {
    return 'back';
  }
  take(reply.value);
  return 'next';
}

function withoutSize(): string {
  return vscode.l10n.t(
    "You can't choose size and quality because the service doesn't apply them to this model family.",
  );
}
