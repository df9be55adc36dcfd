import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rememberPrompt, stepThroughPrompts } from '../../../../src/studio/store/promptHistory.ts';
import { sizeNote, sizeProblem, sizeProblemOf } from '../../../../src/studio/compose/sizes.ts';
import { type Draft, emptyDraft } from '../../../../src/studio/protocol/draft.ts';
import { likeImage } from '../../../../src/studio/store/imageSize.ts';
import { aStudioModel } from '../studioTasks.ts';
import { findLossySize, findSubmitBlocker } from '../../../../src/studio/compose/submitBlocker.ts';
import type { StudioStoreState } from '../../../../src/studio/store/studioStore.ts';
import type { StudioInput } from '../../../../src/studio/protocol/state.ts';

void describe('the history of prompts', () => {
  void it('goes to older prompts and back to an empty one', () => {
    const prompts = ['newest', 'older', 'oldest'];
    let draft = { prompt: '', prompts };
    const seen = ['older', 'older', 'older', 'older', 'newer', 'newer', 'newer'] as const;
    assert.deepEqual(
      seen.map((step) => {
        draft = stepThroughPrompts(draft, step);
        return draft.prompt;
      }),
      ['newest', 'older', 'oldest', 'oldest', 'older', 'newest', ''],
    );
    assert.deepEqual(draft.prompts, prompts);
  });

  void it('keeps what was typed and not submitted', () => {
    const there = stepThroughPrompts({ prompt: 'half a thought', prompts: ['newest'] }, 'older');
    assert.equal(there.prompt, 'newest');
    assert.equal(stepThroughPrompts(there, 'newer').prompt, 'half a thought');
  });

  void it('has each prompt once, the newest first, and 50 at most', () => {
    const many = Array.from({ length: 60 }, (_, index) => `prompt ${index}`).reduce<string[]>(
      rememberPrompt,
      [],
    );
    assert.equal(many.length, 50);
    assert.deepEqual(rememberPrompt(many, 'prompt 30').slice(0, 2), ['prompt 30', 'prompt 59']);
    assert.equal(new Set(rememberPrompt(many, 'prompt 30')).size, 50);
    assert.equal(rememberPrompt(many, 'prompt 30').length, 50);
  });
});

/** Says that a model's result is finished here. */
function finished(name: string): string {
  return `${name} doesn't generate this size. Limner creates it from the result.`;
}

void describe('sizes in the studio', () => {
  const painter = aStudioModel();
  const choosy = aStudioModel({ sizes: ['640x480', '480x640'] });
  const sketcher = aStudioModel({ name: 'The Sketcher', family: 'native' });
  const offering = { ...sketcher, sizes: ['200x100'] };

  void it('come with a word on what becomes of them where they are not sent as they are', () => {
    for (const [model, size, off, exact] of [
      [painter, '', undefined, undefined],
      [painter, '200x100', undefined, 'Requested as 1536 × 1024. Limner scales it to this size.'],
      [painter, '700x700', undefined, undefined],
      [choosy, '640x480', undefined, undefined],
      [choosy, '200x100', undefined, finished('The Painter')],
      [sketcher, '', undefined, undefined],
      [
        sketcher,
        '200x100',
        "Not sent because the service doesn't apply it to The Sketcher.",
        finished('The Sketcher'),
      ],
      [
        offering,
        '200x100',
        "Not sent because the service doesn't apply it to The Sketcher.",
        finished('The Sketcher'),
      ],
    ] as const) {
      assert.equal(sizeNote(model, { ...emptyDraft, size, fit: 'off' }, false), off, `${model.name} ${size}`);
      assert.equal(
        sizeNote(model, { ...emptyDraft, size, fit: 'crop' }, false),
        exact,
        `${model.name} ${size}`,
      );
    }
  });

  void it('must be sizes only where they are of use', () => {
    for (const fit of ['off', 'crop'] as const) {
      assert.ok(sizeProblemOf({ ...emptyDraft, size: '10x', fit }, painter), fit);
      assert.equal(sizeProblemOf({ ...emptyDraft, size: '10x8', fit }, painter), undefined, fit);
    }
    assert.equal(sizeProblemOf({ ...emptyDraft, size: '10x', fit: 'off' }, sketcher), undefined);
    assert.ok(sizeProblemOf({ ...emptyDraft, size: '10x', fit: 'crop' }, sketcher));
  });

  void it('are like an image where the model makes its size, or else as similar as possible', () => {
    const image = { width: 200, height: 150 };
    assert.equal(likeImage(image, { sizes: [] }), '200x150');
    assert.equal(likeImage(image, { sizes: ['1024x1024', '200x150'] }), '200x150');
    assert.equal(likeImage(image, { sizes: ['1024x1024', '1536x1024', '1024x1536'] }), '1536x1024');
    assert.equal(likeImage(image, { sizes: ['1600x1200', '400x300', '256x256'] }), '400x300');
    assert.equal(likeImage({ width: 2000, height: 1500 }, { sizes: ['400x300', '1600x1200'] }), '1600x1200');
    assert.equal(likeImage(image, { sizes: ['100x75', '1600x1200', 'auto'] }), '100x75');
    assert.equal(
      likeImage({ width: 150, height: 200 }, { sizes: ['4x3', '160x200', '1500x2000'] }),
      '1500x2000',
    );
  });

  for (const wrong of ['10x', '0x10', '1.5x10', '16385x1']) {
    void it(`refuse ${wrong}`, () => {
      assert.equal(sizeProblem(wrong), 'Width and height must be whole numbers from 1 to 16384.');
    });
  }
});

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
      baseUrl: 'https://images.example',
      defaults: { size: '', fit: 'off', quality: '', count: 1, folder: 'images', fileName: '{prompt}' },
      styles: [],
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
