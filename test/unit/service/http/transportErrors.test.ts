import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import { transportError } from '../../../../src/service/http/transportErrors.ts';

const url = new URL('https://api.example.com/v1/images/generations');

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

describe('transportError', () => {
  for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'ECONNREFUSED', 'ETIMEDOUT']) {
    it(`knows that nothing left when connecting fails with ${code}`, () => {
      const failure = systemError(code, 'connect');
      const attempts = Object.assign(new AggregateError([failure, systemError('ETIMEDOUT', 'connect')]), {
        code,
      });
      for (const error of [failure, attempts, new TypeError('fetch failed', { cause: attempts })]) {
        const { code: kind, sent, message } = transportError(error, url, true);
        assert.equal(kind, 'network');
        assert.equal(sent, false);
        assert.match(message, /api\.example\.com/u);
      }
    });
  }

  for (const [code, message] of [
    ['ENOTFOUND', "Couldn't resolve the host name api.example.com (ENOTFOUND)."],
    ['EAI_AGAIN', "Couldn't resolve the host name api.example.com (EAI_AGAIN)."],
    ['EAI_FAIL', "Couldn't resolve the host name api.example.com (EAI_FAIL)."],
    ['EAI_NODATA', "Couldn't resolve the host name api.example.com (EAI_NODATA)."],
    ['ECONNREFUSED', 'api.example.com refused the connection at port 443 (ECONNREFUSED).'],
    ['UND_ERR_CONNECT_TIMEOUT', 'The request to api.example.com failed: odd'],
  ] as const) {
    it(`knows that nothing left for ${code}, and says what it means`, () => {
      for (const sent of [true, false]) {
        const error = transportError(Object.assign(new Error('odd'), { code }), url, sent);
        assert.deepEqual(error.toRecord(), { code: 'network', message, sent: false });
      }
    });
  }

  for (const [failure, message] of [
    [{ code: 'CERT_HAS_EXPIRED' }, /^The certificate of api\.example\.com isn't valid now.*clock/u],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /for another name/u],
    [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, /isn't trusted.*NODE_EXTRA_CA_CERTS.*http\.systemCertificates/u],
    [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, /isn't trusted.*NODE_EXTRA_CA_CERTS/u],
    [
      { message: 'Proxy response (407) !== 200 when HTTP Tunneling' },
      /wants a sign-in.*HTTPS_PROXY.*http\.proxy/u,
    ],
    [
      { message: 'Proxy response (403) !== 200 when HTTP Tunneling' },
      /allows no connection to api\.example\.com/u,
    ],
  ] as const) {
    it(`says what to do about ${Object.values(failure).join()}, which lasts until then`, () => {
      for (const sent of [true, false]) {
        const cause = Object.assign(new Error('odd'), failure);
        const error = transportError(new TypeError('fetch failed', { cause }), url, sent);
        assert.deepEqual([error.code, error.sent, error.lasting], ['network', false, true]);
        assert.match(error.message, message);
      }
    });
  }

  it('takes what a proxy says of itself for something that passes', () => {
    const bad = new Error('Proxy response (502) !== 200 when HTTP Tunneling');
    const { sent, lasting } = transportError(bad, url, true);
    assert.deepEqual([sent, lasting], [false, undefined]);
  });

  for (const [code, message] of [
    ['ECONNRESET', 'The connection to api.example.com was closed early (ECONNRESET).'],
    ['EPIPE', 'The connection to api.example.com was closed early (EPIPE).'],
    ['UND_ERR_SOCKET', 'The connection to api.example.com was closed early (UND_ERR_SOCKET).'],
    ['ENETDOWN', 'api.example.com is unreachable (ENETDOWN).'],
    ['NOT_CERT_ERROR', 'The request to api.example.com failed: odd'],
    ['', 'The request to api.example.com failed: odd'],
  ] as const) {
    it(`leaves open whether anything left for ${code}, and says what it means`, () => {
      for (const sent of [true, false]) {
        const bare = Object.assign(new Error('odd'), { code });
        const attempts = new AggregateError([new Error('odd'), bare], 'odd');
        for (const failure of [bare, new Error('outer', { cause: bare }), attempts]) {
          const error = transportError(failure, url, sent);
          assert.deepEqual(error.toRecord(), { code: 'network', message, sent });
        }
      }
    });
  }

  it('takes a failure of all attempts to connect, and not of some, for one before the first byte', () => {
    const refused = systemError('EHOSTUNREACH', 'connect');
    const broken = systemError('EHOSTUNREACH', 'read');
    assert.equal(transportError(new AggregateError([refused, refused]), url, true).sent, false);
    assert.equal(transportError(new AggregateError([refused, broken]), url, true).sent, true);
    assert.equal(transportError(new AggregateError([broken, refused]), url, true).sent, true);
  });

  it('keeps what an error says of itself, and of its causes, and nothing that hangs on it', () => {
    const secret = { cert: 'secret', socket: 'secret', data: 'secret' };
    const inner = Object.assign(systemError('ECONNRESET', 'read'), secret);
    const own = new LimnerError('timeout', 'Nothing came.', { sent: true });
    const attempts = Object.assign(new AggregateError([inner, own], 'all failed'), secret);
    const thrown = new TypeError('fetch failed', { cause: attempts });
    const { cause } = transportError(thrown, url, true);
    assert.ok(cause instanceof Error && cause.cause instanceof Error);
    assert.deepEqual([cause.name, cause.message], ['TypeError', 'fetch failed']);
    assert.deepEqual([cause.stack, cause.cause.stack], [thrown.stack, attempts.stack]);
    const errors: unknown = Reflect.get(cause.cause, 'errors');
    assert.ok(Array.isArray(errors) && errors[1] === own);
    assert.deepEqual({ ...Object(errors[0]) }, { name: 'Error', code: 'ECONNRESET', syscall: 'read' });
    assert.doesNotMatch(inspect(cause, { depth: 9, showHidden: true }), /secret/u);
  });
});
