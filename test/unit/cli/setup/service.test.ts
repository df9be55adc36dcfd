import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Environment, readEnvironment } from '../../../../src/cli/setup/environment.ts';
import { callStyleMeant, listedModels, modelMeant } from '../../../../src/cli/setup/models.ts';
import { pricedModels, priceOf } from '../../../../src/cli/setup/money.ts';
import { readProxies } from '../../../../src/cli/setup/proxies.ts';
import { requireService } from '../../../../src/cli/setup/requireService.ts';

const baseUrl = 'https://images.example.com';

/** An environment with a service, and with what else is set. */
function given(variables: Record<string, string> = {}): Environment {
  return readEnvironment({ LIMNER_BASE_URL: baseUrl, LIMNER_API_KEY: 'key', ...variables }, 'linux');
}

/** Returns the proxy for https that a variable means. */
function readProxy(value: string): string {
  return readProxies({ http: undefined, https: { name: 'https_proxy', value } }).https;
}

/** The variable that lists models. */
function models(...entries: object[]): Record<string, string> {
  return { LIMNER_MODELS: JSON.stringify(entries) };
}

/** Returns the model that is meant, and the sizes in its entry. */
function meant(asked: string | undefined, variables: Record<string, string>): [string, string[] | undefined] {
  const { id, entry } = modelMeant(asked, given(variables), baseUrl);
  return [id, entry?.sizes];
}

const unbilled = { code: 'invalid_request', billing: 'no' };

describe('the service of the environment', () => {
  it('is one that gets the key over an encrypted connection, or is on this machine', () => {
    for (const url of [
      baseUrl,
      `${baseUrl}/v1`,
      'http://127.0.0.1:8080',
      'http://localhost',
      'http://[::1]:9',
    ]) {
      assert.equal(requireService(given({ LIMNER_BASE_URL: url })), url);
    }
    assert.throws(() => requireService(given({ LIMNER_BASE_URL: 'http://images.example.com' })), {
      code: 'no_service',
      message: 'The API key would be sent to http://images.example.com unencrypted.',
      billing: 'no',
    });
  });

  it('is refused before anything is sent where a part of it is missing or wrong', () => {
    for (const [variables, error] of [
      [
        { LIMNER_BASE_URL: '' },
        { code: 'no_service', message: 'LIMNER_BASE_URL is not set.', billing: 'no' },
      ],
      [{ LIMNER_API_KEY: '' }, { code: 'no_key', message: 'LIMNER_API_KEY is not set.', billing: 'no' }],
      [{ LIMNER_API_KEY: 'a b' }, { code: 'no_key', billing: 'no' }],
      [{ HTTPS_PROXY: 'ftp://proxy' }, unbilled],
    ] as const) {
      assert.throws(() => requireService(given(variables)), error);
    }
  });
});

describe('the proxies of the environment', () => {
  it('are URLs, with a scheme or without one', () => {
    for (const [value, url] of [
      ['proxy', 'http://proxy/'],
      ['proxy:3128', 'http://proxy:3128/'],
      ['proxy:3128/?for=https://images', 'http://proxy:3128/?for=https://images'],
      ['HTTP://Proxy:3128', 'http://proxy:3128/'],
      ['https://ada:p%40ss@proxy', 'https://ada:p%40ss@proxy/'],
      ['socks://proxy:1', 'socks://proxy:1'],
      ['socks5://proxy:1', 'socks5://proxy:1'],
    ] as const) {
      assert.equal(readProxy(value), url);
    }
    assert.deepEqual(readProxies({ http: { name: 'http_proxy', value: 'one' }, https: undefined }), {
      http: 'http://one/',
      https: '',
    });
  });

  it('are named where they are none, without what is in them', () => {
    for (const value of [
      'ftp://proxy',
      'socks4://proxy',
      'xhttp://proxy',
      'httpx://proxy',
      'http://a b',
      'http://%zz:secret@proxy',
      'http://ada:%zz@proxy',
    ]) {
      assert.throws(() => readProxy(value), {
        ...unbilled,
        message: "https_proxy isn't a valid proxy URL, such as http://host:3128.",
        sent: false,
      });
    }
  });
});

