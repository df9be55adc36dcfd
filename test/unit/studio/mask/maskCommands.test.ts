import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { decodeImage } from '../../../../src/images/codecs/codecSet.ts';
import { coverageOf, isBlank, isFull } from '../../../../src/studio/maskPixels/maskPixels.ts';
import { requestParameters, type StudioParameters } from '../../../../src/studio/protocol/messages.ts';
import { done } from '../openedStore.ts';
import { icons } from '../icons.ts';
import { maskFiles, openedMask } from './openedMask.ts';
import type { MaskOperation } from '../../../../src/studio/protocol/maskOperations.ts';
import { maskToSend } from '../../../../src/studio/maskPixels/maskToSend.ts';

describe('the commands of a mask', () => {
  it('have a label and an icon that there is', () => {
    for (const { label, icon } of Object.values(openedMask().commands())) {
      assert.ok(label !== '' && icons.has(icon), `${label}: ${icon}`);
    }
  });

  it('invert, mark everything and clear, but not while something is drawn', async () => {
    const { painting, said, commands, render, send } = openedMask();
    for (const [name, text] of [
      ['fill', 'Everything is marked'],
      ['invert', 'Inverted'],
      ['invert', 'Inverted'],
      ['clear', 'Nothing is marked'],
    ] as const) {
      commands()[name].run();
      await render();
      assert.equal(said.at(-1), text);
      assert.ok(text === 'Everything is marked' ? isFull(painting.mask) : true);
    }
    assert.ok(isBlank(painting.mask));
    send('pointerdown', { x: 5, y: 5 });
    commands().fill.run();
    send('pointerup', { x: 5, y: 5 });
    await render();
    assert.equal(said.length, 4);
    assert.ok(coverageOf(painting.mask) > 0 && coverageOf(painting.mask) < 0.1);
  });

  it('undo what is being drawn first, and redo nothing meanwhile', async () => {
    const { store, view, operations, commands, drag, send } = openedMask();
    const count = (): number => store.state.draft.mask.done;
    assert.ok(commands().undo.isDisabled && commands().redo.isDisabled);
    drag([[10, 10]]);
    drag([[20, 10]]);
    assert.ok(!commands().undo.isDisabled && commands().redo.isDisabled);
    send('pointerdown', { x: 5, y: 5 });
    commands().undo.run();
    assert.deepEqual([view.isDrawing, count()], [false, 2]);
    commands().undo.run();
    await store.acts.during(async () => undefined);
    assert.equal(count(), 1);
    assert.ok(!commands().redo.isDisabled);
    send('pointerdown', { x: 5, y: 5 });
    commands().redo.run();
    await store.acts.during(async () => undefined);
    assert.equal(count(), 1);
    view.cancel();
    commands().redo.run();
    await store.acts.during(async () => undefined);
    assert.deepEqual([count(), operations.length], [2, 2]);
  });

  it('save the mask under the name of its image, and nothing where nothing is painted', async () => {
    const saved: StudioParameters<'saveMask'>[] = [];
    const { store, said, asked, painting, runDialog, drag } = openedMask({
      reply: (request) => {
        if (request.method === 'saveMask') {
          saved.push(v.parse(requestParameters.saveMask, request.parameters));
          return saved.length === 1 ? null : 'art/photo.tar-mask.png';
        }
        return done(request);
      },
    });
    await runDialog('save');
    assert.match(store.state.problem?.message ?? '', /no mask to save/);
    drag([
      [10, 10],
      [30, 20],
    ]);
    await runDialog('save');
    assert.deepEqual(said, []);
    // It may not have been drawn yet.
    store.paint({ kind: 'fill' });
    await runDialog('save');
    assert.deepEqual(said, ['Saved art/photo.tar-mask.png']);
    for (const { bytes, name } of saved) {
      const { width, height } = await decodeImage(bytes);
      assert.deepEqual([name, width, height], ['photo.tar-mask.png', 40, 30]);
    }
    assert.ok(coverageOf(painting.mask) === 1);
    assert.deepEqual(
      asked.map(({ method }) => method),
      ['saveMask', 'saveMask'],
    );
  });

  it('load a mask from a file, also while something is drawn, and say where one cannot be read', async () => {
    const files: unknown[] = [null, { file: 'damaged.png', name: 'art/damaged.png' }, { file: 'mask.png' }];
    const { store, view, painting, said, operations, runDialog, send } = openedMask({
      reply: (request) => (request.method === 'loadMask' ? files.shift() : done(request)),
    });
    const rgba = new Uint8ClampedArray(4 * 40 * 30).fill(255);
    rgba.fill(0, 0, 4 * 40 * 15);
    maskFiles.set('mask.png', { width: 40, height: 30, rgba });
    await runDialog('load');
    assert.deepEqual([store.state.problem, store.state.draft.mask.done], [undefined, 0]);
    await runDialog('load');
    assert.match(store.state.problem?.message ?? '', /mask art\/damaged.png is damaged/);
    assert.equal(store.state.draft.mask.done, 0);
    send('pointerdown', { x: 35, y: 25 });
    await runDialog('load');
    assert.equal(coverageOf(painting.mask), 0.5);
    assert.deepEqual(store.state.draft.mask.operations, [{ kind: 'load', file: 'mask.png' }]);
    assert.deepEqual([view.isDrawing, operations, said], [false, [], ['Mask loaded']]);
  });

  it('load nothing on another image than the one it was chosen for', async () => {
    const { store, runDialog } = openedMask({
      reply: (request) => {
        if (request.method === 'loadMask') {
          store.change({ inputs: ['b'] });
          return { file: 'mask.png', name: 'mask.png' };
        }
        return done(request);
      },
    });
    await runDialog('load');
    assert.deepEqual(store.state.draft.mask.operations, []);
  });
});

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
    const { models, defaultModel, defaults, styles, isConnected, hasLanguageModel, target } = store.state;
    const settings = {
      kind: 'settings',
      defaultModel,
      defaults,
      styles,
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
