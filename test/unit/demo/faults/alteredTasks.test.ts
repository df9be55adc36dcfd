import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { HostileWorld, jsonOf, resultsOf } from '../../../support/demo/hostileWorld.ts';
import { ask, type RawAnswer } from '../../../support/demo/rawRequest.ts';

describe('answers of the demo service about a task', () => {
  let world: HostileWorld;
  let id: string;
  let task: object;
  let urls: string[];
  before(async () => {
    world = await HostileWorld.start();
    ({ id, task, urls } = await world.completedTask(3));
  });
  after(() => world.stop());
  afterEach(() => world.calm());

  /** Returns the answer to a query with a fault, the same twice. The third answer must be regular again. */
  const twice = async (fault: object): Promise<RawAnswer> => {
    await world.switchOn({ ...fault, times: 2 });
    const [first, second, third] = [await world.query(id), await world.query(id), await world.query(id)];
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(jsonOf(third), task);
    return first;
  };

  it('come from a node that does not know the task yet', async () => {
    const answer = await twice({ kind: 'staleNode' });
    assert.equal(answer.status, 404);
    assert.match(answer.body.toString(), /"code":"task_not_found"/u);
  });

  it('have no pictures yet', async () => {
    const { data: _, ...rest } = { data: undefined, ...task };
    assert.deepEqual(jsonOf(await twice({ kind: 'emptyResult' })), { ...rest, data: [] });
    assert.deepEqual(jsonOf(await twice({ kind: 'emptyResult', data: 'null' })), { ...rest, data: null });
    assert.deepEqual(jsonOf(await twice({ kind: 'emptyResult', data: 'absent' })), rest);
    const [damaged] = resultsOf(await twice({ kind: 'emptyResult', data: 'damaged' }));
    assert.match(String(damaged?.['b64_json']), /[^\w+/=]/u);
  });

  it('call states by other words', async () => {
    const wordOf = async (id: string): Promise<unknown> => {
      const answer = jsonOf(await world.query(id));
      assert.ok(typeof answer === 'object' && answer !== null && 'status' in answer);
      return answer.status;
    };
    await world.switchOn({ kind: 'stateWords', times: 0 });
    const submitted = await world.submit('a boat');
    assert.match(submitted.body.toString(), /"status":"pending"/u);
    const failing = /task_\w+/u.exec((await world.submit('demo:fail')).body.toString())?.[0] ?? '';
    await world.client.service.advance(500);
    assert.equal(await wordOf(failing), 'processing');
    await world.client.service.advance(500);
    assert.equal(await wordOf(failing), 'FAILED');
    assert.deepEqual(jsonOf(await world.query(id)), { ...task, status: 'succeeded' });
    await world.calm();
    await world.switchOn({ kind: 'stateWords', failed: 'cancelled' });
    assert.equal(await wordOf(failing), 'cancelled');
    assert.equal(await wordOf(failing), 'failed');
  });

  it('have more results than were asked for, each with an address of its own', async () => {
    const results = resultsOf(await twice({ kind: 'extraResults', count: 3 }));
    const given = results.map(({ url }) => String(url));
    assert.deepEqual(given.slice(0, 3), urls);
    assert.deepEqual([new Set(given).size, given.length], [6, 6]);
    const last = (await ask(urls[2] ?? '')).body;
    for (const url of given.slice(3)) {
      assert.ok((await ask(url)).body.equals(last));
    }
  });

  for (const [form, address] of Object.entries({
    relative: /^\/[^/]/u,
    protocolRelative: /^\/\/127/u,
    upperCaseScheme: /^HTTP:\/\//u,
    spaces: /^ .*[^ ] .* $/u,
    userinfo: /^http:\/\/someone:secret@/u,
  })) {
    it(`give addresses that lead to the pictures: ${form}`, async () => {
      const results = resultsOf(await twice({ kind: 'addresses', form }));
      for (const [index, { url }] of results.entries()) {
        assert.match(String(url), address);
        const { href } = new URL(String(url), world.client.service.baseUrl);
        assert.ok((await ask(href)).body.equals((await ask(urls[index] ?? '')).body));
      }
    });
  }

  it('give addresses that lead nowhere', async () => {
    for (const [form, url] of Object.entries({
      garbage: 'http://[::not an address',
      empty: '',
      file: 'file:///etc/hostname',
      script: 'javascript:alert(1)',
    })) {
      const results = resultsOf(await twice({ kind: 'addresses', form }));
      assert.deepEqual(new Set(results.map((result) => result['url'])), new Set([url]));
    }
  });

  it('hold texts of megabytes', async () => {
    const unknown = jsonOf(await twice({ kind: 'longText', in: 'unknown' }));
    assert.ok(typeof unknown === 'object' && unknown !== null);
    const { debug, ...rest } = { debug: '', ...unknown };
    assert.deepEqual([debug.length, rest], [2_000_000, task]);
    for (const { revised_prompt } of resultsOf(
      await twice({ kind: 'longText', in: 'revised_prompt', bytes: 3_000_000 }),
    )) {
      assert.equal(String(revised_prompt).length, 3_000_000);
    }
    const failed = await twice({ kind: 'longText', in: 'error' });
    assert.equal(failed.status, 500);
    assert.match(failed.body.toString(), /^\{"error":\{"message":"[\w. ]{2000000}"/u);
  });
});

describe('bodies of the demo service', () => {
  let world: HostileWorld;
  before(async () => {
    world = await HostileWorld.start();
  });
  after(() => world.stop());
  afterEach(() => world.calm());

  it('are called what they are not', async () => {
    const { id, task, urls } = await world.completedTask();
    for (const contentType of ['text/plain', 'image/png', 'text/html']) {
      await world.switchOn({ kind: 'mediaType', on: 'query', contentType });
      const answer = await world.query(id);
      assert.deepEqual([answer.headers['content-type'], jsonOf(answer)], [contentType, task]);
    }
    await world.switchOn({ kind: 'mediaType', on: 'image', contentType: 'application/octet-stream' });
    const { headers, body } = await ask(urls[0] ?? '');
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.ok(body.equals((await ask(urls[0] ?? '')).body));
  });

  for (const [encoding, decode] of Object.entries({
    gzip: gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  })) {
    it(`are compressed with ${encoding}, though it was not asked for`, async () => {
      const { id, task, urls } = await world.completedTask();
      await world.switchOn({ kind: 'encoding', encoding, times: 2 });
      const headers = { 'accept-encoding': 'identity' };
      const answer = await ask(`${world.client.service.baseUrl}/v1/images/generations/${id}`, { headers });
      assert.equal(answer.headers['content-encoding'], encoding);
      assert.deepEqual(JSON.parse(decode(answer.body).toString()), task);
      const picture = await ask(urls[0] ?? '', { headers });
      assert.ok(decode(picture.body).equals((await ask(urls[0] ?? '')).body));
    });
  }
});
