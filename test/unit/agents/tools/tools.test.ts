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
    assert.throws(() => readCall('limner_generate_image', { ...fox, width: 300 }), {
      message: 'There is no argument "width": use size, such as "1200x630".',
    });
    assert.deepEqual(readCall('limner_list_tasks', undefined).input, {});
  });

  it('take null and empty text for what is left out', () => {
    const given = { prompt: 'a fox', path: 'fox.png', size: null, quality: '', n: null, mask: undefined };
    assert.deepEqual(readCall('limner_generate_image', given).input, { prompt: 'a fox', path: 'fox.png' });
    assert.throws(() => readCall('limner_generate_image', { ...given, prompt: '' }), /"prompt" is missing/u);
  });
});
