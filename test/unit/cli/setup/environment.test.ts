import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';

describe('readEnvironment', () => {
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
