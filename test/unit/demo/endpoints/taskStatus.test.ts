import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as v from 'valibot';
import { BEN, DemoClient, refused, WireTask } from '../../../support/demo/demoClient.ts';

const HOUR = 3_600_000;

describe('asynchronous generation', () => {
  let client: DemoClient;
  beforeEach(async () => {
    client = await DemoClient.start();
  });
  const stopping: DemoClient[] = [];
  beforeEach(() => stopping.push(client));
  after(() => Promise.all(stopping.map((each) => each.stop())));

  it('answers 202 with the queued task, where to ask for it, and which preference was applied', async () => {
    const response = await client.generate({}, { prefer: 'respond-async' });
    assert.equal(response.status, 202);
    assert.equal(response.headers.get('preference-applied'), 'respond-async');
    const { id, ...task } = v.parse(WireTask, await response.json());
    assert.equal(response.headers.get('location'), `/v1/images/generations/${id}`);
    assert.equal(task.status, 'queued');
    assert.ok(task.created_at !== undefined && task.created_at > 1_600_000_000);
    assert.equal(task.progress, '10%');
  });

  it('answers the second family with the short body', async () => {
    const task = await client.submit({ model: 'demo-sketch-a' });
    assert.deepEqual(Object.keys(task), ['id', 'object', 'status']);
  });

  it('goes through its stages, and progress may step back', async () => {
    const { id } = await client.submit();
    const seen: [string, string | undefined][] = [];
    for (const step of [0, 450, 150, 300, 100]) {
      await client.service.advance(step);
      const { status, progress } = await client.query(id);
      seen.push([status, progress]);
    }
    assert.deepEqual(seen, [
      ['in_progress', '20%'],
      ['in_progress', '60%'],
      ['in_progress', '50%'],
      ['in_progress', '95%'],
      ['completed', '100%'],
    ]);
  });

  it('lists as many different images as were asked for, on the result host', async () => {
    const { id } = await client.submit({ n: 3 });
    await client.service.advance(1000);
    const { data = [], ...task } = await client.query(id);
    assert.equal(task.status, 'completed');
    assert.equal(data.length, 3);
    assert.notEqual(new URL(client.service.resultHost).origin, new URL(client.service.baseUrl).origin);
    const images = await Promise.all(
      data.map(async ({ url, revised_prompt }) => {
        assert.ok(url.startsWith(`${client.service.resultHost}/api/async-images/`));
        assert.match(url, /\/api\/async-images\/\w+\.png$/u);
        assert.equal(typeof revised_prompt, 'string');
        const response = await fetch(url);
        assert.equal(response.headers.get('content-type'), 'image/png');
        return Buffer.from(await response.arrayBuffer()).toString('base64');
      }),
    );
    assert.equal(new Set(images).size, 3);
  });

  it('forgets an image after six hours while the record still shows it', async () => {
    const { id } = await client.submit();
    await client.service.advance(1000);
    const url = (await client.query(id)).data?.[0]?.url ?? '';
    await client.service.advance(6 * HOUR - 1);
    assert.equal((await fetch(url)).status, 200);
    await client.service.advance(1);
    assert.equal((await fetch(url)).status, 404);
    const task = await client.query(id);
    assert.equal(task.status, 'completed');
    assert.equal(task.data?.[0]?.url, url);
  });

  it('reports a failed task with HTTP 200 and its error', async () => {
    const { id } = await client.submit({ prompt: 'a wreck demo:fail' });
    await client.service.advance(1000);
    const { status, error, data } = await client.query(id);
    assert.equal(status, 'failed');
    assert.equal(error?.type, 'image_generation_failed');
    assert.equal(error.code, 'image_generation_failed');
    assert.ok(error.message);
    assert.equal(data, undefined);
  });

  it('shows a task to every key of its account, and to no other account', async () => {
    const { id } = await client.submit();
    assert.equal((await client.query(id, 'demo-key-ada-2')).id, id);
    const headers = { authorization: `Bearer ${BEN}` };
    const path = `/v1/images/generations/${id}`;
    const foreign = await refused(await client.send(path, { headers }), 404, 'task_not_found');
    const missing = await client.send('/v1/images/generations/task_none', { headers });
    assert.equal(await refused(missing, 404, 'task_not_found'), foreign);
  });

  it('keeps tasks queued while its workers are busy, and refuses with 503 when it is full', async () => {
    const small = await DemoClient.start({ workers: 1, capacity: 2 });
    const first = await small.submit();
    const second = await small.submit();
    const full = await small.generate({}, { prefer: 'respond-async' });
    assert.ok(Number(full.headers.get('retry-after')) >= 1);
    await refused(full, 503, 'queue_full');
    await small.service.advance(500);
    assert.equal((await small.query(first.id)).status, 'in_progress');
    assert.deepEqual(await small.query(second.id).then(({ status, progress }) => [status, progress]), [
      'queued',
      '10%',
    ]);
    await small.service.advance(500);
    assert.equal((await small.query(second.id)).status, 'in_progress');
    await small.submit();
    assert.equal((await small.ledger()).length, 3, 'the refused one was never billed');
    await small.stop();
  });

  it('refuses a prompt against the policy at once, and creates no task', async () => {
    const response = await client.generate({ prompt: 'a demo:reject' }, { prefer: 'respond-async' });
    await refused(response, 400, 'content_policy_violation');
    assert.deepEqual(await client.ledger(), []);
  });

  it('refuses a model without an async channel and creates no task', async () => {
    const response = await client.generate({ model: 'demo-painter-sync' }, { prefer: 'respond-async' });
    await refused(response, 400, 'no_async_channel');
    assert.deepEqual(await client.ledger(), []);
  });

  it('refuses b64_json on a native async channel only', async () => {
    const fields = { response_format: 'b64_json' };
    const direct = { ...fields, model: 'demo-painter-direct' };
    const response = await client.generate(direct, { prefer: 'respond-async' });
    await refused(response, 400, 'unsupported_response_format');
    assert.equal((await client.generate(direct)).status, 200);
    assert.equal((await client.submit(fields)).status, 'queued');
  });

  it('turns streaming off in its own queue, and refuses it on a native async channel', async () => {
    const { id } = await client.submit({ stream: true });
    await client.service.advance(1000);
    assert.equal((await client.query(id)).status, 'completed');
    const before = (await client.ledger()).length;
    const fields = { stream: true, model: 'demo-painter-direct' };
    const refusal = await client.generate(fields, { prefer: 'respond-async' });
    assert.match(await refused(refusal, 400, 'unsupported_stream'), /on this asynchronous channel/u);
    assert.equal((await client.ledger()).length, before);
  });
});

