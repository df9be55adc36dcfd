import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copyRow, isBlank, type MaskPixels } from '../../../../src/studio/maskPixels/maskPixels.ts';
import type { MaskOperation } from '../../../../src/studio/protocol/maskOperations.ts';
import { openedMask } from './openedMask.ts';

const [right, middle] = [
  { button: 2, buttons: 2 },
  { button: 1, buttons: 4 },
];
const finger = (pointerId: number): { pointerId: number; pointerType: string } => ({
  pointerId,
  pointerType: 'touch',
});
const modes = (operations: readonly MaskOperation[]): (string | undefined)[] =>
  operations.map((operation) => ('mode' in operation ? operation.mode : undefined));
/** Returns the places of a stroke with their pressures; one that follows on itself only once. */
const pointsOf = (operation: MaskOperation | undefined): number[] => {
  const points = operation?.kind === 'stroke' ? operation.points : [];
  const isNew = (at: number): boolean =>
    [0, 1, 2].some((part) => points[at + part] !== points[at + part - 3]);
  return points.filter((_, index) => isNew(index - (index % 3)));
};

describe('painting on a mask', () => {
  it('marks what the pointer goes over, as it goes', () => {
    const { frame, painting, tools, operations, send } = openedMask();
    tools.set({ size: 4, hardness: 1 });
    assert.ok(send('pointerdown', { x: 10, y: 7 }));
    assert.deepEqual([frame.hasFocus, frame.captured], [true, [1]]);
    assert.deepEqual(levels(painting.mask, 7).slice(7, 13), [0, 250, 255, 255, 250, 0]);
    send('pointermove', { x: 30, y: 7 });
    assert.equal(levels(painting.mask, 7)[25], 255);
    send('pointermove', { x: 30.5, y: 7 });
    assert.deepEqual(operations, []);
    send('pointerup', { x: 30.5, y: 7 });
    assert.deepEqual(operations, [
      { kind: 'stroke', mode: 'add', size: 4, hardness: 1, points: [10, 7, 1, 30, 7, 1, 30.5, 7, 1] },
    ]);
    assert.equal(levels(painting.mask, 7)[25], 255);
    send('pointermove', { x: 20, y: 20 });
    assert.equal(levels(painting.mask, 20)[20], 0);
  });

  it('does the opposite with the right button, the eraser of a pen, and Alt', () => {
    const { tools, operations, drag, send } = openedMask();
    const way = [
      [5, 5],
      [15, 12],
    ] as const;
    for (const tool of ['brush', 'eraser', 'rectangle'] as const) {
      tools.set({ tool });
      drag(way);
      drag(way, right);
      drag(way, { pointerType: 'pen', button: 5, buttons: 32 });
      drag(way, { altKey: true });
    }
    const [add, subtract] = ['add', 'subtract'];
    const adding = [add, subtract, subtract, subtract];
    assert.deepEqual(modes(operations), [...adding, subtract, add, add, add, ...adding]);
    tools.set({ mode: 'subtract' });
    drag(way);
    assert.equal(modes(operations).at(-1), subtract);
    send('pointerdown', { x: 1, y: 1 }, { button: 3, buttons: 8 });
    send('pointerdown', { x: 1, y: 1 }, { button: 4, buttons: 16 });
    send('pointerup', { x: 1, y: 1 });
    assert.equal(operations.length, 13);
    assert.ok(send('contextmenu', { x: 1, y: 1 }));
  });

  it('presses as hard as a pen does, and fully with a mouse', () => {
    const { operations, send } = openedMask();
    for (const [pointerType, pressure, expected] of [
      ['pen', 0.6, 0.6],
      ['pen', 0, 0.05],
      ['mouse', 0.5, 1],
      ['mouse', 0, 1],
    ] as const) {
      send('pointerdown', { x: 3, y: 4 }, { pointerType, pressure });
      send('pointerup', { x: 3, y: 4 }, { pointerType, pressure });
      assert.deepEqual(pointsOf(operations.at(-1)), [3, 4, expected]);
    }
  });

  it('draws a straight line with Shift, from where the brush was last', () => {
    const { operations, drag, send } = openedMask();
    drag([[2, 2]], { shiftKey: true });
    drag([
      [3, 4],
      [20, 4],
    ]);
    drag([[30, 25]], { shiftKey: true });
    drag([[5, 28]], { shiftKey: true });
    assert.deepEqual(operations.map(pointsOf), [
      [2, 2, 1],
      [3, 4, 1, 20, 4, 1],
      [20, 4, 1, 30, 25, 1],
      [30, 25, 1, 5, 28, 1],
    ]);
    send('pointermove', { x: 39, y: 1 });
    drag([[6, 7]]);
    assert.deepEqual(pointsOf(operations.at(-1)), [6, 7, 1]);
  });

  it('outlines a rectangle and a lasso until they are done', () => {
    const { view, tools, operations, outline, send } = openedMask();
    tools.set({ tool: 'rectangle' });
    send('pointerdown', { x: 5, y: 5 });
    send('pointermove', { x: 15, y: 10 });
    assert.equal(outline(), 'M 45 25 L 85 25 L 85 45 L 45 45 Z');
    view.zoomTo(8);
    const { x, y } = view.zoom;
    const [left, top, right, bottom] = [x + 40, y + 40, x + 120, y + 80];
    assert.equal(outline(), `M ${left} ${top} L ${right} ${top} L ${right} ${bottom} L ${left} ${bottom} Z`);
    view.fit();
    send('pointerup', { x: 15, y: 10 });
    assert.equal(outline(), '');
    tools.set({ tool: 'lasso' });
    send('pointerdown', { x: 5, y: 5 });
    // Half a pixel of the image is two of the screen.
    for (const [x, y] of [
      [5.4, 5],
      [5.5, 5],
      [9, 5],
      [9, 9],
    ] as const) {
      send('pointermove', { x, y });
    }
    send('pointerup', { x: 9, y: 9 });
    assert.deepEqual(operations, [
      { kind: 'rectangle', mode: 'add', from: [5, 5], to: [15, 10] },
      {
        kind: 'lasso',
        mode: 'add',
        points: [
          [5, 5],
          [5.5, 5],
          [9, 5],
          [9, 9],
        ],
      },
    ]);
  });

  it('leaves nothing of a stroke that is canceled', () => {
    const { view, painting, operations, key, send, screen, expectedScreen } = openedMask();
    send('pointerdown', { x: 10, y: 10 });
    assert.ok(view.isDrawing);
    assert.ok(screen().some((value) => value > 0));
    send('pointercancel', { x: 10, y: 10 });
    assert.ok(!view.isDrawing && isBlank(painting.mask));
    send('pointerdown', { x: 10, y: 10 });
    assert.ok(key('Escape'));
    assert.ok(!key('Escape'));
    send('pointerup', { x: 10, y: 10 });
    assert.ok(isBlank(painting.mask));
    assert.deepEqual(operations, []);
    assert.ok(areSame(screen(), expectedScreen()));
    assert.ok(screen().every((value) => value === 0));
  });

  it('ends with its page, and leaves nothing of a stroke that was not done', async () => {
    const page = openedMask();
    const { store, view, frame, tools, painting, scales, send, screen, render } = page;
    send('pointerdown', { x: 10, y: 10 });
    assert.ok(!isBlank(painting.mask));
    view.dispose();
    assert.ok(isBlank(painting.mask));
    store.paint({ kind: 'rectangle', mode: 'add', from: [10, 10], to: [20, 20] });
    await render();
    const shown = screen().slice();
    assert.ok(shown.some((value) => value > 0));
    const before = [scales.length, frame.dataset['tool']];
    page.resize({ width: 90, height: 66 });
    tools.set({ tool: 'lasso', tint: 'blue' });
    page.setTheme(true);
    page.setTheme(true, 'style');
    assert.deepEqual([scales.length, frame.dataset['tool']], before);
    assert.ok(areSame(screen(), shown));
    Object.assign(frame, { isConnected: false });
    const { mask } = painting;
    store.paint({ kind: 'fill' });
    await render();
    assert.equal(painting.mask, mask);
  });
});