describe('the model of the environment', () => {
  const painter = { id: 'painter', sizes: ['64x64'] };
  const sketcher = { id: 'sketcher' };
  const elsewhere = { id: 'foreigner', service: 'https://other.example.com' };
  it('is the one asked for, before the one set, before the only one of the service', () => {
    const set = { ...models(sketcher, painter), LIMNER_MODEL: 'painter' };
    assert.deepEqual(meant('sketcher', set), ['sketcher', undefined]);
    assert.deepEqual(meant('other', set), ['other', undefined]);
    // Of two entries of a model, the first one counts.
    const twice = models(painter, { ...painter, sizes: [] });
    assert.deepEqual(meant('painter', twice), ['painter', ['64x64']]);
    assert.deepEqual(meant(undefined, set), ['painter', ['64x64']]);
    assert.deepEqual(meant(undefined, models(elsewhere, painter)), ['painter', ['64x64']]);
    assert.throws(() => meant('foreigner', models(elsewhere)), unbilled);
  });

  it('is none where there are several, or none', () => {
    for (const variables of [models(painter, sketcher), models(elsewhere), {}]) {
      assert.throws(() => meant(undefined, variables), {
        ...unbilled,
        message: 'No model is set. Use --model or LIMNER_MODEL.',
      });
    }
  });

  it('is among those that agents may choose from, at this service', () => {
    assert.deepEqual(listedModels(given(models(painter, elsewhere, sketcher))), ['painter', 'sketcher']);
    assert.deepEqual(listedModels(given()), []);
    assert.deepEqual(listedModels(given({ ...models(painter), LIMNER_BASE_URL: '' })), []);
  });

  it('is not guessed from entries that are wrong', () => {
    assert.throws(() => listedModels(given(models({}, { id: '' }))), {
      ...unbilled,
      message: /^LIMNER_MODELS isn't valid\. Entry 1 of "LIMNER_MODELS" is left out: id: .* Entry 2 of/u,
    });
    for (const wrong of ['[', '[{}]', '{}']) {
      assert.throws(() => listedModels(given({ LIMNER_MODELS: wrong })), unbilled);
    }
  });
});

describe('the call style of the environment', () => {
  it('counts where no option says otherwise', () => {
    assert.equal(callStyleMeant('auto', given()), 'auto');
    assert.equal(callStyleMeant('auto', given({ LIMNER_CALL_STYLE: 'sync' })), 'sync');
    assert.equal(callStyleMeant('async', given({ LIMNER_CALL_STYLE: 'sync' })), 'async');
    assert.equal(callStyleMeant('async', given({ LIMNER_CALL_STYLE: 'fast' })), 'async');
    assert.throws(() => callStyleMeant('auto', given({ LIMNER_CALL_STYLE: 'fast' })), {
      ...unbilled,
      message: "LIMNER_CALL_STYLE isn't valid. Use one of auto, async, sync, native, or nativeStream.",
    });
  });
});

describe('the prices of the environment', () => {
  const prices = { LIMNER_PRICES: '{"painter": 2, "sketcher": {"amount": 0.1, "currency": "USD"}}' };
  const listed = { amount: 3, currency: 'EUR' };

  it('count before those in the entries of models', () => {
    assert.deepEqual(priceOf({ model: 'painter' }, given(prices), listed), { amount: 2, currency: '' });
    assert.deepEqual(priceOf({ model: 'sketcher' }, given(prices), undefined), {
      amount: 0.1,
      currency: 'USD',
    });
    assert.deepEqual(priceOf({ model: 'other' }, given(prices), listed), listed);
    assert.equal(priceOf({ model: 'other' }, given(prices), undefined), undefined);
    assert.deepEqual(pricedModels(given(prices)), ['painter', 'sketcher']);
    assert.deepEqual(pricedModels(given()), []);
  });

  it('are refused where they, or the budget, are wrong', () => {
    for (const [name, value] of [
      ['LIMNER_PRICES', '{"painter": -1}'],
      ['LIMNER_PRICES', '{'],
      ['LIMNER_BUDGET', '{"day": "two"}'],
      ['LIMNER_BUDGET', 'two'],
    ] as const) {
      assert.throws(() => priceOf({ model: 'painter' }, given({ [name]: value }), listed), {
        ...unbilled,
        message: new RegExp(`^${name} isn't valid\\. `, 'u'),
      });
    }
  });
});
