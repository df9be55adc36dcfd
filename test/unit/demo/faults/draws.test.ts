import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { FAULT_KINDS, parseFaults } from '../../../../src/demo/faults/faultCatalog.ts';
import type { Target } from '../../../../src/demo/http/requestLog.ts';
import { seededRandom } from '../../../../src/demo/random.ts';

describe('what the weather can bring', () => {
  it('is of each kind more than one, and always what can be switched on', () => {
    for (const kind of Object.values(FAULT_KINDS)) {
      for (const target of kind.drawnOn) {
        const drawn = Array.from({ length: 60 }, (_, seed) => kind.draw(seededRandom(seed), target));
        for (const fault of drawn) {
          assert.equal(parseFaults(fault).length, 1);
          for (const [name, value] of Object.entries(fault)) {
            assert.ok(name === 'retryAfter' || value !== '', `${kind.name}: ${name} is empty`);
          }
        }
        const kinds = new Set(drawn.map((fault) => JSON.stringify(fault))).size;
        const isAlone = Object.keys(drawn[0] ?? {}).length === 1 || kind.name === 'status';
        assert.equal(kinds > 1, !isAlone, kind.name);
      }
    }
  });

  it('has numbers with which tests come to an end, to their last', () => {
    assert.deepEqual(drawn('gatewayError', 'query', 'retryAfter'), [1, 2, 3, 4, 5]);
    assert.deepEqual(drawn('busy', 'query', 'retryAfter'), [0, 1, 2, 3, 4, 5]);
    const hour = 3_600_000;
    assert.deepEqual(
      drawn('busy', 'query', 'skew').map((skew) => skew / hour),
      [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5],
    );
    assert.deepEqual(drawn('slow', 'query', 'bytesPerSecond'), [200, 400, 600, 800]);
    assert.deepEqual(drawn('slow', 'image', 'bytesPerSecond'), [1e5, 2e5, 3e5, 4e5]);
    for (const [target, most] of [
      ['generations', 5000],
      ['edits', 5000],
      ['native', 5000],
      ['query', 2000],
      ['image', 2000],
    ] as const) {
      const delays = drawn('delay', target, 'milliseconds');
      assert.ok((delays[0] ?? 0) >= 1 && (delays.at(-1) ?? 0) <= most && (delays.at(-1) ?? 0) > 0.9 * most);
    }
    const gateways = Array.from({ length: 200 }, (_, seed) =>
      JSON.stringify(FAULT_KINDS.gatewayError.draw(seededRandom(seed), 'query')),
    );
    // A gateway that asks for another try took nothing, and most ask for none.
    const asking = gateways.filter((fault) => fault.includes('retryAfter'));
    assert.ok(asking.length > 30 && asking.length < 100);
    assert.ok(asking.every((fault) => fault.includes('before')));
    assert.ok(gateways.some((fault) => fault.includes('after"')));
  });

  it('fails queries in the words of the service, and nothing else in them', () => {
    const codes = (['query', 'generations', 'edits', 'native', 'image'] as const).map((target) =>
      JSON.stringify(FAULT_KINDS.status.draw(seededRandom(1), target)).replace(/.*"code":"(\w+)".*/u, '$1'),
    );
    assert.deepEqual(codes, ['task_query_failed', ...Array.from({ length: 4 }, () => 'internal_error')]);
  });

  it('calls answers what they are not, be they images or JSON', () => {
    for (const [target, own] of [
      ['image', /^image\//u],
      ['query', /^application\/json$/u],
      ['native', /^application\/json$/u],
    ] as const) {
      const types = drawnValues('mediaType', target, 'contentType').map(String);
      assert.ok(new Set(types).size > 2);
      assert.ok(types.every((type) => /^\w+\/[\w-]+$/u.test(type) && !own.test(type)));
    }
  });

  it('asks to come again in seconds, at a date, or at what is no time', () => {
    const faults = Array.from({ length: 200 }, (_, seed) =>
      v.parse(v.record(v.string(), v.unknown()), FAULT_KINDS.busy.draw(seededRandom(seed), 'query')),
    );
    const dates = faults.filter((one) => one['asDate'] === true);
    const others = faults.filter((one) => !('asDate' in one));
    assert.equal(dates.length + others.length, faults.length);
    assert.ok(dates.some((one) => 'skew' in one) && dates.some((one) => !('skew' in one)));
    assert.ok(others.some((one) => !('retryAfter' in one)));
    const words = others.map((one) => one['retryAfter']).filter((value) => typeof value === 'string');
    assert.equal(new Set(words).size, 4);
  });
});

/** Returns what a kind of fault is drawn with under a name, of a thousand draws. */
function drawnValues(kind: keyof typeof FAULT_KINDS, target: Target, name: string): unknown[] {
  return Array.from(
    { length: 1000 },
    (_, seed) =>
      v.parse(v.record(v.string(), v.unknown()), FAULT_KINDS[kind].draw(seededRandom(seed), target))[name],
  );
}

/** Returns the numbers of this name that a kind of fault is drawn with, from the least on. */
function drawn(kind: keyof typeof FAULT_KINDS, target: Target, name: string): number[] {
  const numbers = drawnValues(kind, target, name).filter((value) => typeof value === 'number');
  return [...new Set(numbers)].toSorted((one, other) => one - other);
}
