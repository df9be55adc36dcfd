import * as vscode from 'vscode';
import type { KeyRing } from '../../tasks/keyRing.ts';

const prefix = 'apiKey:';

/** API keys in VS Code's secret storage, one for each origin and sent to no other. */
export class KeyStore implements KeyRing, vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) {
        this.#changed.fire(key.slice(prefix.length));
      }
    });
  }

  async get(origin: string): Promise<string | undefined> {
    return this.#secrets.get(prefix + origin);
  }

  async set(origin: string, key: string): Promise<void> {
    await this.#secrets.store(prefix + origin, key);
  }

  async remove(origin: string): Promise<void> {
    await this.#secrets.delete(prefix + origin);
  }

  /** Reports keys that were set or removed, in any window, by origin. */
  onDidChange(listener: (origin: string) => void): vscode.Disposable {
    return this.#changed.event(listener);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
