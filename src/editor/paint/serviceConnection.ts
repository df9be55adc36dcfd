import * as vscode from 'vscode';
import { LimnerError } from '../../common/limnerError.ts';
import { endpointsOf, isSameService } from '../../service/endpoints.ts';
import { mayCarryKey } from '../../service/keyPolicy.ts';
import { requireConfirmation } from '../window/confirm.ts';
import type { DemoServiceProcess } from '../window/demoServiceProcess.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { KeyStore } from '../window/keyStore.ts';
import type { Settings } from '../window/settings.ts';

/** The configured service, and whether it can be called. */
export class ServiceConnection {
  readonly #engine: EngineHost;
  readonly #settings: Settings;
  readonly #keys: KeyStore;
  readonly #demo: DemoServiceProcess;

  constructor(engine: EngineHost, settings: Settings, keys: KeyStore, demo: DemoServiceProcess) {
    this.#engine = engine;
    this.#settings = settings;
    this.#keys = keys;
    this.#demo = demo;
  }

  /** Returns the origin of a service, which its key belongs to; undefined for an invalid URL. */
  originOf(baseUrl: string): string | undefined {
    try {
      return endpointsOf(baseUrl).origin;
    } catch {
      return undefined;
    }
  }

  /** Whether a URL names the configured service. */
  isInUse(baseUrl: string): boolean {
    return isSameService(baseUrl, this.#settings.baseUrl);
  }

  /** Origins that the person allowed to be called over plain http. */
  get plainHttpOrigins(): readonly string[] {
    return this.#engine.plainHttpOrigins;
  }

  /**
   * Returns the base URL once a request may be sent to it: the URL is valid, plain http was allowed, a key is set, and
   * the demo service, if it is that, runs.
   *
   * @throws LimnerError `no_service`, `no_key`
   * @throws vscode.CancellationError when plain http was not allowed
   */
  async ready(): Promise<string> {
    const { baseUrl } = this.#settings;
    if (baseUrl === '') {
      throw new LimnerError('no_service', '', { billing: 'no' });
    }
    const { origin, generations } = endpointsOf(baseUrl);
    const [demoKey] = (await this.#demo.keepRunning(baseUrl))?.apiKeys ?? [];
    if (demoKey !== undefined && (await this.#keys.get(origin)) === undefined) {
      await this.#keys.set(origin, demoKey);
    }
    await this.allowPlainHttp(generations);
    if ((await this.#keys.get(origin)) === undefined) {
      throw new LimnerError('no_key', vscode.l10n.t('No API key is set for {0}.', origin), {
        billing: 'no',
      });
    }
    return baseUrl;
  }

  /**
   * Asks before a plain http URL other than on this machine is used for the first time.
   *
   * @throws vscode.CancellationError when the person did not
   */
  async allowPlainHttp(address: URL): Promise<void> {
    const { origin } = address;
    if (mayCarryKey(address, this.#engine.plainHttpOrigins)) {
      return;
    }
    await requireConfirmation(
      vscode.l10n.t("The connection to {0} isn't encrypted.", origin),
      vscode.l10n.t('Send Unencrypted'),
      vscode.l10n.t(
        'Anyone on the network path can read the API key, prompts, and images. Allow this only on a network you trust.',
      ),
    );
    await this.#engine.allowPlainHttp(origin);
  }
}
