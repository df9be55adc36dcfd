import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StudioRequest } from '../../../../src/studio/protocol/messages.ts';
import { Host } from '../../../../src/studio/store/host.ts';

it('says that it is there until the host has heard of it', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const window = new EventTarget();
  const said: StudioRequest[] = [];
  Object.assign(globalThis, {
    window,
    acquireVsCodeApi: () => ({ postMessage: (request: StudioRequest) => said.push(request) }),
  });
  const opening = new Host(3).open();
  for (const patience of [2000, 4000]) {
    test.mock.timers.tick(patience);
    // Lets what waited go on.
    await new Promise(setImmediate);
  }
  assert.deepEqual(
    said.map(({ page, method }) => [page, method]),
    [
      [3, 'opened'],
      [3, 'opened'],
      [3, 'opened'],
    ],
  );
  assert.equal(new Set(said.map(({ load }) => load)).size, 1);
  const [last] = said.slice(-1);
  window.dispatchEvent(
    new MessageEvent('message', { data: { kind: 'reply', id: last?.id, value: undefined } }),
  );
  await opening;
});
