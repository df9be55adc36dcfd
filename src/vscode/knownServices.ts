import * as v from 'valibot';
import * as vscode from 'vscode';
import { endpointsOf, isSameService } from '../service/http/endpoints.ts';
import type { Models } from './generate/models.ts';
import type { DemoServiceProcess } from './window/demoServiceProcess.ts';
import { type KeyStore, serviceName } from './window/serviceNames.ts';
import type { Settings } from './window/settings.ts';
import * as settingNames from './window/settingNames.ts';

/** A service that was used before. */
export interface KnownService {
  baseUrl: string;
  /** Its host, or its URL if another one has the same host. */
  name: string;
  isInUse: boolean;
  hasKey: boolean;
  /** Number of its models. */
  models: number;
}

const stateKey = 'services';
/** Stands for the URL of the demo service, which changes. */
const demoKey = 'demo:';

/** The user's settings at the time when a service was last left. */
const leftServices = v.array(
  v.object({
    baseUrl: v.string(),
    model: v.exactOptional(v.string()),
    callStyle: v.exactOptional(v.string()),
  }),
);
type LeftService = v.InferOutput<typeof leftServices>[number];

/**
 * The services that the user connected before, with the last model and call style of each. They are kept by VS Code for
 * the user, where no workspace can change them, since their API keys go there.
 */
export class KnownServices {
  readonly #state: vscode.Memento;
  readonly #settings: Settings;
  readonly #models: Models;
  readonly #keys: KeyStore;
  readonly #demo: DemoServiceProcess;

  constructor(
    state: vscode.Memento,
    settings: Settings,
    models: Models,
    keys: KeyStore,
    demo: DemoServiceProcess,
  ) {
    this.#state = state;
    this.#settings = settings;
    this.#models = models;
    this.#keys = keys;
    this.#demo = demo;
  }

  /** Returns those that have an API key or a model, the one in use first, without the demo service. */
  async list(): Promise<KnownService[]> {
    const { baseUrl: inUse } = this.#settings;
    const urls: string[] = [];
    for (const url of [inUse, ...this.#left.map(({ baseUrl }) => baseUrl), ...this.#models.services]) {
      if (isUrl(url) && !this.#demo.isAt(url) && !urls.some((other) => isSameService(other, url))) {
        urls.push(url);
      }
    }
    const names = urls.map((url) => serviceName(url, false));
    const services = await Promise.all(
      urls.map(async (baseUrl, index) => {
        const name = names[index] ?? '';
        return {
          baseUrl,
          name: names.indexOf(name) === names.lastIndexOf(name) ? name : baseUrl,
          isInUse: isSameService(baseUrl, inUse),
          hasKey: (await this.#keys.get(endpointsOf(baseUrl).origin)) !== undefined,
          models: this.#models.configured(baseUrl).length,
        };
      }),
    );
    return services.filter(({ isInUse, hasKey, models }) => isInUse || hasKey || models > 0);
  }

  /** Returns the model that a service was last used with, or else its first one. */
  lastModel(baseUrl: string): string | undefined {
    const { model } = this.#isInUse(baseUrl) ? this.#current : this.#lastOf(baseUrl);
    return model ?? this.#models.configured(baseUrl)[0]?.id;
  }

  /**
   * Uses a service: its URL, model, and call style become the user's settings. Those of the service before are kept for
   * it. The URL comes last, when everything it needs is in place.
   */
  async use(baseUrl: string, model: string | undefined): Promise<void> {
    const left = this.#current;
    if (!this.#isInUse(baseUrl)) {
      const { callStyle } = this.#lastOf(baseUrl);
      if (left.baseUrl !== '') {
        const others = this.#left.filter((other) => other.baseUrl !== left.baseUrl);
        await this.#state.update(stateKey, [left, ...others]);
        await this.#settings.update(settingNames.callStyle, callStyle);
      }
    }
    await this.#settings.update(settingNames.model, model);
    await this.#settings.update(settingNames.baseUrl, baseUrl);
  }

  #isInUse(baseUrl: string): boolean {
    const { baseUrl: inUse } = this.#settings;
    return this.#demo.isAt(inUse) ? this.#demo.isAt(baseUrl) : isSameService(baseUrl, inUse);
  }

  /** The service in use, with the user's own settings: those of a workspace stay with it. */
  get #current(): LeftService {
    const { baseUrl } = this.#settings;
    const model = this.#models.implied(this.#models.configured(), '', ownText(settingNames.model) ?? '')?.id;
    const callStyle = ownText(settingNames.callStyle);
    return {
      baseUrl: this.#keyOf(baseUrl),
      ...(model !== undefined && { model }),
      ...(callStyle !== undefined && { callStyle }),
    };
  }

  #lastOf(baseUrl: string): Partial<LeftService> {
    const key = this.#keyOf(baseUrl);
    return this.#left.find((left) => left.baseUrl === key || isSameService(left.baseUrl, key)) ?? {};
  }

  #keyOf(baseUrl: string): string {
    return this.#demo.isAt(baseUrl) ? demoKey : baseUrl;
  }

  get #left(): readonly LeftService[] {
    const kept = v.safeParse(leftServices, this.#state.get(stateKey));
    return kept.success ? kept.output : [];
  }
}

/** Returns the user's own value of a setting. */
function ownText(name: string): string | undefined {
  const value = vscode.workspace.getConfiguration().inspect(name)?.globalValue;
  return typeof value === 'string' ? value : undefined;
}

/** Whether a text is the URL of a service. */
function isUrl(text: string): boolean {
  return isSameService(text, text);
}
