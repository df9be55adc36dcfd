import * as vscode from 'vscode';
import type { KeyRing } from '../../tasks/keyRing.ts';

const prefix = 'apiKey:';

/**
 * How long a key that was read needn't be read again, in milliseconds. VS Code tells of changes before; reading takes a
 * way to the window and back, and every question about a task needs the key.
 */
const freshTime = 60_000;

/** API keys in VS Code's secret storage, one for each origin and sent to no other. */
export class KeyStore implements KeyRing, vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #now: () => number;
  /** Keys that were read, by origin. */
  readonly #read = new Map<string, { key: Thenable<string | undefined>; until: number }>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;

  /** Fires with the origin of a key that was set or removed, in any window. */
  readonly onDidChange = this.#changed.event;

  /** @param now the time, in milliseconds */
  constructor(secrets: vscode.SecretStorage, now = () => performance.now()) {
    this.#secrets = secrets;
    this.#now = now;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) {
        const origin = key.slice(prefix.length);
        this.#read.delete(origin);
        this.#changed.fire(origin);
      }
    });
  }

  async get(origin: string): Promise<string | undefined> {
    const now = this.#now();
    const read = this.#read.get(origin);
    if (read && now < read.until) {
      return read.key;
    }
    const reading = { key: this.#secrets.get(prefix + origin), until: now + freshTime };
    this.#read.set(origin, reading);
    let key: string | undefined;
    try {
      key = await reading.key;
      return key;
    } finally {
      if (key === undefined && this.#read.get(origin) === reading) {
        this.#read.delete(origin);
      }
    }
  }

  async set(origin: string, key: string): Promise<void> {
    await this.#secrets.store(prefix + origin, key);
    this.#read.delete(origin);
  }

  async remove(origin: string): Promise<void> {
    await this.#secrets.delete(prefix + origin);
    this.#read.delete(origin);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
