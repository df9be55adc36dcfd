import * as vscode from 'vscode';
import type { ModelEntry } from '../../service/modelOptions.ts';
import { commandAction } from '../failures/errorText.ts';
import { refuse } from '../questions/refusal.ts';
import * as commands from '../commandIds.ts';
import { settingNames } from '../names.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import { askPick } from './inputSteps.ts';
import { modelName, type Models, noModel } from './models.ts';
import { addModel } from './modelSteps.ts';

type ModelItem = vscode.QuickPickItem & { model?: ModelEntry; next?: 'add' | 'connect' };

/** Lets a person choose a model of the service in use, or add one. */
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
   * @throws vscode.CancellationError when the person dismissed it, or chose to connect to another service
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
      ...(this.#names.isDemo ? [] : [{ label: vscode.l10n.t('$(add) Add Model…'), next: 'add' as const }]),
      { label: vscode.l10n.t('$(plug) Connect to a Service…'), next: 'connect' },
    ];
    const reply = await askPick(
      {
        title: `${title} · ${this.#names.inUse}`,
        placeholder: vscode.l10n.t('Model'),
        items,
        active: items.find(({ model }) => model !== undefined && model.id === marked?.id),
      },
      { step: 1, total: 1 },
    );
    const { model, next } = reply.kind === 'answer' ? reply.value : {};
    if (next === 'add') {
      return this.add();
    }
    if (!model) {
      await vscode.commands.executeCommand(commands.connect);
      throw new vscode.CancellationError();
    }
    await this.#settings.update(settingNames.model, model.id);
    return model;
  }

  /** `limner.addModel`: asks for a model of the service in use, and selects it. */
  async add(): Promise<ModelEntry> {
    if (this.#names.isDemo || this.#settings.baseUrl === '') {
      throw refuse(
        'invalid_request',
        vscode.l10n.t('Connect to a service first. The demo service has models of its own.'),
        [commandAction(vscode.l10n.t('Connect to a Service…'), commands.connect)],
      );
    }
    return addModel(this.#models, this.#settings.baseUrl);
  }
}

function modelItem(model: ModelEntry, isCurrent: boolean): ModelItem {
  return {
    label: modelName(model),
    description: [
      ...(model.label === undefined ? [] : [model.id]),
      ...(isCurrent ? [vscode.l10n.t('current')] : []),
    ].join(' · '),
    ...(model.family === 'native' && {
      detail: vscode.l10n.t("This model doesn't support size and quality."),
    }),
    model,
  };
}
