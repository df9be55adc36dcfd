import assert from 'node:assert/strict';
import { KeyStore } from '../../src/editor/window/keyStore.ts';
import { Secrets } from './secrets.ts';

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

  it('are read once a minute, and again once they have changed', async () => {
    const secrets = new Secrets();
    let now = 0;
    const keys = new KeyStore(secrets, () => now);
    // Without a word to those who listen.
    const replace = (key: string): unknown => secrets.held.set(`apiKey:${one}`, key);
    assert.equal(await keys.get(one), undefined);
    replace('sk-1');
    assert.equal(await keys.get(one), 'sk-1', 'that there is none is not remembered');
    replace('sk-2');
    assert.equal(await keys.get(one), 'sk-1');
    now = 60_000;
    assert.equal(await keys.get(one), 'sk-2');
    const before = keys.get(one);
    await secrets.store(`apiKey:${one}`, 'sk-from-another-window');
    assert.equal(await before, 'sk-2');
    assert.equal(await keys.get(one), 'sk-from-another-window');
    await keys.remove(one);
    assert.equal(await keys.get(one), undefined);
    keys.dispose();
  });

  it('are read again when they changed while they were read', async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    await keys.set(one, 'sk-1');
    const before = keys.get(one);
    await keys.set(one, 'sk-2');
    assert.equal(await before, 'sk-1');
    assert.equal(await keys.get(one), 'sk-2');
    keys.dispose();
  });
});
