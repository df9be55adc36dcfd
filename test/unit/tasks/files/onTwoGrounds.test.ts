import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asOrdered, imageCount, isOnBlack, onTwoGrounds } from '../../../../src/tasks/files/onTwoGrounds.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';

describe('a request for two backgrounds', () => {
  it('is for two images, and is itself again once it is as it was ordered', () => {
    const ordered = aRequest({
      n: 1,
      finish: { cutout: { by: 'grounds' }, trim: { unit: 'px', margin: 4 } },
    });
    const onWhite = onTwoGrounds(ordered, { callStyle: 'async', imageField: 'image[]' });
    assert.deepEqual([imageCount(ordered), imageCount(onWhite)], [1, 2]);
    assert.deepEqual([isOnBlack(onWhite), onWhite.finish], [false, undefined]);
    assert.deepEqual(asOrdered(onWhite), ordered);
  });

  it('names its files after the edited one, whatever is in that name', () => {
    for (const [name, saved] of [
      ['a$&b$$c.png', 'a$&b$$c-cutout'],
      ['a{index}b.png', 'aindexb-cutout'],
    ] as const) {
      const request = aRequest({
        kind: 'edit',
        images: [{ uri: 'file:///a.png', name, size: 1, mediaType: 'image/png', sha256: '', path: '/a.png' }],
        target: { folder: 'file:///w', root: 'file:///w', fileName: '{name}-cutout.png' },
      });
      const { onBlack, target } = onTwoGrounds(request);
      assert.deepEqual([onBlack?.fileName, target.fileName], [`${saved}.png`, `${saved}-on-white`]);
    }
  });
});
