import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Semaphore } from '../../../src/common/semaphore.ts';

describe('Semaphore', () => {
  it('lets no more through than the limit, also when one is asked for as another is handed on', async () => {
    const semaphore = new Semaphore(() => 1);
    const { signal } = new AbortController();
    let open = 0;
    let most = 0;
    const use = async (): Promise<void> => {
      const release = await semaphore.acquire(signal);
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      release();
    };
    await Promise.all([use(), use(), use().then(use), use().then(use)]);
    assert.deepEqual([most, open], [1, 0]);
  });

  it('lets more through as soon as one is given back after the limit was raised', async () => {
    let limit = 1;
    const semaphore = new Semaphore(() => limit);
    const { signal } = new AbortController();
    const release = await semaphore.acquire(signal);
    const waiting = [semaphore.acquire(signal), semaphore.acquire(signal)];
    limit = 2;
    release();
    assert.equal((await Promise.all(waiting)).length, 2);
  });

  it('keeps no slot for who gave up waiting', async () => {
    const semaphore = new Semaphore(() => 1);
    const { signal } = new AbortController();
    const release = await semaphore.acquire(signal);
    const impatient = new AbortController();
    const waiting = semaphore.acquire(impatient.signal);
    impatient.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    release();
    (await semaphore.acquire(signal))();
  });

  it('lets nothing light pass what is heavy, which is alone when it is above the limit', async () => {
    const semaphore = new Semaphore(() => 4);
    const order: string[] = [];
    const use = (name: string, weight: number): Promise<void> =>
      semaphore.use(weight, async () => {
        order.push(`${name} starts`);
        await Promise.resolve();
        order.push(`${name} ends`);
      });
    await Promise.all([use('light', 3), use('heavy', 9), use('last', 1)]);
    assert.deepEqual(order, [
      'light starts',
      'light ends',
      'heavy starts',
      'heavy ends',
      'last starts',
      'last ends',
    ]);
  });

  it('lets the next through when what was too heavy gives up waiting', async () => {
    const semaphore = new Semaphore(() => 4);
    const { signal } = new AbortController();
    await semaphore.acquire(signal, 3);
    const impatient = new AbortController();
    const heavy = semaphore.acquire(impatient.signal, 2);
    const light = semaphore.acquire(signal);
    impatient.abort(new Error('enough'));
    await assert.rejects(heavy, /enough/);
    await light;
  });
});