describe('billing', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  it('reserves at submission, settles by what was returned, refunds what failed', async () => {
    const whole = await client.submit({ n: 2 });
    const fewer = await client.submit({ n: 3, prompt: 'some boats demo:fewer' });
    const failed = await client.submit({ prompt: 'a wreck demo:fail' });
    const states = async (): Promise<unknown[]> =>
      (await client.ledger()).map(({ id, state, reserved, billed }) => ({ id, state, reserved, billed }));
    assert.deepEqual(await states(), [
      { id: whole.id, state: 'reserved', reserved: 80, billed: 0 },
      { id: fewer.id, state: 'reserved', reserved: 120, billed: 0 },
      { id: failed.id, state: 'reserved', reserved: 40, billed: 0 },
    ]);
    await client.service.advance(1000);
    assert.deepEqual(await states(), [
      { id: whole.id, state: 'settled', reserved: 80, billed: 80 },
      { id: fewer.id, state: 'settled', reserved: 120, billed: 80 },
      { id: failed.id, state: 'refunded', reserved: 40, billed: 0 },
    ]);
  });

  it('counts requests, not images, for an account with a subscription', async () => {
    await client.submit({ n: 4 }, { authorization: `Bearer ${BEN}` });
    await client.service.advance(1000);
    const entry = (await client.ledger()).find(({ account }) => account === 'ben');
    assert.deepEqual([entry?.['unit'], entry?.['reserved'], entry?.['billed']], ['requests', 1, 1]);
  });

  it('bills synchronous calls too, and refunds those that fail', async () => {
    const before = (await client.ledger()).length;
    assert.equal((await client.generate()).status, 200);
    await refused(await client.generate({ prompt: 'demo:fail' }), 500, 'image_generation_failed');
    const states = (await client.ledger()).slice(before).map(({ state }) => state);
    assert.deepEqual(states, ['settled', 'refunded']);
  });
});
