import * as vscode from 'vscode';
import type { KeyRing } from '../../tasks/keyRing.ts';

const prefix = 'apiKey:';

/** API keys in VS Code's secret storage, one for each origin and sent to no other. */
export class KeyStore implements KeyRing, vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;

  /** Fires with the origin of a key that was set or removed, in any window. */
  readonly onDidChange = this.#changed.event;

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

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
