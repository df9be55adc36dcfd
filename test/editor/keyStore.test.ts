import assert from 'node:assert/strict';
import { KeyStore } from '../../src/vscode/window/serviceNames.ts';
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
});
