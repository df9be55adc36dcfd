import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  presetsOf,
  shapeName,
  sizeNote,
  sizeParts,
  sizeProblem,
  sizeProblemOf,
} from '../../../../src/studio/compose/fields/sizes.ts';
import { emptyDraft } from '../../../../src/studio/protocol/draft.ts';
import { likeImage, parseSize } from '../../../../src/studio/store/imageSize.ts';
import { aStudioModel } from '../studioTasks.ts';

/** Says that a model's result is finished here. */
function finished(name: string): string {
  return `${name} doesn't make this size. Limner makes it of the result.`;
}

void describe('sizes in the studio', () => {
  void it('are those of the model, each once', () => {
    assert.deepEqual(presetsOf(['512x512', '1024x512', '512x512']), ['512x512', '1024x512']);
  });

  void it('have the five usual shapes where the model names none', () => {
    const shapes = presetsOf([]).flatMap((size) => parseSize(size) ?? []);
    assert.deepEqual(shapes.map(shapeName), ['Square', 'Landscape', 'Portrait', 'Wide', 'Tall']);
  });

  void it('are called by their shape, square when they nearly are', () => {
    for (const [width, height, name] of [
      [1000, 1000, 'Square'],
      [1049, 1000, 'Square'],
      [1050, 1000, 'Landscape'],
      [951, 1000, 'Square'],
      [950, 1000, 'Portrait'],
      [1699, 1000, 'Landscape'],
      [1700, 1000, 'Wide'],
      [1000, 1699, 'Portrait'],
      [1000, 1700, 'Tall'],
      [400, 100, 'Wide'],
      [100, 400, 'Tall'],
    ] as const) {
      assert.equal(shapeName({ width, height }), name, `${width} × ${height}`);
    }
  });

  void it('fill their two fields, whatever is typed in them', () => {
    for (const [text, parts] of [
      ['', ['', '']],
      ['640', ['640', '']],
      ['x480', ['', '480']],
      ['640x480', ['640', '480']],
      ['640x', ['640', '']],
    ] as const) {
      assert.deepEqual(sizeParts(text), parts, text);
    }
  });

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

  void it('leave out what is no size', () => {
    assert.deepEqual(presetsOf(['auto', '640x480']), ['640x480']);
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

  for (const wrong of [
    'x',
    '10x',
    'x10',
    '0x10',
    '10x0',
    '-5x10',
    '1.5x10',
    '10 x10',
    'axb',
    '16385x1',
    '1x16385',
    '1x2x3',
  ]) {
    void it(`refuse ${wrong}`, () => {
      assert.equal(sizeProblem(wrong), 'Width and height must be whole numbers from 1 to 16384.');
    });
  }

  void it('may be left to the service', () => {
    assert.equal(sizeProblem(''), undefined);
    assert.equal(sizeProblem('1200x700'), undefined);
    assert.equal(sizeProblem('16384x1'), undefined);
    assert.equal(sizeProblem('1x16384'), undefined);
  });
});
