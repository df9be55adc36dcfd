import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as english from '../../common/english.ts';
import { isLimnerError, LimnerError } from '../../common/limnerError.ts';
import { endpointsOf, isSameService, mayCarryKey } from '../../service/http/endpoints.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import * as commands from '../window/commandIds.ts';
import { commandAction } from '../window/offers.ts';
import * as settingNames from '../window/settingNames.ts';
import { requireCharge } from '../ask/confirm.ts';
import type { DemoServiceProcess } from '../window/demoServiceProcess.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { KeyStore } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';

type PlainHttp = Pick<EngineHost, 'plainHttpOrigins' | 'allowPlainHttp'>;

/** The known part of where a request goes. */
type Address = Pick<TaskRequest, 'baseUrl' | 'free'>;

/** The configured service, and whether it can be called. */
export class ServiceConnection {
  readonly #engine: PlainHttp;
  readonly #settings: Settings;
  readonly #keys: KeyStore;
  readonly #demo: DemoServiceProcess;

  constructor(engine: PlainHttp, settings: Settings, keys: KeyStore, demo: DemoServiceProcess) {
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

  /** Whether requests go to the demo service, which remains the same one when it comes back on another port. */
  isDemo({ baseUrl, free }: Address): boolean {
    return free === true || this.#demo.isAt(baseUrl);
  }

  /** Whether requests go to the configured service. */
  isInUse(address: Address): boolean {
    const { baseUrl } = this.#settings;
    return this.isDemo(address) ? this.#demo.isAt(baseUrl) : isSameService(address.baseUrl, baseUrl);
  }

  /** Origins that the user allowed to be called over plain http. */
  get plainHttpOrigins(): readonly string[] {
    return this.#engine.plainHttpOrigins;
  }

  /**
   * Returns the base URL once a request may be sent to it: the URL is valid, plain http was allowed, a key is set, and
   * the demo service, if it is that, runs. If the demo service moved to another port, the setting follows it.
   *
   * @throws LimnerError `no_service`, `no_key`
   * @throws vscode.CancellationError when plain http was not allowed
   */
  async ready(): Promise<string> {
    const configured = this.#baseUrl();
    const baseUrl = this.#demo.isAt(configured) ? await this.startDemo() : configured;
    if (baseUrl !== configured) {
      await this.#settings.update(settingNames.baseUrl, baseUrl);
    }
    const { origin, generations } = endpointsOf(baseUrl);
    await this.allowPlainHttp(generations);
    await this.#requireKey(origin);
    return baseUrl;
  }

  /** Like `ready`, and offers the user to set up the service or the key that is missing. @throws as `ready` */
  async readyOrSetUp(): Promise<string> {
    try {
      return await this.ready();
    } catch (error) {
      await setUp(error);
    }
    try {
      return await this.ready();
    } catch (error) {
      // The user dismissed the question for the key.
      throw isLimnerError(error) && error.code === 'no_key' ? new vscode.CancellationError() : error;
    }
  }

  /**
   * Returns the base URL of the service in use, without asking or starting anything.
   *
   * @throws LimnerError `no_service`, `no_key`
   */
  async configured(): Promise<string> {
    const baseUrl = this.#baseUrl();
    if (!this.#demo.isAt(baseUrl)) {
      await this.#requireKey(endpointsOf(baseUrl).origin);
    }
    return baseUrl;
  }

  #baseUrl(): string {
    const { baseUrl } = this.#settings;
    if (baseUrl === '') {
      throw new LimnerError('no_service', '', { billing: 'no' });
    }
    return baseUrl;
  }

  async #requireKey(origin: string): Promise<void> {
    if ((await this.#keys.get(origin)) === undefined) {
      throw new LimnerError('no_key', english.t('No API key is set for {0}.', origin), {
        billing: 'no',
      });
    }
  }

  /** Starts the demo service unless it runs, and sets its key. @returns its base URL */
  async startDemo(): Promise<string> {
    const { baseUrl, apiKeys } = await this.#demo.start();
    const { origin } = endpointsOf(baseUrl);
    const [key] = apiKeys;
    if (key !== undefined && (await this.#keys.get(origin)) === undefined) {
      await this.#keys.set(origin, key);
    }
    return baseUrl;
  }

  /**
   * Asks before a plain http URL other than on this machine is used for the first time.
   *
   * @throws vscode.CancellationError when the user did not
   */
  async allowPlainHttp(address: URL): Promise<void> {
    const { origin } = address;
    if (mayCarryKey(address, this.#engine.plainHttpOrigins)) {
      return;
    }
    await requireCharge(
      l10n.t("The connection to {0} isn't encrypted.", origin),
      [l10n.t('Send Unencrypted')],
      commandAction(l10n.t('Connect to a Service…'), commands.connect),
      l10n.t(
        'Anyone on the network path can read the API key, prompts, and images. Allow this only on a network you trust.',
      ),
    );
    await this.#engine.allowPlainHttp(origin);
  }
}

/** Lets the user set up the service or the key that is missing. @throws the error where it is another one */
async function setUp(error: unknown): Promise<void> {
  const code = isLimnerError(error) ? error.code : undefined;
  if (code === 'no_key') {
    await vscode.commands.executeCommand(commands.setApiKey);
    return;
  }
  if (code !== 'no_service') {
    throw error;
  }
  const demo = l10n.t('Use Demo Service');
  const connect = l10n.t('Connect to a Service…');
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('Connect an image service first, or try the demo.'),
    demo,
    connect,
  );
  if (chosen === undefined) {
    throw new vscode.CancellationError();
  }
  await vscode.commands.executeCommand(chosen === demo ? commands.useDemoService : commands.connect);
}
