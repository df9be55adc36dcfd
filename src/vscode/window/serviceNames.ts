import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TaskRequest } from '../../engine/task/task.ts';
import type { DemoServiceProcess } from './demoServiceProcess.ts';
import type { Settings } from './settings.ts';
import type { KeyRing } from '../../engine/task/keyRing.ts';

export class ServiceNames {
  readonly #settings: Pick<Settings, 'baseUrl' | 'model'>;
  readonly #demo: Pick<DemoServiceProcess, 'isAt' | 'models'>;

  constructor(
    settings: Pick<Settings, 'baseUrl' | 'model'>,
    demo: Pick<DemoServiceProcess, 'isAt' | 'models'>,
  ) {
    this.#settings = settings;
    this.#demo = demo;
  }

  get isDemo(): boolean {
    return this.#demo.isAt(this.#settings.baseUrl);
  }

  get inUse(): string {
    return this.of(this.#settings.baseUrl);
  }

  /** Names the service at a URL. @param isDemo whether it is the demo, or was when a request went there */
  of(baseUrl: string, isDemo = this.#demo.isAt(baseUrl)): string {
    return serviceName(baseUrl, isDemo);
  }

  /** Names the service of a request, if it isn't the one in use. */
  otherOf({ baseUrl, free }: Pick<TaskRequest, 'baseUrl' | 'free'>): string | undefined {
    const name = this.of(baseUrl, free);
    return this.inUse === '' || name === this.inUse ? undefined : name;
  }

  /** Names the model and the service in use, as far as they are set. A narrow view cuts off the end. */
  get label(): string {
    const { model } = this.#settings;
    const isOfDemo = this.#demo.models.some(({ id }) => id === model);
    return [isOfDemo === this.isDemo ? model : '', this.inUse].filter((part) => part !== '').join(' · ');
  }
}

export function serviceName(baseUrl: string, isDemo: boolean): string {
  return isDemo ? l10n.t('Demo') : (URL.parse(baseUrl)?.host ?? baseUrl);
}

/** Begins the name of a key in VS Code's secret storage; its origin follows. */
export const keyPrefix = 'apiKey:';

/** API keys in VS Code's secret storage: one for each origin, and sent to no other. */
export class KeyStore implements KeyRing, vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;

  /** Fires with the origin of a key that any window set or removed. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(keyPrefix)) {
        this.#changed.fire(key.slice(keyPrefix.length));
      }
    });
  }

  async get(origin: string): Promise<string | undefined> {
    return this.#secrets.get(keyPrefix + origin);
  }

  async set(origin: string, key: string): Promise<void> {
    await this.#secrets.store(keyPrefix + origin, key);
  }

  async remove(origin: string): Promise<void> {
    await this.#secrets.delete(keyPrefix + origin);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
