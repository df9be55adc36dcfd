import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../../../src/agents/tools/agentHost.ts';
import { AgreedServices } from '../../../../src/agents/tools/agreement.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { aTask } from '../../../support/engine/taskBuilders.ts';

function planOf(changes: Partial<TaskRequest>): Plan {
  return {
    call: { tool: 'limner_generate_image', input: { prompt: 'a fox', path: 'fox.png' } },
    path: 'fox.png',
    uris: [],
    images: 1,
    replaces: false,
    request: { ...aTask().request, ...changes },
  };
}

const demo = planOf({ free: true, baseUrl: 'http://127.0.0.1:4000' });
const paid = planOf({ baseUrl: 'https://images.example.com/v1' });

describe('a rule that asks before an agent spends money', () => {
  const session = { when: 'session', above: 4 } as const;

  it('asks about each call, about those for many images, or once for each service', () => {
    const agreed = new AgreedServices();
    agreed.add(paid);
    assert.equal(agreed.mustAsk(paid, { when: 'always', above: 4 }), true);
    assert.equal(agreed.mustAsk(paid, session), false);
    assert.equal(agreed.mustAsk({ ...paid, images: 4 }, { when: 'above', above: 4 }), false);
    assert.equal(agreed.mustAsk({ ...paid, images: 5 }, { when: 'above', above: 4 }), true);
  });

  it('asks about no call that has nothing made, unless it replaces a file', () => {
    for (const when of ['always', 'session', 'above'] as const) {
      const [free, rule] = [
        { ...paid, images: 0 },
        { when, above: 0 },
      ];
      assert.equal(new AgreedServices().mustAsk(free, rule), false);
      assert.equal(new AgreedServices().mustAsk({ ...free, replaces: true }, rule), true);
    }
  });

  it('asks anew at a service that the user was not asked about', () => {
    const agreed = new AgreedServices();
    assert.equal(agreed.mustAsk(paid, session), true);
    agreed.add(paid);
    const others = [
      { baseUrl: 'https://images.example.com', model: 'other-painter' },
      { baseUrl: 'https://other.example.com' },
    ];
    assert.deepEqual(
      others.map((other) => agreed.mustAsk(planOf(other), session)),
      [false, true],
    );
  });

  it('asks at a service that bills, though the demo service was agreed to', () => {
    const agreed = new AgreedServices();
    agreed.add(demo);
    assert.equal(agreed.mustAsk(planOf({ free: true, baseUrl: 'http://127.0.0.1:5000' }), session), false);
    assert.equal(agreed.mustAsk(paid, session), true);
  });

  it('takes no agreement from a call that had nothing made', () => {
    const agreed = new AgreedServices();
    agreed.add({ ...paid, images: 0 });
    assert.equal(agreed.mustAsk(paid, session), true);
  });
});
