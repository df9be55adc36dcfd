import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  asOrdered,
  cameWithoutBackground,
  imageCount,
  inTheOtherWay,
  isOnBlack,
  twoBackgroundsRequest,
  taskOnBlack,
} from '../../../../src/engine/task/twoBackgrounds.ts';
import { aRequest, aResult } from '../../../support/engine/taskBuilders.ts';

describe('a request for two backgrounds', () => {
  it('is for two images, and is itself again once it is as it was ordered', () => {
    const ordered = aRequest({
      n: 1,
      finish: { cutout: { by: 'grounds' }, trim: { unit: 'px', margin: 4 } },
    });
    const onWhite = twoBackgroundsRequest(ordered, { callStyle: 'async', imageField: 'image[]' });
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
      const { onBlack, target } = twoBackgroundsRequest(request);
      assert.deepEqual([onBlack?.fileName, target.fileName], [`${saved}.png`, `${saved}-on-white`]);
    }
  });

  it('keeps what else was asked for, for the image that is wanted', () => {
    const edit = { callStyle: 'sync', imageField: 'image[]' } as const;
    const trim = { unit: 'px', margin: 4 } as const;
    const ordered = aRequest({
      n: 3,
      target: { folder: 'file:///w', root: 'file:///w', fileName: 'fox.webp' },
    });
    const { onBlack, target, n, finish } = twoBackgroundsRequest({ ...ordered, finish: { trim } }, edit);
    assert.deepEqual(onBlack, { finish: { trim, cutout: { by: 'grounds' } }, fileName: 'fox.webp', ...edit });
    assert.deepEqual([target.fileName, target.root, n, finish], ['fox-on-white', 'file:///w', 3, undefined]);
    assert.equal(imageCount({ n, ...(onBlack && { onBlack }) }), 6);
    assert.deepEqual(asOrdered(ordered), ordered);
  });

  it('becomes one for a single color, and the reverse', () => {
    const byKey = aRequest({ n: 2, finish: { cutout: { by: 'key' }, multiples: 16 } });
    const twice = inTheOtherWay(byKey, { callStyle: 'sync' });
    assert.deepEqual([twice.n, twice.onBlack?.callStyle, twice.finish], [1, 'sync', undefined]);
    assert.deepEqual(twice.onBlack?.finish, { cutout: { by: 'grounds' }, multiples: 16 });
    const once = inTheOtherWay(asOrdered(twice), {});
    assert.deepEqual([once.n, once.finish], [1, { cutout: { by: 'key' }, multiples: 16 }]);
    assert.equal(isOnBlack(byKey), false);
    assert.equal(isOnBlack(aRequest()), false);
  });

  it('knows its second task once that is there, and when it needs none', () => {
    assert.equal(taskOnBlack({ results: [aResult()] }), undefined);
    assert.equal(
      taskOnBlack({ results: [aResult(), aResult({ index: 1, onBlack: { id: 'tk_2' } })] }),
      'tk_2',
    );
    const got = { width: 8, height: 8 };
    assert.equal(cameWithoutBackground(aResult()), false);
    assert.equal(cameWithoutBackground(aResult({ finished: { got } })), false);
    assert.equal(cameWithoutBackground(aResult({ finished: { problem: 'Alas.' } })), false);
    assert.equal(
      cameWithoutBackground(aResult({ finished: { got, cutout: { verdict: 'good', reasons: [] } } })),
      true,
    );
  });
});
