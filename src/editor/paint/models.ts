import * as vscode from 'vscode';
import type { CallStyle, CallStyleSetting } from '../../common/callStyle.ts';
import { imagePrice, type Price } from '../../service/price.ts';
import { nearestSize } from '../../images/formats/finishWishes.ts';
import { parseModels, type ModelEntry } from '../../service/modelOptions.ts';
import type { EditCall } from '../../tasks/files/onTwoGrounds.ts';
import { callStyleOf, editCallOf, modelsAt } from '../../tasks/requests/modelRules.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { commandAction } from '../failures/errorText.ts';
import { refuse } from '../questions/refusal.ts';
import * as commands from '../commandIds.ts';
import { settingNames } from '../names.ts';
import type { DemoServiceProcess } from '../window/demoServiceProcess.ts';
import type { Settings } from '../window/settings.ts';
import type { PaintArguments } from './paintArguments.ts';

/** The models of the service in use, and which of them is meant. */
export class Models {
  readonly #settings: Settings;
  readonly #demo: DemoServiceProcess;
  readonly #log: vscode.LogOutputChannel;

  constructor(settings: Settings, demo: DemoServiceProcess, log: vscode.LogOutputChannel) {
    this.#settings = settings;
    this.#demo = demo;
    this.#log = log;
  }

  /** Returns the models of the service in use. An entry of the settings replaces one that the demo service has itself. */
  configured(): ModelEntry[] {
    const { baseUrl } = this.#settings;
    const listed = modelsAt(this.#listed(), baseUrl);
    return (
      this.#demo.modelsAt(baseUrl)?.map((model) => listed.find(({ id }) => id === model.id) ?? model) ??
      listed
    );
  }

  /**
   * Returns the model that is meant without asking: the one asked for, the one set, the only one there is. An ID that
   * is in no list is taken at its word, unless another service is known to have it.
   *
   * @param set the setting by default
   */
  implied(
    models: readonly ModelEntry[],
    asked?: string,
    set: string = this.#settings.model,
  ): ModelEntry | undefined {
    const wanted = asked ?? set;
    const listed = models.find(({ id }) => id === wanted);
    if (listed) {
      return listed;
    }
    if (wanted !== '' && (asked !== undefined || !this.#isElsewhere(wanted))) {
      return { id: wanted, family: 'image' };
    }
    return models.length === 1 ? models[0] : undefined;
  }

  /**
   * Returns a request as a person has it sent now: with the price of its model, and whether it is free, which it is at
   * the demo service.
   */
  priced(request: TaskRequest): TaskRequest {
    const { baseUrl, model } = request;
    const list = modelsAt(this.#listed(), baseUrl).find(({ id }) => id === model)?.price;
    const plain = { ...request };
    delete plain.free;
    delete plain.price;
    delete plain.startedBy;
    return {
      ...plain,
      ...(this.#demo.isAt(baseUrl) && { free: true }),
      ...(list !== undefined && { price: imagePrice(list, request) }),
    };
  }

  /** Returns the size that is asked of a model for images that are to have one; empty where none is. */
  sizeSent(
    { family, sizes = [] }: ModelEntry,
    { size = '', fit = this.#settings.finishing().fit }: Pick<PaintArguments, 'size' | 'fit'>,
  ): string {
    const asked = fit === 'off' || size === '' ? size : nearestSize(size, sizes);
    return family === 'image' ? asked : '';
  }

  /**
   * Returns what each image of a request would cost; undefined where the model has no price.
   *
   * @param asked what is known of the request
   */
  priceAhead(model: ModelEntry, asked: Pick<PaintArguments, 'size' | 'fit' | 'quality'>): Price | undefined {
    const { price, family } = model;
    const quality = family === 'image' ? asked.quality : undefined;
    return price === undefined
      ? undefined
      : imagePrice(price, { size: this.sizeSent(model, asked), quality });
  }

  /** Puts a model of a service first in the settings and selects it. Its earlier entry, if any, is merged into it. */
  async add(model: Pick<ModelEntry, 'id' | 'family'>, service: string): Promise<void> {
    const entries = this.#settings.models;
    const isThis = (entry: unknown): entry is object =>
      modelsAt(parseModels([entry]).models, service).some(({ id }) => id === model.id);
    const before = entries.find(isThis);
    const others = entries.filter((entry) => !isThis(entry));
    await this.#settings.update(settingNames.models, [{ ...before, ...model, service }, ...others]);
    await this.#settings.update(settingNames.model, model.id);
  }

  /** Whether a model that the service in use does not list is one of another service. */
  #isElsewhere(wanted: string): boolean {
    return (
      this.#demo.isAt(this.#settings.baseUrl) ||
      [...this.#demo.models, ...this.#listed()].some(({ id }) => id === wanted)
    );
  }

  /** What is wrong with the entries of the setting, one English sentence each. */
  get problems(): readonly string[] {
    return parseModels(this.#settings.models).problems;
  }

  /** Reads the setting; what does not fit is named in the log. */
  #listed(): ModelEntry[] {
    const { models, problems } = parseModels(this.#settings.models);
    for (const problem of problems) {
      this.#log.warn(problem);
    }
    return models;
  }

  /** Returns the implied model, or else the first one. @throws LimnerError `invalid_request` when there is none */
  choose(asked: string | undefined): ModelEntry {
    const models = this.configured();
    const model = this.implied(models, asked) ?? models[0];
    if (!model) {
      throw noModel();
    }
    return model;
  }

  /** Resolves `auto` of the setting. */
  callStyle(model: ModelEntry, kind: TaskRequest['kind']): CallStyle {
    return callStyleOf(model, kind, this.#settings.callStyle);
  }

  /** Returns how an edit is sent with a model. @param asked the setting by default */
  editCall(model: ModelEntry, asked?: CallStyleSetting): Required<EditCall> {
    return editCallOf(model, asked ?? this.#settings.callStyle);
  }
}

export function modelName({ id, label }: ModelEntry): string {
  return label ?? id;
}

/** Returns the error for a missing model, with buttons for setting one. */
export function noModel(): Error {
  return refuse(
    'invalid_request',
    vscode.l10n.t("No model is set. The service doesn't list its models, so you need to specify one."),
    [
      commandAction(vscode.l10n.t('Connect to a Service…'), commands.connect),
      commandAction(vscode.l10n.t('Open Settings'), 'workbench.action.openSettings', settingNames.models),
    ],
  );
}
