import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LassoGesture,
  RectangleGesture,
  StrokeGesture,
} from '../../../../src/studio/mask/surface/gesture.ts';
import { comboOf, keyLabel } from '../../../../src/studio/mask/toolbar/keys.ts';
import { Tools, toolsOf } from '../../../../src/studio/mask/surface/tools.ts';
import { opened } from '../openedStore.ts';

const at = (x: number, y: number, pressure = 1): { x: number; y: number; pressure: number } => ({
  x,
  y,
  pressure,
});

describe('the tools of a mask', () => {
  it('leaves out places that are too near for the brush, but never the last one', () => {
    const gesture = new StrokeGesture({ mode: 'add', size: 100, hardness: 1 }, at(0, 0));
    for (const x of [3, 6, 9, 12, 15.26]) {
      gesture.moveTo(at(x, 0, 0.123));
    }
    assert.deepEqual(gesture.operation.points, [0, 0, 1, 12, 0, 0.12]);
    gesture.end();
    gesture.end();
    assert.deepEqual(gesture.operation.points, [0, 0, 1, 12, 0, 0.12, 15.3, 0, 0.12]);
  });

  it('makes a rectangle of two corners, and nothing of one', () => {
    const gesture = new RectangleGesture('subtract', at(10.4, 20.6));
    assert.equal(gesture.operation, undefined);
    gesture.moveTo(at(30, 10));
    assert.deepEqual(gesture.operation, {
      kind: 'rectangle',
      mode: 'subtract',
      from: [10, 21],
      to: [30, 10],
    });
  });

  it('makes a lasso of three places at least', () => {
    const gesture = new LassoGesture('add', at(0, 0), 2);
    gesture.moveTo(at(1, 0));
    gesture.moveTo(at(10, 0));
    assert.equal(gesture.operation, undefined);
    gesture.moveTo(at(10, 10));
    const points = [
      [0, 0],
      [10, 0],
      [10, 10],
    ];
    assert.deepEqual(gesture.operation, { kind: 'lasso', mode: 'add', points });
  });

  it('makes the brush larger and smaller in steps, within bounds', () => {
    const tools = new Tools(1200, 1 / 12);
    tools.resize(1);
    assert.equal(tools.state.size, 125);
    tools.set({ size: 2 });
    tools.resize(-1);
    assert.equal(tools.state.size, 1);
    tools.resize(-1);
    assert.equal(tools.state.size, 1);
    tools.resize(1);
    assert.equal(tools.state.size, 2);
    tools.set({ size: 1900 });
    tools.resize(1);
    assert.equal(tools.state.size, 2000);
    for (let press = 0; press < 12; press++) {
      tools.harden(-1);
    }
    assert.equal(tools.state.hardness, 0);
    tools.harden(1);
    assert.equal(tools.state.hardness, 0.1);
    for (let press = 0; press < 12; press++) {
      tools.harden(1);
    }
    assert.equal(tools.state.hardness, 1);
    tools.set({ size: 10 });
    tools.resize(1);
    assert.equal(tools.state.size, 13);
  });
});

describe('the brush', () => {
  it('keeps its size as a part of the image, also of a smaller one and back', () => {
    const tools = new Tools(4096, 1 / 12);
    assert.equal(tools.state.size, 341);
    tools.fit(3);
    assert.equal(tools.state.size, 1);
    tools.fit(200);
    assert.equal(tools.state.size, 17);
    tools.set({ size: 50 });
    tools.fit(400);
    assert.equal(tools.state.size, 100);
    assert.equal(tools.brush, 0.25);
  });

  it('is only told of when it changes', () => {
    const tools = new Tools(300, 0.2);
    const sizes: number[] = [];
    const stop = tools.onDidChange(() => sizes.push(tools.state.size));
    tools.fit(300);
    tools.fit(200);
    stop();
    tools.fit(100);
    assert.deepEqual([sizes, tools.state.size], [[40], 20]);
  });

  it('is the same whenever a mask is shown, and as large on the next page', () => {
    const { store, tell } = opened({});
    const tools = toolsOf(store, 240);
    assert.deepEqual(tools.state, { tool: 'brush', mode: 'add', size: 20, hardness: 0.8, tint: 'red' });
    tools.set({ tool: 'lasso' });
    assert.equal(store.state.draft.view.brush, 1 / 12);
    tools.set({ size: 60 });
    assert.equal(store.state.draft.view.brush, 0.25);
    tell({ kind: 'sending', isSending: false });
    assert.equal(toolsOf(store, 480), tools);
    assert.equal(toolsOf(opened({ view: store.state.draft.view }).store, 480).state.size, 120);
  });
});

describe('keys', () => {
  it('have one name with Ctrl and with Cmd, and say Shift only where the sign does not', () => {
    assert.equal(comboOf(event('B')), 'b');
    assert.equal(comboOf(event('Z', ['Control'])), 'mod+z');
    assert.equal(comboOf(event('z', ['Meta', 'Shift'])), 'mod+shift+z');
    assert.equal(comboOf(event('{', ['Shift'])), '{');
    assert.equal(comboOf(event('Delete')), 'delete');
    assert.equal(comboOf(event('b', ['Alt'])), 'alt+b');
    assert.equal(comboOf(event('Delete', ['Shift'])), 'shift+delete');
    assert.equal(comboOf(event('?', ['Shift', 'Alt'])), 'alt+?');
    assert.equal(comboOf(event('Ä', ['Shift', 'AltGraph', 'Alt'])), 'shift+ä');
  });

  it('know a bracket that is typed with AltGr', () => {
    assert.equal(comboOf(event('[', ['Control', 'Alt', 'AltGraph'])), '[');
  });

  it('are written as people know them', () => {
    assert.equal(keyLabel('mod+shift+z', false), 'Ctrl+Shift+Z');
    assert.equal(keyLabel('mod+shift+z', true), '⌘⇧Z');
    assert.equal(keyLabel('+', false), '+');
    assert.equal(keyLabel('delete', false), 'Del');
    assert.equal(keyLabel('shift+delete', true), '⇧⌦');
  });
});

function event(key: string, held: string[] = []): Parameters<typeof comboOf>[0] {
  return {
    key,
    ctrlKey: held.includes('Control'),
    metaKey: held.includes('Meta'),
    altKey: held.includes('Alt'),
    shiftKey: held.includes('Shift'),
    getModifierState: (name: string) => held.includes(name),
  };
}
