import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { DemoClient, refused } from '../../../support/demo/demoClient.ts';

const Requests = v.object({
  requests: v.array(
    v.object({
      host: v.string(),
      method: v.string(),
      path: v.string(),
      prefer: v.optional(v.string()),
      status: v.optional(v.number()),
    }),
  ),
});
const Clock = v.object({ now: v.number() });

describe('the paths of the demo service’s own', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  const own = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`${client.service.baseUrl}/demo/${path}`, init);

  /** Returns the faults that are listed after a request. */
  const faults = async (method: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const response = await own('faults', { method, headers, ...(body && { body: JSON.stringify(body) }) });
    assert.equal(response.status, 200);
    return v.parse(v.object({ faults: v.array(v.looseObject({})) }), await response.json()).faults;
  };

  it('list the requests of both origins with their answers, but none of their own', async () => {
    const { id } = await client.submit();
    await client.service.advance(1000);
    const { data } = await client.query(id);
    await fetch(data?.[0]?.url ?? '');
    await client.generate({ prompt: '' });
    const { requests } = v.parse(Requests, await (await own('requests')).json());
    assert.deepEqual(
      requests.map(({ host, method, prefer, status }) => [host, method, prefer, status]),
      [
        ['service', 'POST', 'respond-async', 202],
        ['service', 'GET', undefined, 200],
        ['result', 'GET', undefined, 200],
        ['service', 'POST', undefined, 400],
      ],
    );
    assert.equal(requests[1]?.path, `/v1/images/generations/${id}`);
    await own('requests', { method: 'DELETE' });
    assert.deepEqual(v.parse(Requests, await (await own('requests')).json()).requests, []);
  });

  it('answer only requests for this machine by its own name', async () => {
    const { port } = new URL(client.service.baseUrl);
    const statusFor = async (host: string): Promise<number | undefined> => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      get({ port, path: '/demo/requests', headers: { host } }, resolve).on('error', reject);
      const response = await promise;
      response.resume();
      return response.statusCode;
    };
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      assert.equal(await statusFor(`${host}:${port}`), 200, host);
    }
    for (const host of [
      'rebound.example',
      'localhost.rebound.example',
      '127.0.0.1.rebound.example',
      'rebound-localhost',
      '1127.0.0.1',
    ]) {
      assert.equal(await statusFor(`${host}:${port}`), 403, host);
    }
  });

  it('tell the time and move it, and what was due is done then', async () => {
    const { id } = await client.submit();
    const { now } = v.parse(Clock, await (await own('clock')).json());
    const moved = await own('clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advance":1000}',
    });
    assert.equal(v.parse(Clock, await moved.json()).now, now + 1000);
    assert.equal((await client.query(id)).status, 'completed');
  });

  it('show what each account was billed and what is reserved', async () => {
    await client.submit({ n: 2 });
    const ledger: unknown = await (await own('ledger')).json();
    const { balances } = v.parse(v.object({ balances: v.array(v.unknown()) }), ledger);
    assert.deepEqual(balances, [{ account: 'ada', unit: 'credits', reserved: 80, billed: 80 }]);
  });

  it('list the faults that are still to come, with 0 for one without end, until they are ended', async () => {
    const fault = { kind: 'status', status: 503, on: 'query' };
    await faults('POST', [
      { ...fault, times: 0 },
      { ...fault, times: 2, skip: 1 },
    ]);
    const times = v.array(v.object({ times: v.number(), skip: v.number() }));
    assert.deepEqual(v.parse(times, await faults('GET')), [
      { times: 0, skip: 0 },
      { times: 2, skip: 1 },
    ]);
    await faults('DELETE');
    assert.deepEqual(await faults('GET'), []);
  });

  it('refuse what they do not know', async () => {
    await refused(await own('nothing'), 404, 'not_found');
    assert.match(await refused(await fetch(`${client.service.baseUrl}/demo`), 404, 'not_found'), /control/u);
    const other = await fetch(`${client.service.baseUrl}/demonstration`);
    assert.doesNotMatch(await refused(other, 404, 'not_found'), /control/u);
    // A web page can send a form to any address, but not JSON.
    await refused(await own('clock', { method: 'POST', body: 'advance=1' }), 415, 'unsupported_media_type');
  });
});