describe('moving and zooming a masked image', () => {
  it('moves it by the middle button, and by the space bar with any', () => {
    const { view, zooms, operations, frame, key, keyUp, drag, send } = openedMask();
    drag(
      [
        [10, 10],
        [12, 10],
      ],
      middle,
    );
    assert.deepEqual(view.zoom, { scale: 4, x: 25, y: 5 });
    view.zoomTo(8);
    const before = view.zoom;
    send('pointerdown', { x: 20, y: 15 }, middle);
    send('pointermove', { x: 22, y: 14 }, middle);
    assert.deepEqual(view.zoom, { scale: 8, x: before.x + 16, y: before.y - 8 });
    assert.deepEqual(zooms.at(-1), view.zoom);
    send('pointerup', { x: 22, y: 14 }, middle);
    key(' ');
    assert.equal(frame.dataset['hand'], '');
    send('pointerdown', { x: 20, y: 15 });
    key(' ');
    send('pointermove', { x: 19, y: 15 });
    // A key that is held comes again and again.
    key(' ');
    assert.deepEqual(view.zoom, { scale: 8, x: before.x + 8, y: before.y - 8 });
    send('pointerup', { x: 19, y: 15 });
    assert.ok(!keyUp(' '));
    assert.ok(!('hand' in frame.dataset));
    assert.ok(!view.isDrawing);
    assert.deepEqual(operations, []);
    // A window that loses the focus never hears of the key again.
    key(' ');
    send('blur', { x: 0, y: 0 });
    drag([[20, 15]]);
    assert.equal(operations.length, 1);
  });

  it('zooms by the wheel around the pointer, and moves sideways with Shift', () => {
    const { view, send } = openedMask();
    const wheel = { deltaX: 0, deltaY: -100, deltaMode: 0, ctrlKey: false, metaKey: false };
    view.zoomTo(8);
    const place = { x: 20, y: 15 };
    const { zoom: before } = view;
    const at = { x: before.x + 20 * 8, y: before.y + 15 * 8 };
    assert.ok(send('wheel', place, wheel));
    const { scale } = view.zoom;
    assert.ok(scale > 8 && scale < 12);
    const found = view.placeAt(at);
    assert.ok(Math.abs(found.x - 20) < 1e-9 && Math.abs(found.y - 15) < 1e-9);
    const { x, y } = view.zoom;
    send('wheel', place, { ...wheel, deltaY: 30, shiftKey: true });
    assert.deepEqual(view.zoom, { scale, x: x - 30, y });
  });

  it('follows two fingers, whichever of them moves, and paints with one', () => {
    const { view, operations, painting, send } = openedMask();
    view.zoomTo(8);
    const [one, other] = [
      { x: 18, y: 14 },
      { x: 22, y: 14 },
    ];
    send('pointerdown', one, finger(1));
    assert.ok(view.isDrawing);
    send('pointerdown', other, finger(2));
    assert.ok(!view.isDrawing && isBlank(painting.mask));
    const onScreen = (x: number): { clientX: number; clientY: number } => ({
      clientX: 32 + view.zoom.x + x * view.zoom.scale,
      clientY: 23 + view.zoom.y + 14 * view.zoom.scale,
    });
    const [left, right] = [onScreen(17), onScreen(23.5)];
    const { scale } = view.zoom;
    send('pointermove', one, { ...finger(1), ...left });
    send('pointermove', other, { ...finger(2), ...right });
    assert.ok(Math.abs(view.zoom.scale / scale - 6.5 / 4) < 1e-9);
    for (const [{ clientX, clientY }, place] of [
      [left, one],
      [right, other],
    ] as const) {
      const found = view.placeAt({ x: clientX - 32, y: clientY - 23 });
      assert.ok(Math.abs(found.x - place.x) < 1e-9 && Math.abs(found.y - place.y) < 1e-9);
    }
    send('pointerup', other, finger(2));
    const { zoom } = view;
    send('pointermove', { x: 10, y: 10 }, finger(1));
    assert.deepEqual(view.zoom, zoom);
    send('pointerup', { x: 10, y: 10 }, finger(1));
    assert.deepEqual(operations, []);
    send('pointerdown', { x: 12, y: 12 }, finger(3));
    send('pointerup', { x: 12, y: 12 }, finger(3));
    assert.deepEqual(pointsOf(operations[0]), [12, 12, 1]);
  });

  it('moves by a finger, once a pen was seen: the hand rests on the screen', () => {
    const { view, operations, send, drag } = openedMask();
    view.zoomTo(8);
    drag([[20, 15]], { pointerType: 'pen' });
    drag([[20, 15]], { pointerType: 'mouse' });
    assert.equal(operations.length, 2);
    const { x, y, scale } = view.zoom;
    send('pointerdown', { x: 20, y: 15 }, finger(1));
    send('pointermove', { x: 21, y: 15 }, finger(1));
    assert.deepEqual(view.zoom, { scale, x: x + 8, y });
    send('pointerup', { x: 21, y: 15 }, finger(1));
    assert.equal(operations.length, 2);
  });

  it('fits the image again, also to a frame of another size', () => {
    const { view, zooms, scales, resize } = openedMask();
    view.zoomTo(8);
    assert.deepEqual([scales[0], scales.at(-1)], [4, 8]);
    view.fit();
    assert.deepEqual([zooms.length, zooms.at(-1), view.zoom], [2, undefined, { scale: 4, x: 25, y: 5 }]);
    resize({ width: 90, height: 66 });
    assert.deepEqual(view.zoom, { scale: 2, x: 5, y: 3 });
    assert.equal(scales.at(-1), 2);
    for (const nothing of [
      { width: 0, height: 66 },
      { width: 90, height: 0 },
    ]) {
      resize(nothing);
      view.zoomTo(9);
      assert.equal(zooms.length, 2);
    }
  });
});

