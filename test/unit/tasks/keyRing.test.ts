import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disposable } from '../../../src/common/clock.ts';
import { type KeyRing, KnownKeys } from '../../../src/tasks/keyRing.ts';

const one = 'https://images.example';
const other = 'https://pictures.example';

/** Keys of origins, each of which is given when the test says so. */
class SlowKeys implements KeyRing {
  readonly held = new Map<string, string>();
  readonly listeners = new Set<(origin: string) => void>();
  asked = 0;
  hold: Promise<void> | undefined;

  async get(origin: string): Promise<string | undefined> {
    this.asked++;
    const key = this.held.get(origin);
    await this.hold;
    return key;
  }

  change(origin: string, key?: string): void {
    if (key === undefined) {
      this.held.delete(origin);
    } else {
      this.held.set(origin, key);
    }
    for (const listener of this.listeners) {
      listener(origin);
    }
  }

  onDidChange(listener: (origin: string) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }
}

test('a key is asked for once, each of its own origin', async () => {
  const ring = new SlowKeys();
  ring.held.set(one, 'sk-one').set(other, 'sk-other');
  const keys = new KnownKeys(ring);
  for (const _ of [1, 2]) {
    assert.equal(await keys.get(one), 'sk-one');
    assert.equal(await keys.get(other), 'sk-other');
  }
  assert.equal(ring.asked, 2);
});

test('a key that was removed or replaced is not given again', async () => {
  const ring = new SlowKeys();
  ring.held.set(one, 'sk-one').set(other, 'sk-other');
  const keys = new KnownKeys(ring);
  await Promise.all([keys.get(one), keys.get(other)]);
  ring.change(one, 'sk-new');
  assert.equal(await keys.get(one), 'sk-new');
  ring.change(one);
  assert.equal(await keys.get(one), undefined);
  assert.equal(await keys.get(other), 'sk-other');
});

test('who is told of a change gets the key as it is by then', async () => {
  const ring = new SlowKeys();
  ring.held.set(one, 'sk-one');
  const keys = new KnownKeys(ring);
  await keys.get(one);
  const told: unknown[] = [];
  const subscription = keys.onDidChange((origin) => told.push(origin, keys.get(origin)));
  ring.change(one, 'sk-new');
  assert.deepEqual(await Promise.all(told), [one, 'sk-new']);
  subscription.dispose();
  ring.change(one);
  assert.equal(told.length, 2);
});

test('a key that changes while it is being read is read again', async () => {
  const ring = new SlowKeys();
  const { promise, resolve } = Promise.withResolvers<void>();
  ring.held.set(one, 'sk-one');
  ring.hold = promise;
  const keys = new KnownKeys(ring);
  const reading = keys.get(one);
  ring.change(one);
  resolve();
  await reading;
  assert.equal(await keys.get(one), undefined);
});

test('a key that is not there is asked for again: a locked key chain tells of nothing when it is opened', async () => {
  const ring = new SlowKeys();
  const keys = new KnownKeys(ring);
  assert.equal(await keys.get(one), undefined);
  ring.held.set(one, 'sk-one');
  assert.equal(await keys.get(one), 'sk-one');
});

test('nothing is left of it once it is disposed', () => {
  const ring = new SlowKeys();
  const keys = new KnownKeys(ring);
  assert.equal(ring.listeners.size, 1);
  keys.dispose();
  assert.equal(ring.listeners.size, 0);
});
