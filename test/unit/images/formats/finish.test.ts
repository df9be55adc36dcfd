import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import {
  finish,
  finishFacts,
  type FinishFacts,
  finishProblem,
  type Finish,
} from '../../../../src/images/formats/finish.ts';

describe('a finishing step', () => {
  const valid: Finish[] = [
    {},
    { encoding: { format: 'png' } },
    { encoding: { format: 'webp', quality: 100 } },
    { encoding: { format: 'webp', lossless: true } },
    { size: { width: 1, height: 16_383 }, fit: { by: 'crop', focus: { x: 0, y: 1 } } },
    { size: { width: 512, height: 512 }, fit: { by: 'pad', fill: 'transparent' } },
    { size: { width: 512, height: 512 }, fit: { by: 'pad', fill: '#Ff8800' } },
    { multiples: 16, fit: { by: 'stretch' } },
    { trim: { unit: 'px', margin: 0 } },
    { trim: { unit: '%', margin: 49.9 }, size: { width: 1, height: 1 } },
    { trim: { unit: 'px', margin: 255 }, size: { width: 512, height: 511 } },
    { size: { width: 10_000, height: 10_000 } },
    { size: { width: 16_383, height: 1 }, encoding: { format: 'webp' } },
    { size: { width: 16_383, height: 9 }, multiples: 'powerOfTwo', encoding: { format: 'jpeg' } },
    { cutout: { by: 'alpha' } },
    { cutout: { by: 'key' }, encoding: { format: 'png' }, fit: { by: 'pad', fill: 'transparent' } },
    { cutout: { by: 'key' }, encoding: { format: 'jpeg' }, fit: { by: 'pad', fill: '#ffffff' } },
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
    [{ encoding: { format: 'jpeg', lossless: true } }, /format must be/u],
    [{ encoding: { format: 'jpeg', quality: 0 } }, /quality must be/u],
    [{ encoding: { format: 'webp', quality: 80.5 } }, /quality must be/u],
    [{ size: { width: 0, height: 512 } }, /width and a height/u],
    [{ size: { width: 512.5, height: 512 } }, /width and a height/u],
    [{ size: '512x512' }, /width and a height/u],
    [
      { size: { width: 17_000, height: 10 }, encoding: { format: 'webp' } },
      /17000 × 10 .* webp, .* 16383 in width/u,
    ],
    [{ size: { width: 10_001, height: 10_000 } }, /10001 × 10000 pixels are more than 100 megapixels/u],
    [
      { size: { width: 16_383, height: 9 }, multiples: 'powerOfTwo', encoding: { format: 'webp' } },
      /16384 × 16 .* webp/u,
    ],
    [{ trim: { unit: 'px', margin: 4001 } }, /margin must be/u],
    [{ cutout: { by: 'magic' } }, /background can be removed/u],
    [{ cutout: { by: 'key' }, encoding: { format: 'jpeg' } }, /JPEG files can't be transparent/u],
    [
      { cutout: { by: 'alpha' }, encoding: { format: 'jpeg' }, fit: { by: 'pad', fill: 'edge' } },
      /JPEG files can't be transparent/u,
    ],
    [{ multiples: 8 }, /rounded up/u],
    [{ fit: { by: 'squeeze' } }, /fit must be/u],
    [{ fit: { by: 'stretch', focus: { x: 0, y: 0 } } }, /fit must be/u],
    [{ fit: { by: 'pad', fill: 'red' } }, /fill must be/u],
    [{ fit: { by: 'crop', focus: { x: 1.1, y: 0 } } }, /focus must lie/u],
    [{ trim: { unit: 'px', margin: 1.5 } }, /margin must be/u],
    [{ trim: { unit: '%', margin: 50 } }, /margin must be/u],
    [{ trim: { unit: 'px', margin: 32 }, size: { width: 500, height: 64 } }, /leave no room in 500 × 64/u],
  ] as const) {
    it(`says what is wrong with ${JSON.stringify(step)}`, () => {
      assert.match(finishProblem(step) ?? '', words);
    });
  }
});

describe('what had to be done to a picture', () => {
  const got = { width: 640, height: 480 };

  it('is the same after it was written as JSON and read', () => {
    const facts: FinishFacts[] = [
      { got },
      ...(['animated', '16bit', '12bit', 'cmyk', 'nothingToDo'] as const).map((untouched) => ({
        got,
        untouched,
      })),
      ...(['up', 'down'] as const).map((scaled) => ({ got, scaled })),
      ...(['opaque', 'empty'] as const).map((untrimmed) => ({ got, untrimmed })),
      ...([true, 'credentials', 'metadata'] as const).map((embedded) => ({ got, embedded })),
      ...(['good', 'doubtful', 'bad'] as const).map((verdict) => ({
        got,
        cutout: { verdict, reasons: [{ flaw: 'checkerboard' as const, text: 'It is on a checkerboard.' }] },
      })),
      { got, flattened: '#ffffff', lostColours: true, lostCredentials: true },
    ];
    for (const each of facts) {
      assert.deepEqual(v.parse(finishFacts, JSON.parse(JSON.stringify(each))), each);
    }
  });

  it('is no reading of what another version wrote', () => {
    for (const fact of [
      { untouched: 'tired' },
      { scaled: 'sideways' },
      { untrimmed: true },
      { lostColours: false },
      { lostCredentials: false },
      { embedded: false },
      { cutout: { verdict: 'fine', reasons: [] } },
      { cutout: { verdict: 'good', reasons: [{ flaw: 'ugly', text: '' }] } },
    ]) {
      assert.equal(v.is(finishFacts, { got, ...fact }), false, JSON.stringify(fact));
    }
  });
});
