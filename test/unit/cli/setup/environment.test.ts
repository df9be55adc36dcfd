import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBudget } from '../../../../src/engine.ts';
import { confirmRuleOf, limitsOf } from '../../../../src/cli/commands/agentRules.ts';
import { budgetOf } from '../../../../src/cli/setup/money.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';

describe('readEnvironment', () => {
  it('takes no limit for missing that a client of the MCP server did not resolve', () => {
    const reference = '${env:LIMIT}';
    const environment = readEnvironment(
      {
        LIMNER_BUDGET: reference,
        LIMNER_AGENTS_DAILY_LIMIT: reference,
        LIMNER_AGENTS_SESSION_LIMIT: reference,
        LIMNER_AGENTS_CONFIRM: reference,
      },
      'linux',
    );
    const { agents } = environment;
    assert.throws(() => readBudget(budgetOf(environment)), { code: 'over_budget' });
    assert.throws(() => limitsOf({ ...agents, dailyLimit: '5' }), { code: 'over_budget' });
    assert.throws(() => limitsOf({ ...agents, sessionLimit: '5' }), { code: 'over_budget' });
    const problems: string[] = [];
    assert.equal(confirmRuleOf(agents, (problem) => problems.push(problem)).when, 'always');
    assert.match(problems.join('\n'), /^LIMNER_AGENTS_CONFIRM must be .*asking always\.$/u);
  });

  it('takes nothing for set that is empty, or that a client of the MCP server did not resolve', () => {
    const { apiKey, agents, budget, model } = readEnvironment(
      {
        LIMNER_API_KEY: '${env:LIMNER_API_KEY}',
        LIMNER_WORKSPACE: '${workspaceFolder}',
        LIMNER_MODEL: ' ',
        LIMNER_BUDGET: '{"day": 2}',
      },
      'linux',
    );
    assert.deepEqual(
      [apiKey, agents.workspace, model, budget],
      [undefined, undefined, undefined, '{"day": 2}'],
    );
  });
});
