import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

  it('does not claim so when a connection that stood breaks in the same words', () => {
    for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'ETIMEDOUT', 'ECONNRESET']) {
      for (const syscall of ['read', 'write']) {
        assert.equal(transportError(systemError(code, syscall), url, true).sent, true, `${syscall} ${code}`);
      }
    }
    assert.equal(transportError(new AggregateError([]), url, true).sent, true);
    assert.equal(transportError('odd', url, true).sent, true);
  });

  it('says that there is no way to a host that cannot be reached', () => {
    for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN']) {
      assert.match(transportError(systemError(code, 'connect'), url, false).message, /is unreachable/u);
    }
  });

  it('says what failed, as far as anything is known of it', () => {
    const cause = new Error('bad record mac');
    assert.equal(
      transportError(new TypeError('fetch failed', { cause }), url, true).message,
      'The request to api.example.com failed: bad record mac',
    );
    assert.equal(transportError('odd', url, true).message, 'The request to api.example.com failed.');
  });

  it('leaves an error of its own kind as it is', () => {
    const own = new LimnerError('stopped', 'The request was stopped.', { sent: true });
    assert.equal(transportError(new Error('wrapped', { cause: own }), url, false), own);
  });
});
