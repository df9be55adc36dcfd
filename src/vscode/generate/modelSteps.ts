import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ModelEntry, ModelFamily } from '../../service/terms/modelOptions.ts';
import { commandAction } from '../window/offers.ts';
import { refuse } from '../ask/refusal.ts';
import * as commands from '../window/commandIds.ts';
import * as settingNames from '../window/settingNames.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import {
  askPick,
  askText,
  type Direction,
  type Step,
  takeAnswer,
  type StepPosition,
  walk,
} from './inputSteps.ts';
import { modelName, type Models, noModel, perImage } from './models.ts';

type ModelItem = vscode.QuickPickItem & { model?: ModelEntry; next?: 'add' | 'price' | 'connect' };

/** Lets the user choose a model of the service in use, or add one. */
export class ModelPicker {
  readonly #models: Models;
  readonly #names: ServiceNames;
  readonly #settings: Settings;

  constructor(models: Models, names: ServiceNames, settings: Settings) {
    this.#models = models;
    this.#names = names;
    this.#settings = settings;
  }

  /**
   * Asks which model to use, and stores it in the settings.
   *
   * @param current the model to mark as current, by default the one from the settings
   * @throws LimnerError `invalid_request` when there is no model
   * @throws vscode.CancellationError when the user dismissed it, or chose to set a price or to connect to another service
   */
  async pick(title: string, current?: ModelEntry): Promise<ModelEntry> {
    const models = this.#models.configured();
    const marked = current ?? this.#models.implied(models);
    const listed = marked && !models.some(({ id }) => id === marked.id) ? [marked, ...models] : models;
    if (listed.length === 0) {
      throw noModel();
    }
    const items: ModelItem[] = [
      ...listed.map((model) => modelItem(model, model.id === marked?.id)),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      ...(this.#names.isDemo ? [] : [{ label: l10n.t('$(add) Add Model…'), next: 'add' as const }]),
      { label: l10n.t('$(tag) Set Price…'), next: 'price' },
      { label: l10n.t('$(plug) Connect to a Service…'), next: 'connect' },
    ];
    const reply = await askPick({
      title: `${title} · ${this.#names.inUse}`,
      placeholder: l10n.t('Model'),
      items,
      active: items.find(({ model }) => model !== undefined && model.id === marked?.id),
    });
    const { model, next } = reply.kind === 'answer' ? reply.value : {};
    if (next === 'add') {
      return this.add();
    }
    if (!model) {
      await vscode.commands.executeCommand(next === 'price' ? commands.setPrice : commands.connect);
      throw new vscode.CancellationError();
    }
    await this.#settings.update(settingNames.model, model.id);
    return model;
  }

  /** `limner.addModel`: asks for a model of the service in use, adds it to the settings and selects it. */
  async add(): Promise<ModelEntry> {
    const { baseUrl } = this.#settings;
    if (this.#names.isDemo || baseUrl === '') {
      throw refuse(
        'invalid_request',
        l10n.t('Connect to a service first. The demo service has models of its own.'),
        [commandAction(l10n.t('Connect to a Service…'), commands.connect)],
      );
    }
    const model: EnteredModel = { id: '', family: 'image' };
    const title = l10n.t('Add Model');
    const texts = { title, prompt: modelIdPrompt() };
    const steps: Step[] = [
      async (position) => askModelId(this.#models.configured(), model, texts, position),
      async (position) => askFamily(model, title, position),
    ];
    await walk(() => steps);
    await this.#models.add(model, baseUrl);
    await this.#settings.update(settingNames.model, model.id);
    void vscode.window.showInformationMessage(l10n.t('Limner now uses the model {0}.', model.id));
    return model;
  }
}

function modelItem(model: ModelEntry, isCurrent: boolean): ModelItem {
  return {
    label: modelName(model),
    description: [
      ...(model.label === undefined ? [] : [model.id]),
      ...(model.price === undefined ? [] : [perImage(model.price)]),
      ...(isCurrent ? [l10n.t({ message: 'current', comment: ['The model that is in use'] })] : []),
    ].join(' · '),
    ...(model.family === 'native' && {
      detail: l10n.t("This model doesn't support size and quality."),
    }),
    model,
  };
}

/** A model while it is being entered. */
export type EnteredModel = Pick<ModelEntry, 'id' | 'family'>;

export function modelIdPrompt(): string {
  return l10n.t('Model ID, exactly as your service lists it');
}

/** Asks for the ID of a model; if the model is already listed, its family is filled in. */
export async function askModelId(
  listed: readonly ModelEntry[],
  model: EnteredModel,
  texts: { title: string; prompt: string },
  position: StepPosition,
): Promise<Direction> {
  const reply = await askText(
    {
      ...texts,
      placeholder: 'my-image-model',
      value: model.id,
      invalid: (text) => (text.trim() === '' ? l10n.t('Enter a model ID.') : undefined),
    },
    position,
  );
  return takeAnswer(reply, (text) => {
    model.id = text.trim();
    model.family = listed.find(({ id }) => id === model.id)?.family ?? model.family;
  });
}

/** Asks to which of the service's two families a model belongs. */
export async function askFamily(
  model: EnteredModel,
  title: string,
  position: StepPosition,
): Promise<Direction> {
  const items: (vscode.QuickPickItem & { family: ModelFamily })[] = [
    {
      label: l10n.t('Standard Image API'),
      description: l10n.t('most models; choose this if you are not sure'),
      detail: l10n.t('Example: {0}', 'POST /v1/images/generations'),
      family: 'image',
    },
    {
      label: l10n.t('Native Content API'),
      description: l10n.t("doesn't support size and quality"),
      detail: l10n.t('Example: {0}', `POST /v1beta/models/${model.id}:generateContent`),
      family: 'native',
    },
  ];
  const reply = await askPick(
    {
      title,
      placeholder: l10n.t('How is {0} called?', model.id),
      items,
      active: items.find(({ family }) => family === model.family),
    },
    position,
  );
  return takeAnswer(reply, ({ family }) => {
    model.family = family;
  });
}
