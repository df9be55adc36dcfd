import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeImage } from '../../../../src/images/codecs/codecSet.ts';
import type { MaskOperation } from '../../../../src/studio/protocol/maskOperations.ts';
import { maskToSend } from '../../../../src/studio/mask/files/maskToSend.ts';
import { openedMask } from './openedMask.ts';

const marked: MaskOperation = { kind: 'rectangle', mode: 'add', from: [0, 0], to: [20, 30] };
const erased: MaskOperation = { kind: 'rectangle', mode: 'subtract', from: [0, 0], to: [40, 30] };
const lost: MaskOperation = { kind: 'load', file: 'gone.png' };

/** Returns how much of the image is transparent in the mask that is sent after these operations. */
function sending(...operations: MaskOperation[]) {
  const opened = openedMask();
  const { store, host } = opened;
  operations.forEach((operation) => store.paint(operation));
  return {
    ...opened,
    sent: async (): Promise<number | undefined> => {
      const file = await maskToSend(store, host);
      if (!file) {
        return undefined;
      }
      const { width, height, rgba } = await decodeImage(file);
      assert.deepEqual([width, height], [40, 30]);
      return rgba.filter((value, index) => index % 4 === 3 && value === 0).length / (width * height);
    },
  };
}

describe('the mask that is sent', () => {
  it('is what is painted, and none where nothing is', async () => {
    assert.equal(await sending(marked).sent(), 0.5);
    assert.equal(await sending({ kind: 'fill' }).sent(), 1);
    assert.equal(await sending().sent(), undefined);
    assert.equal(await sending(marked, { kind: 'clear' }).sent(), undefined);
  });

  it('is none without an image, and for a model that takes none', async () => {
    const { store, tell, sent } = sending(marked);
    const { models, defaultModel, defaults, isConnected, hasLanguageModel, target } = store.state;
    const settings = {
      kind: 'settings',
      defaultModel,
      defaults,
      isConnected,
      hasLanguageModel,
      target,
    } as const;
    tell({ ...settings, models: models.map((model) => ({ ...model, mask: 'none' })) });
    assert.equal(await sent(), undefined);
    tell({ ...settings, models });
    assert.equal(await sent(), 0.5);
    store.change({ inputs: [] });
    assert.equal(await sent(), undefined);
  });

  it('is not left out because all of it was erased', async () => {
    await assert.rejects(sending(marked, erased).sent(), /Nothing is marked/);
  });

  it('is sent without a loaded mask that is gone only when one knows that', async () => {
    const { sent } = sending(lost, marked);
    await assert.rejects(sent(), /only what you painted afterward/);
    assert.equal(await sent(), 0.5);
    for (const operations of [
      [lost],
      [lost, { kind: 'invert' }],
      [lost, marked, erased],
    ] as MaskOperation[][]) {
      const { sent } = sending(...operations);
      for (let send = 0; send < 2; send++) {
        await assert.rejects(sent(), /can no longer be read. Paint it again/);
      }
    }
  });
});
