import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comboOf } from '../../../../src/studio/mask/toolbar/keys.ts';
import { Tools, toolsOf } from '../../../../src/studio/mask/surface/tools.ts';
import { opened } from '../openedStore.ts';

describe('the tools of a mask', () => {
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
