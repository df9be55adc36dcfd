import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { HostileWorld, jsonOf } from '../../../support/demo/hostileWorld.ts';
import { ask } from '../../../support/demo/rawRequest.ts';

describe('gateways in front of the demo service', () => {
  let world: HostileWorld;
  before(async () => {
    world = await HostileWorld.start();
  });
  after(() => world.stop());
  afterEach(() => world.calm());

  for (const status of [403, 200]) {
    it(`block a request with a page and status ${status}, before the service hears of it`, async () => {
      const taken = await world.taken();
      await world.switchOn({ kind: 'blockPage', status });
      const answer = await world.submit();
      assert.deepEqual([answer.status, answer.headers['content-type']], [status, 'text/html; charset=utf-8']);
      await world.switchOn({ kind: 'blockPage', status });
      const other = await ask(`${world.client.service.baseUrl}/v1/images/generations/a&b`);
      assert.match(other.body.toString(), /\/a&amp;b\./u);
      assert.match(answer.body.toString(), /you have been blocked/u);
      assert.equal(await world.taken(), taken);
      assert.equal((await world.submit()).status, 202);
    });
  }

  const path = '/v1/images/generations/task_1';
  const types: Record<string, string> = { express: 'text/plain', expressHtml: 'text/html; charset=utf-8' };
  const bodies = {
    express: /^Cannot GET \/v1\/images\/generations\/task_1$/u,
    expressHtml: /<pre>Cannot GET \/v1\/images\/generations\/task_1<\/pre>/u,
    code: /^\{"code":"NOT_FOUND",.*task_1/u,
    nested: /^\{"error":\{"code":"route_not_found",.*task_1/u,
    kubernetes:
      /^\{"kind":"Status","apiVersion":"v1",.*"status":"Failure",.*task_1.*"reason":"NotFound",.*"code":404\}$/u,
  };
  for (const [words, body] of Object.entries(bodies)) {
    it(`lose the way to the service and repeat the path, as ${words}`, async () => {
      await world.switchOn({ kind: 'routeNotFound', words });
      const answer = await ask(world.client.service.baseUrl + path);
      assert.deepEqual(
        [answer.status, answer.headers['content-type']],
        [404, types[words] ?? 'application/json'],
      );
      assert.match(answer.body.toString(), body);
    });
  }

  const pages = [
    [502, 'nginx', 'text/html; charset=utf-8', /<h1>502 Bad Gateway<\/h1>/u],
    [503, 'envoy', 'text/plain', /^upstream connect error .* connection termination$/u],
    [504, 'envoy', 'text/plain', /^upstream request timeout$/u],
    [502, 'google', 'text/html; charset=utf-8', /Please try again in 30 seconds/u],
    [503, 'noUpstream', 'text/plain', /^no healthy upstream$/u],
  ] as const;
  for (const [status, page, type, body] of pages) {
    for (const when of ['before', 'after']) {
      it(`answer ${status} as ${page} ${when} the service took the request`, async () => {
        const taken = await world.taken();
        await world.switchOn({ kind: 'gatewayError', on: 'generations', status, page, when });
        const answer = await world.submit();
        assert.equal(answer.status, status);
        assert.deepEqual([answer.headers['content-type'], answer.headers['retry-after']], [type, undefined]);
        const server = { nginx: 'nginx', envoy: 'envoy', google: undefined, noUpstream: undefined }[page];
        assert.equal(answer.headers['server'], server);
        assert.match(answer.body.toString(), body);
        assert.equal(await world.taken(), when === 'after' ? taken + 1 : taken);
      });
    }
  }

  it('say with their page when to come again', async () => {
    await world.switchOn({ kind: 'gatewayError', status: 503, retryAfter: 7 });
    assert.equal((await world.submit()).headers['retry-after'], '7');
  });

  it('have no time, in the words of the service, and take nothing', async () => {
    const taken = await world.taken();
    await world.switchOn({ kind: 'busy', retryAfter: 3 }, { kind: 'busy', status: 503 });
    const [limited, full] = [await world.submit(), await world.submit()];
    assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '3']);
    assert.match(limited.body.toString(), /^\{"error":\{"message":.*"code":"rate_limit_exceeded"\}\}$/u);
    assert.deepEqual([full.status, full.headers['retry-after']], [503, undefined]);
    assert.match(full.body.toString(), /"code":"queue_full"/u);
    assert.equal(await world.taken(), taken);
  });

  it('tell a time to come again as a date, also by a clock that is wrong', async () => {
    for (const skew of [0, 3_600_000, -86_400_000]) {
      await world.switchOn({ kind: 'busy', retryAfter: 5, asDate: true, skew });
      const { headers } = await world.submit();
      const date = Date.parse(headers['date'] ?? '');
      assert.equal(Date.parse(headers['retry-after'] ?? '') - date, 5000);
      assert.equal(date, Math.floor((await now(world)) / 1000) * 1000 + skew);
    }
  });

  it('do not know a key for once', async () => {
    await world.switchOn({ kind: 'unauthorized' });
    const answer = await world.submit();
    assert.equal(answer.status, 401);
    assert.match(JSON.stringify(jsonOf(answer)), /"authentication_error".*"invalid_api_key"/u);
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
    assert.equal((await world.submit()).status, 202);
  });
});

async function now({ client }: HostileWorld): Promise<number> {
  const clock: unknown = await (await fetch(`${client.service.baseUrl}/demo/clock`)).json();
  assert.ok(typeof clock === 'object' && clock !== null && 'now' in clock);
  return Number(clock.now);
}
