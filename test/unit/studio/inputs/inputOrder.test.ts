import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeMaxInputs, moveInput } from '../../../../src/studio/inputs/inputList.ts';
import { opened } from '../openedStore.ts';

void describe('the order of input images', () => {
  const inputs = ['a', 'b', 'c'];
  void it('changes by one move', () => {
    assert.deepEqual(moveInput(inputs, 'a', 1), ['b', 'a', 'c']);
    assert.deepEqual(moveInput(inputs, 'c', 0), ['c', 'a', 'b']);
    assert.deepEqual(moveInput(inputs, 'a', 2), ['b', 'c', 'a']);
  });

  void it('ends at its ends', () => {
    assert.deepEqual(moveInput(inputs, 'a', -1), inputs);
    assert.deepEqual(moveInput(inputs, 'c', 9), inputs);
  });
});

void it('shows the setting of how many input images a model takes', async () => {
  const { store, host, asked } = opened({});
  await changeMaxInputs({ store, host });
  assert.deepEqual(asked, [{ method: 'openModelSettings', parameters: {} }]);
});
