import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventLoopYielder } from '../../../../src/service/responses/eventLoopYielder.ts';

describe('reading a response', () => {
  it('lets the event loop run before anyone sees that it stood still, and never at every step', async (t) => {
    let time = 1000;
    t.mock.method(performance, 'now', () => time);
    const yielder = new EventLoopYielder();
    for (let round = 0; round < 3; round++) {
      time += 1;
      assert.equal(yielder.isDue, false);
      // Half of a frame of the screen.
      time += 7;
      assert.equal(yielder.isDue, true);
      let hasRun = false;
      setImmediate(() => (hasRun = true));
      await yielder.yield();
      assert.ok(hasRun);
    }
  });
});
