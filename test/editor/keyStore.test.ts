import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { KeyStore } from '../../src/editor/window/keyStore.ts';

/** A secret storage whose contents a test can read. */
class Secrets implements vscode.SecretStorage {
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

describe('the keys of services', () => {
  const one = 'https://images.example.com';
  const others = ['https://images.example.com:8443', 'http://images.example.com', 'https://example.com'];

  it('are kept in the secret storage, one for each origin', async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    await keys.set(one, 'sk-one');
    assert.deepEqual([...secrets.held], [[`apiKey:${one}`, 'sk-one']]);
    for (const other of others) {
      assert.equal(await keys.get(other), undefined, other);
      await keys.set(other, `sk-${other}`);
    }
    assert.equal(await keys.get(one), 'sk-one');
    await keys.remove(others[0] ?? '');
    assert.equal(await keys.get(one), 'sk-one');
    assert.equal(await keys.get(others[1] ?? ''), `sk-${others[1]}`);
    keys.dispose();
  });

  it('tell of their changes, whichever window made them, by origin', async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    const received: string[] = [];
    keys.onDidChange((origin) => received.push(origin));
    await secrets.store(`apiKey:${one}`, 'sk-from-another-window');
    await secrets.store('something else', 'of no interest');
    await secrets.delete(`apiKey:${one}`);
    assert.deepEqual(received, [one, one]);
    keys.dispose();
  });
});
