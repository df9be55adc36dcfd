import * as vscode from 'vscode';
import type { TaskRequest } from '../../tasks/task.ts';
import type { DemoServiceProcess } from './demoServiceProcess.ts';
import type { Settings } from './settings.ts';

/** Names the service in use where a person reads it. */
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

  /** Whether the built-in demo service is in use. */
  get isDemo(): boolean {
    return this.#demo.isAt(this.#settings.baseUrl);
  }

  /** Returns the name of the service in use; empty while none is set. */
  get inUse(): string {
    return this.of(this.#settings.baseUrl);
  }

  /** Returns the name of the service at a URL. @param isDemo whether it is the demo, or was when a request went there */
  of(baseUrl: string, isDemo = this.#demo.isAt(baseUrl)): string {
    return serviceName(baseUrl, isDemo);
  }

  /** Returns the name of the service of a request, where another one is in use. */
  otherOf({ baseUrl, free }: Pick<TaskRequest, 'baseUrl' | 'free'>): string | undefined {
    const name = this.of(baseUrl, free);
    return this.inUse === '' || name === this.inUse ? undefined : name;
  }

  /** Returns service and model in use, as far as the settings name them; a narrow view cuts the end. */
  get label(): string {
    const { model } = this.#settings;
    const isOfDemo = this.#demo.models.some(({ id }) => id === model);
    return [this.inUse, isOfDemo === this.isDemo ? model : ''].filter((part) => part !== '').join(' · ');
  }
}

/** Returns the name of a service: its host, or that it is the demo. */
export function serviceName(baseUrl: string, isDemo: boolean): string {
  return isDemo ? vscode.l10n.t('Demo') : (URL.parse(baseUrl)?.host ?? baseUrl);
}