describe('what one sees of a mask', () => {
  it('is the whole mask after every change, in the colors of the theme, on a dense screen too', async () => {
    for (const density of [1, 1.5]) {
      const { view, tools, store, drag, key, send, resize, render, setTheme, screen, expectedScreen } =
        openedMask({ density });
      const check = (what: string, ...expected: Parameters<typeof expectedScreen>): void => {
        assert.ok(areSame(screen(), expectedScreen(...expected)), `${what} at ${density}`);
      };
      check('nothing');
      tools.set({ size: 20 });
      // The last place is too near to be drawn before the tool is lifted.
      drag([
        [10, 10],
        [20, 12],
        [21.6, 12.9],
      ]);
      check('a stroke');
      assert.ok(screen().some((value) => value > 0));
      view.zoomTo(7);
      check('zoomed');
      send('pointerdown', { x: 20, y: 20 });
      send('pointermove', { x: 26, y: 14 });
      check('a part of a stroke');
      key('Escape');
      check('canceled');
      tools.set({ tool: 'rectangle' });
      drag([
        [12, 21],
        [3, 3],
      ]);
      await render();
      check('a rectangle');
      resize({ width: 150, height: 140 });
      check('resized');
      resize({ width: 170, height: 140 });
      check('wider');
      resize({ width: 170, height: 100 });
      check('lower');
      await store.undo();
      await render();
      check('undone');
      tools.set({ tint: 'blue' });
      check('blue', 'blue');
      setTheme(true);
      check('high contrast', 'blue', [0.75, 0.5]);
      setTheme(false, 'style');
      check('usual contrast', 'blue', [0.6, 0.4]);
    }
  });

  it('is the brush at the pointer, as large as it paints and at least as large as can be seen', () => {
    const { view, tools, frame, cursor, send } = openedMask();
    assert.ok(cursor.hidden);
    send('pointermove', { x: 10, y: 10 }, { buttons: 0 });
    assert.ok(!cursor.hidden);
    const { width, height, transform } = cursor.style;
    assert.deepEqual([width, height, transform], ['24px', '24px', 'translate(53px, 33px)']);
    assert.deepEqual([frame.dataset['tool'], cursor.dataset['mode']], ['brush', 'add']);
    view.invert(true);
    assert.equal(cursor.dataset['mode'], 'subtract');
    view.invert(false);
    send('pointerdown', { x: 10, y: 10 });
    view.invert(true);
    assert.equal(cursor.dataset['mode'], 'add', 'a tool that is down stays what it is');
    send('pointerup', { x: 10, y: 10 }, { buttons: 0 });
    assert.equal(cursor.dataset['mode'], 'add');
    tools.set({ size: 1 });
    assert.equal(cursor.style['width'], '5px');
    tools.set({ tool: 'lasso' });
    assert.deepEqual([cursor.style['width'], cursor.style['transform']], ['0px', 'translate(65px, 45px)']);
    assert.equal(frame.dataset['tool'], 'lasso');
    send('pointerleave', { x: 50, y: 10 });
    assert.ok(cursor.hidden);
    send('pointermove', { x: 10, y: 10 }, { ...finger(1), buttons: 0 });
    assert.ok(cursor.hidden);
    send('pointerdown', { x: 10, y: 10 }, finger(1));
    send('pointermove', { x: 11, y: 10 }, finger(1));
    assert.ok(!cursor.hidden);
    send('pointerup', { x: 11, y: 10 }, finger(1));
    assert.ok(cursor.hidden);
  });
});

