import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { HostileWorld } from '../../../support/demo/hostileWorld.ts';
import { ask } from '../../../support/demo/rawRequest.ts';

describe('the host of the pictures', () => {
  let world: HostileWorld;
  let urls: string[];
  before(async () => {
    world = await HostileWorld.start();
    ({ urls } = await world.completedTask(2));
  });
  after(() => world.stop());
  afterEach(() => world.calm());

  for (const status of [403, 404, 410]) {
    it(`is late with every picture, saying ${status}`, async () => {
      await world.switchOn({ kind: 'late', status, times: 2, eachPath: true });
      const statuses: number[] = [];
      for (const url of [...urls, ...urls, ...urls]) {
        statuses.push((await ask(url)).status);
      }
      assert.deepEqual(statuses, [status, status, status, status, 200, 200]);
    });
  }

  it('can be late with one picture alone', async () => {
    const [one = '', other = ''] = urls;
    await world.switchOn({ kind: 'late', path: new URL(one).pathname });
    assert.deepEqual(
      [(await ask(other)).status, (await ask(one)).status, (await ask(one)).status],
      [200, 404, 200],
    );
  });

  it('is late alone: what is asked of the service meets nothing', async () => {
    const { id } = await world.client.submit();
    await world.switchOn({ kind: 'late' }, { kind: 'redirect' });
    assert.equal((await world.query(id)).status, 200);
    assert.equal((await world.submit()).status, 202);
    const [url = ''] = urls;
    assert.deepEqual(
      [(await ask(url)).status, (await ask(url)).status, (await ask(url)).status],
      [404, 302, 200],
    );
  });

  it('sends a caller elsewhere, to the very picture', async () => {
    const [url = ''] = urls;
    const picture = (await ask(url)).body;
    await world.switchOn({ kind: 'redirect', hops: 2, times: 0 });
    let hop = url;
    for (const expected of [302, 302]) {
      const { status, headers } = await ask(hop);
      assert.equal(status, expected);
      hop = new URL(headers['location'] ?? '', hop).href;
    }
    const last = await ask(hop);
    assert.equal(last.status, 200);
    assert.ok(last.body.equals(picture));
  });
});
