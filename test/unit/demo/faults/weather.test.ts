import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { FAULT_KINDS } from '../../../../src/demo/faults/faultCatalog.ts';
import { parseWeather } from '../../../../src/demo/faults/weather.ts';
import { DemoClient, refused } from '../../../support/demo/demoClient.ts';
import { HostileWorld, resultsOf } from '../../../support/demo/hostileWorld.ts';
import { ask } from '../../../support/demo/rawRequest.ts';

/** The kinds that do not end by themselves, or take their time. */
const TIMELESS = { without: ['stall', 'delay', 'slow', 'framing'] };

const Weather = v.object({
  weather: v.nullable(v.looseObject({ seed: v.number() })),
  met: v.array(
    v.object({
      target: v.string(),
      ordinal: v.number(),
      path: v.string(),
      met: v.looseObject({ kind: v.string(), path: v.string() }),
    }),
  ),
});

const Billed = v.object({
  id: v.string(),
  state: v.literal('settled'),
  promptSha256: v.string(),
  imageSha256: v.array(v.string()),
});

describe('the weather between the demo service and its clients', () => {
  let world: HostileWorld;
  before(async () => {
    world = await HostileWorld.start();
  });
  after(() => world.stop());
  afterEach(() => world.calm());

  const seen = async ({ client } = world): Promise<v.InferOutput<typeof Weather>> =>
    v.parse(Weather, await (await fetch(`${client.service.baseUrl}/demo/weather`)).json());

  /** Sends thirty requests and returns what met them, without the names of their tasks. */
  const met = async (seed: number): Promise<string[]> => {
    await fetch(`${world.client.service.baseUrl}/demo/requests`, { method: 'DELETE' });
    const { id } = await world.client.submit();
    await world.setWeather({ seed, share: 0.5, ...TIMELESS });
    for (let round = 0; round < 10; round++) {
      await Promise.allSettled([
        world.submit(),
        world.query(id),
        ask(`${world.client.service.resultHost}/x.png`),
      ]);
    }
    return (await seen()).met
      .toSorted((one, other) => one.target.localeCompare(other.target) || one.ordinal - other.ordinal)
      .map(({ target, ordinal, met }) => {
        const fault = JSON.stringify(met, (name, value: unknown) => (name === 'path' ? undefined : value));
        return `${target} ${ordinal} ${fault}`;
      });
  };

  it('is the same again from the same seed, and another from another', async () => {
    const first = await met(7);
    assert.ok(first.length > 8 && first.length < 24, JSON.stringify(first));
    assert.deepEqual(await met(7), first);
    assert.notDeepEqual(await met(8), first);
  });

  it('tells what met which request, so that it can be switched on again', async () => {
    await world.setWeather({ seed: 1, share: 1, kinds: ['blockPage'] });
    const answer = await world.submit();
    const { met } = await seen();
    const last = met.at(-1);
    assert.deepEqual([last?.target, last?.ordinal, last?.path], ['generations', 1, '/v1/images/generations']);
    await world.calm();
    assert.equal((await seen()).weather, null);
    await world.switchOn(last?.met ?? {});
    assert.deepEqual((await world.submit()).body, answer.body);
  });

  it('brings everything that it can sooner or later', async () => {
    const { id, urls } = await world.completedTask();
    await fetch(`${world.client.service.baseUrl}/demo/requests`, { method: 'DELETE' });
    await world.setWeather({ seed: 1, share: 1, ...TIMELESS });
    for (let round = 0; round < 150; round++) {
      await Promise.allSettled([world.submit('', {}), world.query(id), ask(urls[0] ?? '')]);
    }
    const expected = Object.entries(FAULT_KINDS)
      .filter(([kind, { drawnOn }]) => drawnOn.length > 0 && !TIMELESS.without.includes(kind))
      .map(([kind]) => kind);
    const brought = new Set((await seen()).met.map(({ met }) => met.kind));
    assert.deepEqual([...brought].toSorted(), expected.toSorted());
  });

  it('lets everything be had that was billed, byte for byte, once it is calm', async (t) => {
    const own = await HostileWorld.start();
    t.after(() => own.stop());
    const { baseUrl } = own.client.service;
    await own.setWeather({ seed: 11, share: 0.7, ...TIMELESS });
    const prompts = Array.from({ length: 25 }, (_, index) => `boat number ${index}`);
    await Promise.allSettled(prompts.map((prompt) => own.submit(prompt)));
    await own.client.service.advance(5000);
    const entries = v.parse(v.array(Billed), await own.client.ledger());
    assert.ok(entries.length > 5 && entries.length < 25, String(entries.length));
    await Promise.allSettled(entries.map(({ id }) => own.query(id)));
    await own.calm();
    const hashes = new Map(prompts.map((prompt) => [sha256(prompt), prompt]));
    for (const { id, promptSha256, imageSha256 } of entries) {
      assert.equal(imageSha256.length, 1);
      const [{ url, revised_prompt } = {}] = resultsOf(await ask(`${baseUrl}/v1/images/generations/${id}`));
      assert.equal(revised_prompt, `A demo painting of ${hashes.get(promptSha256)}`);
      assert.deepEqual([sha256((await ask(String(url))).body)], imageSha256);
    }
  });

  it('tells of every picture that a synchronous call was billed for', async (t) => {
    const own = await HostileWorld.start({ syncDuration: 0 });
    t.after(() => own.stop());
    const response = await own.client.generate({ n: 2, prompt: 'two boats' });
    const { data } = v.parse(
      v.object({ data: v.array(v.object({ b64_json: v.string() })) }),
      await response.json(),
    );
    const [entry] = v.parse(v.array(Billed), await own.client.ledger());
    assert.equal(entry?.promptSha256, sha256('two boats'));
    assert.deepEqual(
      entry.imageSha256,
      data.map(({ b64_json }) => sha256(Buffer.from(b64_json, 'base64'))),
    );
  });

  it('can be there from the start', async (t) => {
    const weather = {
      seed: 1,
      share: 1,
      on: ['query' as const],
      kinds: ['unauthorized' as const],
      without: [],
    };
    const own = await DemoClient.start({ weather });
    t.after(() => own.stop());
    assert.equal((await own.send('/v1/images/generations/task_1')).status, 401);
  });

  it('is refused when it makes no sense', async () => {
    for (const [weather, where] of [
      [5, /^weather: /u],
      [{ seed: 1, kinds: ['reset', 'rain'] }, /^kinds\.1: /u],
    ] as const) {
      assert.throws(() => parseWeather(weather), { message: where });
    }
    for (const weather of [
      {},
      { seed: 'x' },
      { seed: 1, share: 1.01 },
      { seed: 1, share: -0.01 },
      { seed: 1.5 },
      { seed: 1, kinds: ['rain'] },
      { seed: 1, kinds: ['body'] },
      { seed: 1, on: ['any'] },
    ]) {
      const response = await fetch(`${world.client.service.baseUrl}/demo/weather`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(weather),
      });
      await refused(response, 400, 'invalid_weather');
    }
  });
});

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
