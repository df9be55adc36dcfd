import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inputsNeededLater, type TaskInput, type TaskRequest } from '../../../../src/engine/task/task.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';

function anInput(name: string): TaskInput {
  return {
    uri: `file:///w/${name}`,
    name,
    size: 1,
    mediaType: 'image/png',
    sha256: name,
    path: `/w/${name}`,
  };
}

const [first, second, mask] = ['first', 'second', 'mask'].map(anInput);

function needed(request: Partial<TaskRequest>): string[] {
  return inputsNeededLater(aRequest({ kind: 'edit', ...request })).map(({ name }) => name);
}

it('inputs of a task are kept with which its images are made when they have arrived', () => {
  assert.ok(first && second && mask);
  const images = [first, second];
  assert.deepEqual(needed({ images, mask, keepOutside: true }), ['first', 'mask']);
  assert.deepEqual(needed({ images, finish: { cutout: { by: 'grounds' } } }), ['first']);
});

it('other inputs of a task need not be kept once they are sent', () => {
  assert.ok(first && second && mask);
  const images = [first, second];
  assert.deepEqual(needed({ images, mask }), []);
  assert.deepEqual(needed({ images, keepOutside: true }), []);
  assert.deepEqual(needed({ images, finish: { cutout: { by: 'key' } } }), []);
  assert.deepEqual(needed({ images, finish: { multiples: 16 } }), []);
  assert.deepEqual(needed({ mask, keepOutside: true }), []);
  assert.deepEqual(needed({}), []);
});
