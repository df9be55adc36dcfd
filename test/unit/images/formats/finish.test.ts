import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { finish, finishProblem, type Finish } from '../../../../src/images/formats/finish.ts';

describe('a finishing step', () => {
  const valid: Finish[] = [
    {},
    { encoding: { format: 'png' } },
    { encoding: { format: 'png', quality: 80 } },
    { encoding: { format: 'jpeg', quality: 1 } },
    { encoding: { format: 'webp', quality: 100 } },
    { encoding: { format: 'webp', lossless: true } },
    { size: { width: 1, height: 16_383 }, fit: { by: 'crop', focus: { x: 0, y: 1 } } },
    { size: { width: 512, height: 512 }, fit: { by: 'pad', fill: 'transparent' } },
    { size: { width: 512, height: 512 }, fit: { by: 'pad', fill: 'edge' } },
    { size: { width: 512, height: 512 }, fit: { by: 'pad', fill: '#Ff8800' } },
    { multiples: 16, fit: { by: 'stretch' } },
    { multiples: 'powerOfTwo' },
    { trim: { unit: 'px', margin: 0 } },
    { trim: { unit: '%', margin: 49.9 }, size: { width: 1, height: 1 } },
    { trim: { unit: 'px', margin: 255 }, size: { width: 512, height: 511 } },
  ];

  it('is the same after it was written as JSON and read', () => {
    for (const step of valid) {
      assert.equal(finishProblem(step), undefined, JSON.stringify(step));
      assert.deepEqual(v.parse(finish, JSON.parse(JSON.stringify(step))), step);
    }
  });

  for (const [step, words] of [
    [undefined, /has only a cutout, an encoding/u],
    [{ colour: 'red' }, /has only a cutout, an encoding/u],
    [{ encoding: { format: 'gif' } }, /format must be/u],
    [{ encoding: 'png' }, /format must be/u],
    [{ encoding: { format: 'png', lossless: true } }, /format must be/u],
    [{ encoding: { format: 'jpeg', lossless: true } }, /format must be/u],
    [{ encoding: { format: 'jpeg', quality: 0 } }, /quality must be/u],
    [{ encoding: { format: 'webp', quality: 101 } }, /quality must be/u],
    [{ encoding: { format: 'webp', quality: 80.5 } }, /quality must be/u],
    [{ encoding: { format: 'webp', quality: '80' } }, /quality must be/u],
    [{ size: { width: 512 } }, /width and a height/u],
    [{ size: { width: 0, height: 512 } }, /width and a height/u],
    [{ size: { width: 512.5, height: 512 } }, /width and a height/u],
    [{ size: { width: Number.NaN, height: 512 } }, /width and a height/u],
    [{ size: '512x512' }, /width and a height/u],
    [{ size: { width: 20_000, height: 20_000 } }, /20000 × 20000 pixels are more than 100 megapixels/u],
    [
      { size: { width: 17_000, height: 10 }, encoding: { format: 'webp' } },
      /17000 × 10 .* webp, .* 16383 in width/u,
    ],
    [{ size: { width: 9, height: 65_501 }, encoding: { format: 'jpeg' } }, /jpeg, .* 65500 in width/u],
    [
      { size: { width: 9000, height: 9000 }, multiples: 'powerOfTwo' },
      /16384 × 16384 .* more than 100 megapixels/u,
    ],
    [{ multiples: 8 }, /rounded up/u],
    [{ trim: { unit: 'px', margin: 1e9 } }, /margin must be/u],
    [{ size: { width: 4_294_967_297, height: 1 }, multiples: 'powerOfTwo' }, /width and a height/u],
    [{ fit: { by: 'squeeze' } }, /fit must be/u],
    [{ fit: 'crop' }, /fit must be/u],
    [{ fit: { by: 'stretch', focus: { x: 0, y: 0 } } }, /fit must be/u],
    [{ fit: { by: 'pad' } }, /fit must be/u],
    [{ fit: { by: 'pad', fill: 'red' } }, /fill must be/u],
    [{ fit: { by: 'pad', fill: '#f80' } }, /fill must be/u],
    [{ fit: { by: 'crop', focus: { x: 1.1, y: 0 } } }, /focus must lie/u],
    [{ fit: { by: 'crop', focus: { x: -0.1, y: 0 } } }, /focus must lie/u],
    [{ fit: { by: 'crop', focus: { x: 0.5 } } }, /focus must lie/u],
    [{ trim: { unit: 'px', margin: -1 } }, /margin must be/u],
    [{ trim: { unit: 'px', margin: 1.5 } }, /margin must be/u],
    [{ trim: { unit: '%', margin: 50 } }, /margin must be/u],
    [{ trim: { unit: 'em', margin: 1 } }, /margin must be/u],
    [{ trim: true }, /margin must be/u],
    [{ trim: { unit: 'px', margin: 32 }, size: { width: 500, height: 64 } }, /leave no room in 500 × 64/u],
  ] as const) {
    it(`says what is wrong with ${JSON.stringify(step)}`, () => {
      assert.match(finishProblem(step) ?? '', words);
    });
  }
});
