import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { presetsOf, shapeName, sizeProblem } from '../../../../src/studio/compose/fields/sizes.ts';
import { likeImage, parseSize } from '../../../../src/studio/store/imageSize.ts';

void describe('sizes in the studio', () => {
  void it('are those of the model, each once', () => {
    assert.deepEqual(presetsOf(['512x512', '1024x512', '512x512']), ['512x512', '1024x512']);
  });

  void it('have the five usual shapes where the model names none', () => {
    const shapes = presetsOf([]).flatMap((size) => parseSize(size) ?? []);
    assert.deepEqual(shapes.map(shapeName), ['Square', 'Landscape', 'Portrait', 'Wide', 'Tall']);
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
