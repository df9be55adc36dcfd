import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { answerRequest, type StudioHandlers } from '../../../../src/editor/studioPanel/answerRequest.ts';
import { requestParameters, studioRequest } from '../../../../src/studio/protocol/messages.ts';

const describe = (error: unknown): { message: string; errorActions: string[] } => ({
  message: String(error),
  errorActions: [],
});

/** A handler for every method of the protocol, which remembers what it was given. */
function recording(): { handlers: StudioHandlers; calls: [string, unknown][] } {
  const calls: [string, unknown][] = [];
  const handler = (method: string) => async (parameters: unknown) => {
    calls.push([method, parameters]);
    return null;
  };
  const handlers = Object.fromEntries(
    Object.keys(requestParameters).map((method) => [method, handler(method)]),
  );
  return {
    handlers: v.parse(
      v.custom<StudioHandlers>(() => true),
      handlers,
    ),
    calls,
  };
}

test('a request is answered with what its handler gives', async () => {
  const { handlers, calls } = recording();
  const parameters = { task: 't1', index: 2, starred: true };
  assert.deepEqual(
    await answerRequest(handlers, { page: 1, load: 'a', id: 7, method: 'star', parameters }, describe),
    {
      kind: 'reply',
      id: 7,
      value: null,
    },
  );
  assert.deepEqual(calls, [['star', parameters]]);
});

test('parameters of a wrong shape never reach a handler, and the request fails', async () => {
  const { handlers, calls } = recording();
  const wrong: [method: string, parameters: unknown][] = [
    ['star', { task: 't1', index: -1, starred: true }],
    ['star', { task: 1, index: 0, starred: true }],
    ['open', undefined],
    ['submit', { mask: 'a picture' }],
    ['saveDraft', { changes: { count: 0 } }],
    ['saveDraft', { changes: { mask: { operations: [{ kind: 'shell' }], done: 1 } } }],
    ['addInputs', { uris: 'file:///etc/passwd' }],
    ['taskAction', { task: 't1', action: 'delete' }],
    ['history', { filter: {}, offset: 0, limit: 100_000 }],
    ['constructor', {}],
    ['toString', {}],
    ['', {}],
  ];
  for (const [method, parameters] of wrong) {
    const answer = await answerRequest(handlers, { page: 1, load: 'a', id: 1, method, parameters }, describe);
    assert.equal(answer?.kind, 'failure', method);
  }
  assert.deepEqual(calls, []);
});

test('what is no request at all is told apart', () => {
  for (const message of [
    undefined,
    null,
    'star',
    7,
    [],
    { method: 'star' },
    { page: 1, load: 'a', id: '1', method: 'star' },
  ]) {
    assert.ok(!v.is(studioRequest, message));
  }
  assert.ok(v.is(studioRequest, { page: 1, load: 'a', id: 1, method: 'star', parameters: undefined }));
});

test('a handler that fails is answered once, with its words; a dismissed question with nothing', async () => {
  const { handlers } = recording();
  const failing = { ...handlers, open: async () => Promise.reject(new Error('gone')) };
  const request = { page: 1, load: 'a', id: 3, method: 'open', parameters: { task: 't', index: 0 } };
  assert.deepEqual(await answerRequest(failing, request, describe), {
    kind: 'failure',
    id: 3,
    message: 'Error: gone',
    errorActions: [],
  });
  assert.deepEqual(await answerRequest(failing, request, () => undefined), {
    kind: 'reply',
    id: 3,
    value: null,
  });
});
