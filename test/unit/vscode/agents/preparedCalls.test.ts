import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Plan } from '../../../../src/agents/tools/agentHost.ts';
import { PreparedCalls } from '../../../../src/vscode/agents/preparedCalls.ts';
import { aTask } from '../../../support/engine/taskBuilders.ts';

const name = 'fox';

function aPlan(changes: Partial<Plan> = {}): Plan {
  const input = { prompt: 'a fox', path: 'fox.png', overwrite: true };
  return {
    call: { tool: 'limner_generate_image', input },
    path: 'fox.png',
    uris: ['file:///w/fox.png'],
    images: 1,
    replaces: false,
    ...changes,
  };
}

describe('calls that a person is asked about', () => {
  let now: number;
  let calls: PreparedCalls;
  beforeEach(() => {
    now = 0;
    calls = new PreparedCalls(() => now);
  });

  it('may do what was agreed to, each once', () => {
    const plan = aPlan({ replaces: true });
    calls.add(name, { plan, isAsked: true });
    calls.add(name, { plan, isAsked: true });
    assert.deepEqual(calls.take(name), { plan, isAsked: true });
    assert.deepEqual(calls.take(name), { plan, isAsked: true });
    assert.deepEqual(calls.take(name), { plan: undefined, isAsked: false });
  });

  it('replace nothing when a like one that was asked about was not to', () => {
    calls.add(name, { plan: aPlan(), isAsked: true });
    calls.add(name, { plan: aPlan({ replaces: true }), isAsked: true });
    assert.equal(calls.take(name).plan?.replaces, false);
    assert.equal(calls.take(name).plan?.replaces, false);
  });

  it('send nothing when a like one that was asked about was to have something else made', () => {
    for (const model of ['painter', 'other-painter']) {
      calls.add(name, { plan: aPlan({ request: { ...aTask().request, model } }), isAsked: true });
    }
    assert.equal(calls.take(name).plan?.images, 0);
    assert.equal(calls.take(name).plan?.images, 0);
  });

  it('may do nothing by the plan of another one that was declined', () => {
    calls.add(name, { plan: aPlan(), isAsked: true });
    calls.add(name, { plan: undefined, isAsked: false });
    assert.equal(calls.take(name).plan, undefined);
  });

  it('are forgotten when nobody answers', () => {
    calls.add(name, { plan: aPlan(), isAsked: true });
    now = 61 * 60_000;
    assert.equal(calls.take(name).plan, undefined);
    calls.add(name, { plan: aPlan({ replaces: true }), isAsked: true });
    assert.equal(calls.take(name).plan?.replaces, true);
  });
});
