import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StudioRequest } from '../../../../src/studio/protocol/messages.ts';
import { Host, HostError } from '../../../../src/studio/store/host.ts';

it('says that it is there until the host has heard of it', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const window = new EventTarget();
  const said: StudioRequest[] = [];
  Object.assign(globalThis, {
    window,
    acquireVsCodeApi: () => ({ postMessage: (request: StudioRequest) => said.push(request) }),
  });
  const opening = new Host(3).open();
  for (const [patience, times] of [
    [2000, 2],
    [3999, 2],
    [1, 3],
  ] as const) {
    test.mock.timers.tick(patience);
    // Lets what waited go on.
    await new Promise(setImmediate);
    assert.equal(said.length, times);
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

it('takes no reply to an earlier page for one to this, and says which request failed', async (test) => {
  const window = new EventTarget();
  const ids: number[] = [];
  Object.assign(globalThis, {
    window,
    acquireVsCodeApi: () => ({ postMessage: ({ id }: StudioRequest) => ids.push(id) }),
  });
  const { timeOrigin } = performance;
  const earlier = new Host(1);
  for (let request = 0; request < 900; request++) {
    void earlier.ask('opened', {});
  }
  test.mock.getter(performance, 'timeOrigin', () => timeOrigin + 1);
  const page = new Host(1);
  const asking = page.ask('opened', {});
  const id = ids.at(-1) ?? 0;
  assert.ok(!ids.slice(0, -1).includes(id));
  const data = { kind: 'failure', id, message: 'It is gone.', errorActions: ['Retry'] };
  window.dispatchEvent(new MessageEvent('message', { data }));
  await assert.rejects(asking, (error) => {
    assert.ok(error instanceof HostError);
    const { name, message, errorActions } = error;
    assert.deepEqual([name, error.id, message, errorActions], ['HostError', id, 'It is gone.', ['Retry']]);
    return true;
  });
});
