import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCall } from '../../../../src/agents/tools/tools.ts';

describe('the tools of agents', () => {
  it('refuse arguments that they do not have, and name them', () => {
    const fox = { prompt: 'a fox', path: 'fox.png' };
    for (const [input, name] of [
      [{ ...fox, path: undefined }, 'path'],
      [{ ...fox, size: 'large' }, 'size'],
      [{ ...fox, n: 11 }, 'n'],
      [{ ...fox, file: 'fox.png' }, 'file'],
    ] as const) {
      assert.throws(() => readCall('limner_generate_image', input), {
        code: 'invalid_request',
        sent: false,
        message: new RegExp(`"${name}"`, 'u'),
      });
    }
    assert.deepEqual(readCall('limner_list_tasks', undefined).input, {});
  });
});
