import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';

/** Symbols under which `fetch` of every extension finds its HTTP client. */
const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));

const inSlots = (): unknown[] => slots.map((slot): unknown => Reflect.get(globalThis, slot));

describe('the fetch of other extensions', () => {
  it('has the same client after Limner has asked, polled and downloaded', async () => {
    // Node fills its slot at the first call.
    await fetch('data:text/plain,');
    const before = inSlots();
    await vscode.commands.executeCommand(commands.useDemoService);
    await vscode.commands.executeCommand(commands.generate, { prompt: 'A pine cone' });
    assert.deepEqual(
      inSlots().map((client, index) => client === before[index]),
      [true, true],
    );
  });
});