describe('the keys of a mask', () => {
  it('move a crosshair by what ten pixels of the screen are, and say what is marked there', () => {
    const { crosshair, cursor, places, zooms, key, drag, send, tools } = openedMask();
    tools.set({ size: 6, hardness: 1 });
    drag([[23, 15]]);
    send('pointermove', { x: 23, y: 15 }, { buttons: 0 });
    assert.ok(crosshair.hidden);
    assert.ok(key('ArrowRight'));
    assert.ok(!crosshair.hidden && !cursor.hidden);
    assert.equal(crosshair.style['transform'], 'translate(129px, 65px)');
    key('ArrowRight', { altKey: true });
    key('ArrowDown', { shiftKey: true });
    key('ArrowLeft');
    key('ArrowUp');
    assert.deepEqual(places, [
      [26, 15, 0],
      [27, 15, 0],
      [27, 30, 0],
      [24, 30, 0],
      [24, 27, 0],
    ]);
    for (let press = 0; press < 4; press++) {
      key('ArrowUp');
    }
    assert.deepEqual(places.at(-1), [24, 15, 255]);
    key('ArrowUp');
    assert.deepEqual(places.at(-1), [24, 12, 160]);
    key('ArrowUp', { altKey: true });
    assert.deepEqual(places.at(-1), [24, 11, 0]);
    assert.deepEqual(zooms, []);
  });

  it('paint with the tool at the crosshair, which begins at the pointer or in the middle', () => {
    const { operations, said, key, send, view } = openedMask();
    assert.ok(key('Enter'));
    key('Enter', { repeat: true });
    key('ArrowRight', { altKey: true });
    key('ArrowRight', { altKey: true });
    key('Enter');
    send('pointermove', { x: 5.2, y: 6.7 }, { buttons: 0 });
    key('Enter');
    key('Enter');
    assert.deepEqual(operations.map(pointsOf), [
      [20, 15, 1, 21, 15, 1, 22, 15, 1],
      [5, 7, 1],
    ]);
    assert.deepEqual(modes(operations), ['add', 'add']);
    assert.deepEqual(said, ['down', 'up', 'down', 'up']);
    assert.ok(!view.isDrawing);
  });

  it('take the space bar for Enter unless it moved the image, and Alt for the opposite', () => {
    const { operations, cursor, key, keyUp } = openedMask();
    assert.ok(key(' '));
    assert.ok(keyUp(' '));
    key(' ');
    keyUp(' ');
    assert.equal(operations.length, 1);
    assert.ok(key('Alt'));
    assert.equal(cursor.dataset['mode'], 'subtract');
    assert.ok(keyUp('Alt'));
    assert.equal(cursor.dataset['mode'], 'add');
    assert.ok(!key('x') && !keyUp('x') && !keyUp(' '));
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
      assert.ok(!key('Enter', { [modifier]: true }));
    }
  });
});

function levels(mask: MaskPixels, y: number): number[] {
  const row = new Uint8Array(mask.width);
  copyRow(mask, y, row);
  return [...row];
}

/** Whether pixels are the same; to list those that differ would take minutes. */
function areSame(one: Uint8ClampedArray, other: Uint8ClampedArray): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
