import * as vscode from 'vscode';
import type { DemoServiceProcess } from './demoServiceProcess.ts';
import type { Settings } from './settings.ts';

/** Names the service in use where a person reads it. */
export class ServiceNames {
  readonly #settings: Settings;
  readonly #demo: DemoServiceProcess;

  constructor(settings: Settings, demo: DemoServiceProcess) {
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

  /** Returns model and service in use, as far as the settings name them. */
  get label(): string {
    const { model } = this.#settings;
    const isOfDemo = this.#demo.models.some(({ id }) => id === model);
    return [...(model !== '' && isOfDemo === this.isDemo ? [model] : []), this.inUse].join(' · ');
  }
}

/** Returns the name of a service: its host, or that it is the demo. */
export function serviceName(baseUrl: string, isDemo: boolean): string {
  return isDemo ? vscode.l10n.t('Demo') : (URL.parse(baseUrl)?.host ?? baseUrl);
}
