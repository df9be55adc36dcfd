import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import * as v from 'valibot';
import { studioPage, PageVersions } from '../../../../src/vscode/studio/studioPage.ts';
import { type FileVersion, hasChanged } from '../../../../src/vscode/studio/draftFile.ts';
import { hashOf } from '../../../../src/engine/files/stagingStore.ts';
import { answerRequest, type StudioHandlers } from '../../../../src/vscode/studio/answerRequest.ts';
import { requestParameters, studioRequest } from '../../../../src/studio/protocol/messages.ts';

const page = (data: unknown): string =>
  studioPage({
    script: 'https://resource.test/dist/studio.js',
    style: 'https://resource.test/dist/studio.css',
    cspSource: 'https://resource.test',
    nonce: 'abc123==',
    language: 'en"><script>',
    title: 'a</title>.png',
    data,
  });

test('nothing but the one script may run, and nothing remote is loaded', () => {
  const html = page({});
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
  assert.match(policy, /^default-src 'none'; script-src 'nonce-abc123=='; /);
  assert.doesNotMatch(policy, /unsafe|\*|connect-src/);
  assert.deepEqual(
    [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes),
    [
      ' type="application/json" id="data"',
      ' nonce="abc123==" type="module" src="https://resource.test/dist/studio.js"',
    ],
  );
});

test('a prompt cannot leave the data, whatever it says', () => {
  const data = { prompt: '</script><script>alert(1)</script><!-- \u2028 \\u003c & "' };
  const html = page(data);
  const [, json = ''] = /id="data">([^<]*)<\/script>/.exec(html) ?? [];
  assert.deepEqual(JSON.parse(json), data);
  assert.equal(html.split('</script>').length, 3);
});

test('a page counts from when it is opened, and after it is hidden', () => {
  const versions = new PageVersions();
  versions.give(1);
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'opened' }));
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }));
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'opened' }), 'said once more');
  versions.give(2);
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }), 'what it says last');
  assert.ok(!versions.isOutdated({ page: 2, load: 'b', method: 'opened' }));
});

test('a page that is loaded once more shows what was, and nothing that it asks counts', () => {
  const versions = new PageVersions();
  versions.give(1);
  versions.isOutdated({ page: 1, load: 'a', method: 'opened' });
  assert.ok(versions.isOutdated({ page: 1, load: 'b', method: 'opened' }));
  assert.ok(versions.isOutdated({ page: 1, load: 'b', method: 'saveDraft' }));
  versions.give(2);
  assert.ok(!versions.isOutdated({ page: 2, load: 'c', method: 'opened' }));
  assert.ok(!versions.isOutdated({ page: 2, load: 'c', method: 'saveDraft' }));
});

test('a page that is loaded once more is told from the first, also where that was not heard to open', () => {
  const versions = new PageVersions();
  versions.give(1);
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }));
  assert.ok(versions.isOutdated({ page: 1, load: 'b', method: 'opened' }));
});

test('a page that is opened after VS Code was given the next one is outdated', () => {
  const versions = new PageVersions();
  versions.give(1);
  versions.give(2);
  assert.ok(versions.isOutdated({ page: 1, load: 'a', method: 'opened' }));
  assert.ok(versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }));
  assert.ok(!versions.isOutdated({ page: 2, load: 'b', method: 'opened' }));
});

void describe('a file that was added to the draft', () => {
  const tomorrow = Date.now() + 86_400_000;
  const then: FileVersion = { mtime: tomorrow, size: 5, sha256: hashOf('image') };
  const isChanged = async (now: { mtime: number; size: number }, contents: string, of = then) =>
    hasChanged(of, now, async () => Buffer.from(contents));

  void it('has not changed, even if its clock was ahead', async () => {
    assert.ok(!(await isChanged({ mtime: tomorrow, size: 5 }, 'image')));
  });

  void it('has changed with its contents, even if they are older', async () => {
    assert.ok(await isChanged({ mtime: tomorrow + 1, size: 5 }, 'other'));
    assert.ok(await isChanged({ mtime: 1000, size: 5 }, 'older'));
    assert.ok(await isChanged({ mtime: tomorrow, size: 4 }, 'less'));
  });

  void it('has not changed when only its time has, as in a checkout', async () => {
    assert.ok(!(await isChanged({ mtime: 1000, size: 5 }, 'image')));
  });

  void it('is told by its contents where nothing else is known', async () => {
    assert.ok(!(await isChanged({ mtime: 1, size: 5 }, 'image', { sha256: then.sha256 })));
    assert.ok(await isChanged({ mtime: 1, size: 5 }, 'other', { sha256: then.sha256 }));
  });
});

const inWords = (error: unknown): { message: string; errorActions: string[] } => ({
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
    await answerRequest(handlers, { page: 1, load: 'a', id: 7, method: 'star', parameters }, inWords),
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
    const answer = await answerRequest(handlers, { page: 1, load: 'a', id: 1, method, parameters }, inWords);
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
  assert.deepEqual(await answerRequest(failing, request, inWords), {
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
