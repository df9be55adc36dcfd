import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLossySize, findSubmitBlocker } from '../../../../src/studio/compose/submitBlocker.ts';
import type { StudioStoreState } from '../../../../src/studio/store/studioStore.ts';
import { emptyDraft, type Draft } from '../../../../src/studio/protocol/draft.ts';
import type { StudioInput } from '../../../../src/studio/protocol/state.ts';
import { aStudioModel } from '../studioTasks.ts';

void describe('what keeps a draft from being sent', () => {
  const painter = aStudioModel({ callStyles: ['async', 'sync'] });
  const sketcher = { ...painter, id: 'sketcher', family: 'native', mask: 'none' } as const;
  const painted: Draft['mask'] = {
    size: { width: 10, height: 10 },
    operations: [{ kind: 'fill' }],
    done: 1,
  };

  function state(draft: Partial<Draft>, model = painter): StudioStoreState {
    return {
      draft: { ...emptyDraft, prompt: 'A fox', ...draft },
      inputs: new Map(['a', 'b'].map((id) => [id, input(id)])),
      models: [model],
      defaultModel: model.id,
      defaults: { size: '', quality: '', count: 1, folder: 'images', fileName: '{prompt}' },
      tasks: new Map(),
      target: { path: 'images/a-fox' },
      isConnected: true,
      hasLanguageModel: false,
      isSending: false,
      isMac: false,
      selection: [],
      problem: undefined,
    };
  }

  /** Returns why a draft with this one input image cannot be sent. */
  function blockerOf(changes: Partial<StudioInput>): string | undefined {
    const inputs = new Map([['a', { ...input('a'), ...changes }]]);
    return findSubmitBlocker({ ...state({ inputs: ['a'] }), inputs })?.message;
  }

  void it('is that there is no model', () => {
    assert.deepEqual(findSubmitBlocker({ ...state({}), models: [] }), {
      message: 'No model is set.',
      control: 'model',
    });
  });

  void it('is an input that changed on disk, or whose file is gone', () => {
    assert.equal(blockerOf({ onDisk: 'changed' }), 'a has changed on disk. Reload it, or remove it.');
    assert.equal(
      blockerOf({ onDisk: 'replaced' }),
      'a was replaced by an edited image. Reload it, or remove it.',
    );
    assert.equal(blockerOf({ onDisk: 'deleted', url: '' }), 'a was deleted. Remove it.');
    assert.equal(blockerOf({ onDisk: 'deleted' }), undefined);
    const inputs = new Map(['a', 'b'].map((id) => [id, { ...input(id), url: '' }]));
    const both = state({ inputs: ['a', 'b'] }, { ...painter, maxInputs: 2 });
    assert.deepEqual(findSubmitBlocker({ ...both, inputs }), {
      message: 'a was deleted. Remove it.',
      control: 'inputs',
    });
  });

  void it('is more input images than the model takes', () => {
    assert.deepEqual(findSubmitBlocker(state({ inputs: ['a', 'b'] })), {
      message: 'The Painter takes 1 input image, but there are 2. Remove some, or choose another model.',
      control: 'inputs',
    });
    const [two, three] = [
      { ...painter, maxInputs: 2 },
      new Map(['a', 'b', 'c'].map((id) => [id, input(id)])),
    ];
    assert.equal(
      findSubmitBlocker({ ...state({ inputs: ['a', 'b', 'c'] }, two), inputs: three })?.message,
      'The Painter takes at most 2 input images, but there are 3. Remove some, or choose another model.',
    );
    assert.deepEqual(
      findSubmitBlocker(state({ inputs: ['a', 'b'] }, { ...painter, isMaxInputsAssumed: true })),
      {
        message:
          'Limner assumes that The Painter takes 1 input image, but there are 2. If it takes more, set "inputs" in its settings.',
        control: 'inputs',
        isAssumed: true,
      },
    );
  });

  void it('is a mask that the model does not take', () => {
    assert.equal(findSubmitBlocker(state({ inputs: ['a'], mask: painted }, sketcher))?.control, 'model');
    assert.equal(
      findSubmitBlocker(state({ inputs: ['a'], mask: { ...painted, done: 0 } }, sketcher)),
      undefined,
    );
  });

  void it('is not a size at which what lies outside the mask is lost, which is said all the same', () => {
    const masked = { inputs: ['a'], mask: painted };
    assert.equal(findLossySize(state({ ...masked, size: '10x10' })), undefined);
    assert.deepEqual(findLossySize(state({ ...masked, size: '1024x512' })), {
      message: "Everything outside the mask can't be kept at 1024 × 512.",
      keeping: '10x10',
    });
    assert.equal(
      findLossySize(state({ ...masked, size: '64x64' }, { ...painter, sizes: ['64x64'] }))?.keeping,
      undefined,
    );
    assert.equal(
      findLossySize(state(masked))?.message,
      'Everything outside the mask is kept only if the service returns 10 × 10.',
    );
    assert.equal(findLossySize(state({ ...masked, size: '64x64', keepOutside: false })), undefined);
    assert.equal(findLossySize(state({ ...masked, size: '64x' })), undefined);
    assert.equal(findLossySize(state({ inputs: ['a'], size: '64x64' })), undefined);
  });
});

function input(id: string): StudioInput {
  return {
    id,
    name: id,
    url: 'input.png',
    path: id,
    width: 10,
    height: 10,
    size: 1,
    mediaType: 'image/png',
    notes: [],
  };
}
