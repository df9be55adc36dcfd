import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sizeNote, sizeProblem, sizeProblemOf } from '../../../../src/studio/compose/fields/sizes.ts';
import { emptyDraft } from '../../../../src/studio/protocol/draft.ts';
import { likeImage } from '../../../../src/studio/store/imageSize.ts';
import { aStudioModel } from '../studioTasks.ts';

/** Says that a model's result is finished here. */
function finished(name: string): string {
  return `${name} doesn't make this size. Limner makes it of the result.`;
}

void describe('sizes in the studio', () => {
  const painter = aStudioModel();
  const choosy = aStudioModel({ sizes: ['640x480', '480x640'] });
  const sketcher = aStudioModel({ name: 'The Sketcher', family: 'native' });
  const offering = { ...sketcher, sizes: ['200x100'] };

  void it('come with a word on what becomes of them where they are not sent as they are', () => {
    for (const [model, size, off, exact] of [
      [painter, '', undefined, undefined],
      [painter, '200x100', undefined, undefined],
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
      assert.equal(sizeNote(model, { ...emptyDraft, size, fit: 'off' }), off, `${model.name} ${size}`);
      assert.equal(sizeNote(model, { ...emptyDraft, size, fit: 'crop' }), exact, `${model.name} ${size}`);
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
