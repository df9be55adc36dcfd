import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../../src/agents/agentHost.ts';
import { AgreedServices } from '../../../src/agents/agreement.ts';
import type { TaskRequest } from '../../../src/tasks/task.ts';
import { aTask } from '../../support/engine/taskBuilders.ts';

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

describe('an agreement for a session', () => {
  it('is for the service that the person was asked about', () => {
    const agreed = new AgreedServices();
    assert.equal(agreed.has(paid), false);
    agreed.add(paid);
    assert.ok(agreed.has(planOf({ baseUrl: 'https://images.example.com', model: 'other-painter' })));
    assert.equal(agreed.has(planOf({ baseUrl: 'https://other.example.com' })), false);
  });

  it('to the demo service is none to a service that bills', () => {
    const agreed = new AgreedServices();
    agreed.add(demo);
    assert.ok(agreed.has(planOf({ free: true, baseUrl: 'http://127.0.0.1:5000' })));
    assert.equal(agreed.has(paid), false);
  });

  it('is none where nothing was to be made', () => {
    const agreed = new AgreedServices();
    agreed.add({ ...paid, images: 0 });
    assert.equal(agreed.has(paid), false);
  });
});
