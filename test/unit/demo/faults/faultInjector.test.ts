import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import * as v from 'valibot';
import { eventually } from '../../../support/eventually.ts';
import { DemoClient, refused } from '../../../support/demo/demoClient.ts';

describe('faults', () => {
  let client: DemoClient;
  beforeEach(async () => {
    client = await DemoClient.start();
  });
  afterEach(() => client.stop());

  const control = (method: string, body?: unknown): Promise<Response> =>
    fetch(`${client.service.baseUrl}/demo/faults`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const switchOn = async (...faults: object[]): Promise<void> => {
    const response = await control('POST', faults);
    assert.equal(response.status, 200, await response.text());
  };
  const submissions = async (): Promise<number> => (await client.ledger()).length;

  it('answer with any status before the work is done, once unless told otherwise', async () => {
    await switchOn({
      kind: 'status',
      on: 'generations',
      status: 429,
      code: 'slow_down',
      headers: { 'retry-after': '7' },
    });
    const response = await client.generate({}, { prefer: 'respond-async' });
    assert.equal(response.headers.get('retry-after'), '7');
    await refused(response, 429, 'slow_down');
    assert.equal(await submissions(), 0);
    assert.equal((await client.generate()).status, 200);
  });

  it('reset the connection before the work or after it', async () => {
    await switchOn({ kind: 'reset', when: 'before' }, { kind: 'reset', when: 'after' });
    await assert.rejects(client.generate({}, { prefer: 'respond-async' }));
    assert.equal(await submissions(), 0);
    await assert.rejects(client.generate({}, { prefer: 'respond-async' }));
    assert.equal(await submissions(), 1);
  });

  it('reset the connection in the middle of a body', async () => {
    await switchOn({ kind: 'reset', when: 'body' });
    const response = await client.generate();
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
  });

  const stream = async (): Promise<Response> =>
    client.post('/v1beta/models/demo-sketch-a:streamGenerateContent?alt=sse', {
      contents: [{ role: 'user', parts: [{ text: 'a small boat' }] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
    });

  it('leave a stream hanging in its middle', async () => {
    await switchOn({ kind: 'stall', when: 'body' });
    const response = await stream();
    const reader = response.body?.getReader();
    const first = await reader?.read();
    assert.match(Buffer.from(first?.value ?? []).toString(), /^data: .*a small boat/u);
    await reader?.cancel();
  });

  it('leave a caller waiting, who can give up', async () => {
    await switchOn({ kind: 'stall', when: 'after' }, { kind: 'stall', when: 'body' });
    const givingUp = new AbortController();
    const waiting = client.send('/v1/images/generations/task_1', { signal: givingUp.signal });
    const gaveUp = assert.rejects(waiting, { name: 'AbortError' });
    await gotRequests(client, 1);
    givingUp.abort();
    await gaveUp;
    assert.equal((await client.generate()).status, 200, 'its body stalls, its head came');
  });

  it('spare the first requests, and meet every one until they are removed', async () => {
    await switchOn({ kind: 'status', on: 'query', status: 503, skip: 1, times: 0 });
    const { id } = await client.submit();
    const statuses: number[] = [];
    for (let query = 0; query < 4; query++) {
      statuses.push((await client.send(`/v1/images/generations/${id}`)).status);
    }
    assert.deepEqual(statuses, [200, 503, 503, 503]);
    await control('DELETE');
    assert.equal((await client.send(`/v1/images/generations/${id}`)).status, 200);
  });

  it('spoil images: other bytes, more than 20 MB, or a trickle', async () => {
    const { id } = await client.submit();
    await client.service.advance(1000);
    const url = (await client.query(id)).data?.[0]?.url ?? '';
    await switchOn(
      { kind: 'body', on: 'image', contentType: 'image/svg+xml', body: '<svg/>' },
      { kind: 'pad', on: 'image', bytes: 20_000_001 },
      { kind: 'slow', on: 'image', bytesPerSecond: 1_000_000 },
    );
    assert.equal(await (await fetch(url)).text(), '<svg/>');
    assert.equal((await (await fetch(url)).arrayBuffer()).byteLength, 20_000_001);
    const slow = Buffer.from(await (await fetch(url)).arrayBuffer());
    assert.deepEqual(slow, Buffer.from(await (await fetch(url)).arrayBuffer()));
  });

  it('delay an answer by the time of the service', async () => {
    await switchOn({ kind: 'delay', on: 'query', milliseconds: 5000 });
    const { id } = await client.submit();
    let answered = false;
    const query = client.query(id).finally(() => {
      answered = true;
    });
    await gotRequests(client, 2);
    await client.service.advance(4999);
    assert.equal(answered, false);
    await client.service.advance(1);
    await query;
  });

  it('can be given at the start, and are listed with what is left of them', async () => {
    const own = await DemoClient.start({
      faults: [{ kind: 'reset', on: 'native', times: 2, skip: 1, when: 'after' }],
    });
    const listed: unknown = await (await fetch(`${own.service.baseUrl}/demo/faults`)).json();
    assert.deepEqual(listed, { faults: [{ kind: 'reset', on: 'native', times: 2, skip: 1, when: 'after' }] });
    await own.stop();
  });

  it('are refused when they make no sense', async () => {
    for (const fault of [{}, { kind: 'fire' }, { kind: 'status' }, { kind: 'reset', whn: 'body' }, 'reset']) {
      await refused(await control('POST', fault), 400, 'invalid_fault');
    }
    for (const fault of [
      '{"kind":"delay","milliseconds":1e999}',
      '{"kind":"delay","milliseconds":1e300}',
      '{"kind":"slow","bytesPerSecond":1e999}',
      '{"kind":"slow","bytesPerSecond":1e300}',
      '{"kind":"truncate","bytes":1e300}',
      '{"kind":"reset","times":1e300}',
      '{"kind":"reset","skip":1e999}',
    ]) {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: fault };
      await refused(await fetch(`${client.service.baseUrl}/demo/faults`, init), 400, 'invalid_fault');
    }
  });
});

/** Waits until the service has received a number of requests. */
async function gotRequests({ service }: DemoClient, count: number): Promise<void> {
  await eventually(
    `the service gets ${count} requests`,
    async () => {
      const response = await fetch(`${service.baseUrl}/demo/requests`);
      return v.parse(v.object({ requests: v.array(v.unknown()) }), await response.json()).requests;
    },
    (requests) => requests.length >= count,
  );
}
