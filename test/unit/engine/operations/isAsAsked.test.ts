import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finish, FinishFacts } from '../../../../src/images/formats/finish.ts';
import type { TaskResult } from '../../../../src/engine/task/task.ts';
import { isAsAsked } from '../../../../src/engine/operations/modelRules.ts';

const got = { width: 64, height: 48 };

function isIt(finish: Finish | undefined, finished: FinishFacts | { problem: string } | undefined): boolean {
  const result: TaskResult = {
    index: 0,
    state: 'saved',
    mediaType: 'image/png',
    ...got,
    ...(finished && { finished }),
  };
  return isAsAsked(finish ? { finish } : {}, result);
}

describe('an image that was saved', () => {
  it('is as asked where nothing was asked of it, or all of it was done', () => {
    assert.equal(isIt(undefined, undefined), true);
    assert.equal(isIt({ size: got }, { got, untouched: 'nothingToDo' }), true);
    assert.equal(
      isIt({ cutout: { by: 'key' } }, { got, cutout: { verdict: 'doubtful', reasons: [] } }),
      true,
    );
  });

  it('is not where its background is still there, or it could not be finished', () => {
    assert.equal(isIt({ cutout: { by: 'key' } }, { got, cutout: { verdict: 'bad', reasons: [] } }), false);
    assert.equal(isIt({ size: got }, { problem: 'It is too large.' }), false);
    assert.equal(isIt(undefined, { problem: 'The image on black was not generated.' }), false);
  });

  it('is where it was left alone, and has that format and size anyway', () => {
    const deep = { got, untouched: '16bit' } as const;
    assert.equal(isIt({ size: got, encoding: { format: 'png' } }, deep), true);
    assert.equal(isIt({ size: { width: 32, height: 24 } }, deep), false);
    assert.equal(isIt({ encoding: { format: 'webp', quality: 90 } }, deep), false);
    assert.equal(isIt({ multiples: 16 }, deep), true);
    assert.equal(isIt({ multiples: 'powerOfTwo' }, deep), false);
    assert.equal(isIt({ cutout: { by: 'alpha' } }, deep), false);
  });

  it('is not where one side has another length, or it is not trimmed, nor where nothing was done to it', () => {
    const animated = { got, untouched: 'animated' } as const;
    for (const [finish, expected] of [
      [{ size: { width: 64, height: 24 } }, false],
      [{ size: { width: 32, height: 48 } }, false],
      [{ trim: { unit: 'px', margin: 1 } }, false],
      [{ encoding: { format: 'png' } }, true],
      [{}, true],
    ] as const) {
      assert.equal(isIt(finish, animated), expected, JSON.stringify(finish));
    }
    assert.equal(isIt({ size: got }, undefined), false);
    assert.equal(isIt({ size: { width: 9, height: 9 } }, { got }), true);
    assert.equal(isIt({ size: { width: 9, height: 9 } }, { got, untouched: 'nothingToDo' }), true);
    const unknown = isAsAsked({ finish: { size: got } }, { index: 0, state: 'saved', finished: animated });
    assert.equal(unknown, false);
  });
});
