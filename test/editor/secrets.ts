import * as vscode from 'vscode';

/** A secret storage whose contents a test can read. */
export class Secrets implements vscode.SecretStorage {
  readonly held = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  async keys(): Promise<string[]> {
    return Promise.resolve([...this.held.keys()]);
  }

  async get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.held.get(key));
  }

  async store(key: string, value: string): Promise<void> {
    this.held.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  async delete(key: string): Promise<void> {
    this.held.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}
