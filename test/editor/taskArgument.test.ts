import assert from 'node:assert/strict';
import { taskOf } from '../../src/vscode/actions/taskArgument.ts';

describe('a command that is run on no task', () => {
  it('needs no task list: the API key can be set while that cannot be opened', async () => {
    const locked = {
      get: async (): Promise<never> => Promise.reject(new Error('The database is locked.')),
    };
    assert.equal(await taskOf(locked, undefined), undefined);
    await assert.rejects(taskOf(locked, 'an ID'));
  });
});
