import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Slots } from '../../../src/common/semaphore.ts';

describe('Slots', () => {
  it('lets no more through than the limit, also when one is asked for as another is handed on', async () => {
    const slots = new Slots(() => 1);
    const { signal } = new AbortController();
    let open = 0;
    let most = 0;
    const use = async (): Promise<void> => {
      const giveBack = await slots.take(signal);
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      giveBack();
    };
    await Promise.all([use(), use(), use().then(use), use().then(use)]);
    assert.deepEqual([most, open], [1, 0]);
  });

  it('lets more through as soon as one is given back after the limit was raised', async () => {
    let limit = 1;
    const slots = new Slots(() => limit);
    const { signal } = new AbortController();
    const giveBack = await slots.take(signal);
    const waiting = [slots.take(signal), slots.take(signal)];
    limit = 2;
    giveBack();
    assert.equal((await Promise.all(waiting)).length, 2);
  });

  it('keeps no slot for who gave up waiting', async () => {
    const slots = new Slots(() => 1);
    const { signal } = new AbortController();
    const giveBack = await slots.take(signal);
    const impatient = new AbortController();
    const waiting = slots.take(impatient.signal);
    impatient.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    giveBack();
    (await slots.take(signal))();
  });
});
