import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayCarryKey } from '../../../../src/service/http/endpoints.ts';

describe('mayCarryKey', () => {
  it('lets the key go encrypted, and in the clear to this machine alone', () => {
    for (const url of [
      'https://images.example',
      'http://127.0.0.1:8080',
      'http://127.9.9.9',
      'http://[::1]',
      'http://localhost.',
    ]) {
      assert.ok(may(url), url);
    }
    for (const url of [
      'http://gateway.corp:8080/v1',
      'http://images.localhost',
      'http://[::ffff:127.0.0.1]',
      'http://127.example',
    ]) {
      assert.ok(!may(url), url);
    }
  });

  it('lets it go in the clear to an origin that a person confirmed, and to no other port or host', () => {
    const confirmed = ['http://gateway.corp:8080'];
    assert.ok(may('http://gateway.corp:8080/v1', confirmed));
    assert.ok(!may('http://gateway.corp/v1', confirmed));
    assert.ok(!may('http://other.corp:8080', confirmed));
  });
});

function may(url: string, confirmed?: string[]): boolean {
  return mayCarryKey(new URL(url), confirmed);
}
