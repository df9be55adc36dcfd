import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as english from '../../common/english.ts';
import { type CallStyle, type CallStyleSetting, sizeToFit } from '../../common/requestValues.ts';
import { imagePrice, moneyText, type Price, type PriceList, unitOf } from '../../service/terms/price.ts';
import { isSameService } from '../../service/http/endpoints.ts';
import { parseModels, type ModelEntry } from '../../service/terms/modelOptions.ts';
import type { EditCall } from '../../engine/task/twoBackgrounds.ts';
import { callStyleOf, editCallOf, mayHave, modelsAt } from '../../engine/operations/modelRules.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import { commandAction } from '../window/offers.ts';
import { refuse } from '../ask/refusal.ts';
import * as commands from '../window/commandIds.ts';
import * as settingNames from '../window/settingNames.ts';
import type { DemoServiceProcess } from '../window/demoServiceProcess.ts';
import { serviceName } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import type { PaintArguments } from './paintArguments.ts';

/** Stands for the URL of the demo service, which changes. */
const demoService = 'demo';

/** The model in the studio's draft, empty if the settings decide, and the URL of the service that it was chosen for. */
interface DraftModel {
  model: string;
  modelService: string;
}

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

  /**
   * Returns the models of a service, by default the one in use. An entry of the settings replaces one that the demo
   * service has itself.
   */
  configured(baseUrl = this.#settings.baseUrl): ModelEntry[] {
    const listed = modelsAt(this.#listed(), baseUrl);
    return (
      this.#demo.modelsAt(baseUrl)?.map((model) => listed.find(({ id }) => id === model.id) ?? model) ??
      listed
    );
  }

  /** Returns the URLs of the services that entries of the settings name. */
  get services(): string[] {
    return this.#listed().flatMap(({ service }) => service ?? []);
  }

  /**
   * Returns the model that is meant without asking: the one asked for, the one set, the only one there is. An ID that
   * no list has is used as it is, unless only another service is known to have it.
   *
   * @param set the setting by default
   */
  implied(
    models: readonly ModelEntry[],
    asked = '',
    set: string = this.#settings.model,
  ): ModelEntry | undefined {
    const wanted = [asked, set].find((id) => id !== '' && this.#has(id));
    return wanted === undefined ? (models.length === 1 ? models[0] : undefined) : entryOf(models, wanted);
  }

  /**
   * Returns the model of the studio's draft: its own one if the service in use has it, or else the implied one, or else
   * the first.
   */
  ofDraft({ model, modelService }: DraftModel): ModelEntry | undefined {
    return model !== '' && this.#has(model, modelService || undefined)
      ? entryOf(this.configured(), model)
      : this.usual();
  }

  /** Returns the implied model, or else the first one. */
  usual(asked?: string): ModelEntry | undefined {
    const models = this.configured();
    return this.implied(models, asked) ?? models[0];
  }

  /**
   * Returns a request as a user has it sent now: with the price of its model, and whether it is free, as everything is at
   * the demo service.
   */
  priced(request: TaskRequest): TaskRequest {
    const { baseUrl, model } = request;
    const list = modelsAt(this.#listed(), baseUrl).find(({ id }) => id === model)?.price;
    const { free: _, price: __, startedBy: ___, ...plain } = request;
    return {
      ...plain,
      ...(this.#demo.isAt(baseUrl) && { free: true }),
      ...(list !== undefined && { price: imagePrice(list, request) }),
    };
  }

  /** Returns the expected price of each image; undefined if the model has none. @param asked the known part of the request */
  priceAhead(
    { price, family, sizes = [] }: ModelEntry,
    {
      size = '',
      fit = this.#settings.finishing().fit,
      quality,
    }: Pick<PaintArguments, 'size' | 'fit' | 'quality'>,
  ): Price | undefined {
    const asked = fit === 'off' || size === '' ? size : sizeToFit(size, sizes);
    const options = family === 'image' ? { size: asked, quality } : { size: '' };
    return price === undefined ? undefined : imagePrice(price, options);
  }

  /**
   * Puts a model of a service first in the settings. Its earlier entry, if any, is merged into it. An entry that names no
   * service is copied instead, since other services may have the model, too.
   */
  async add(model: Pick<ModelEntry, 'id' | 'family'>, service: string): Promise<void> {
    const { models: entries } = this.#settings;
    const before = this.#entryAt(service, model.id);
    const others = before?.service === undefined ? entries : entries.toSpliced(before.index, 1);
    await this.#settings.update(settingNames.models, [{ ...before?.entry, ...model, service }, ...others]);
  }

  /**
   * Writes what one image of a model costs into its entry in the settings, where everything else stays as it is, or into
   * a new one.
   *
   * @param price undefined to remove it
   */
  async setPrice(model: ModelEntry, price: PriceList | undefined): Promise<void> {
    const { baseUrl, models: entries } = this.#settings;
    const before = this.#entryAt(baseUrl, model.id);
    // The demo's address changes.
    const added = { ...model, ...(!this.#demo.isAt(baseUrl) && { service: baseUrl }) };
    const { price: _, ...others }: { price?: unknown } = before?.entry ?? added;
    const entry = { ...others, ...(price !== undefined && { price }) };
    await this.#settings.update(
      settingNames.models,
      before ? entries.with(before.index, entry) : [...entries, entry],
    );
  }

  /** Returns the entry of a model at a service as the settings have it, even if its price is invalid. */
  #entryAt(
    service: string,
    id: string,
  ): (Pick<ModelEntry, 'service'> & { entry: object; index: number }) | undefined {
    const entries = this.#settings.models.flatMap((entry, index) =>
      typeof entry === 'object' && entry !== null
        ? parseModels([{ ...entry, price: undefined }]).models.map((model) =>
            Object.assign(model, { entry, index }),
          )
        : [],
    );
    return modelsAt(entries, service).find((model) => model.id === id);
  }

  /** Whether a model may be sent to the service in use. @param from URL of the service that it was chosen for, if known */
  #has(id: string, from?: string): boolean {
    const { baseUrl } = this.#settings;
    // The demo service lists all that it has.
    return (
      this.#demo.modelsAt(baseUrl)?.some((model) => model.id === id) ??
      mayHave(baseUrl, id, this.#known(), from)
    );
  }

  /** Returns all known models of all services. */
  #known(): ModelEntry[] {
    return [...this.#demo.models.map((model) => ({ ...model, service: demoService })), ...this.#listed()];
  }

  /** The problems of the entries of the setting, one English sentence each. */
  get problems(): readonly string[] {
    return parseModels(this.#settings.models).problems;
  }

  /** Reads the setting, and logs its problems. */
  #listed(): ModelEntry[] {
    const { models, problems } = parseModels(this.#settings.models);
    for (const problem of problems) {
      this.#log.warn(problem);
    }
    return models;
  }

  /**
   * Returns the implied model, or else the first one.
   *
   * @throws LimnerError `invalid_request` when there is none, or the one asked for belongs to another service
   */
  choose(asked = ''): ModelEntry {
    if (asked !== '' && !this.#has(asked)) {
      throw this.#notHere(asked);
    }
    const model = this.usual(asked);
    if (!model) {
      throw noModel();
    }
    return model;
  }

  #notHere(asked: string): Error {
    const { baseUrl } = this.#settings;
    const name = serviceName(baseUrl, this.#demo.isAt(baseUrl));
    const { service } = this.#known().find(({ id }) => id === asked) ?? {};
    const isElsewhere = service !== undefined && !isSameService(service, baseUrl);
    return refuse(
      'invalid_request',
      isElsewhere
        ? english.t(
            "{0} is a model of {1}. {2}, the service in use, doesn't have it.",
            asked,
            serviceName(service, service === demoService),
            name,
          )
        : english.t("{0} isn't a model of {1}, the service in use.", asked, name),
      [commandAction(l10n.t('Change Model…'), commands.changeModel)],
    );
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

/** Returns the entry of a model, or one for a model that is not listed. */
function entryOf(models: readonly ModelEntry[], id: string): ModelEntry {
  return models.find((model) => model.id === id) ?? { id, family: 'image' };
}

export function modelName({ id, label }: ModelEntry): string {
  return label ?? id;
}

/** Formats the price of a model without its variants: "0.04 USD per image". */
export function perImage(price: PriceList): string {
  const amount = typeof price === 'number' ? price : price.amount;
  return l10n.t('{0} per image', moneyText(amount, unitOf(price), vscode.env.language));
}

/** Returns the error for a missing model, with buttons for setting one. */
export function noModel(): Error {
  return refuse(
    'invalid_request',
    english.t("No model is set. The service doesn't list its models, so you need to specify one."),
    [
      commandAction(l10n.t('Connect to a Service…'), commands.connect),
      commandAction(l10n.t('Open Settings'), 'workbench.action.openSettings', settingNames.models),
    ],
  );
}
