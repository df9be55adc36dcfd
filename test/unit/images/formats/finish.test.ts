import { nearestSize } from '../../../../src/common/requestValues.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import {
  type Finish,
  finish,
  type FinishFacts,
  finishFacts,
  finishProblem,
} from '../../../../src/images/formats/finish.ts';
import {
  encodingOf,
  encodingProblem,
  finishIfAsked,
  finishOf,
  trimOf,
  wishesProblem,
  withQuality,
} from '../../../../src/images/formats/finishWishes.ts';

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
    [{ color: 'red' }, /has only a cutout, an encoding/u],
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

describe('a finishing step made of wishes', () => {
  it('is none where nobody asked for a format, a size or a margin', () => {
    for (const wishes of [
      {},
      { fit: 'off', size: '100x50' },
      { fit: 'crop', size: '' },
      { fit: 'pad', fill: '#ffffff' },
    ] as const) {
      assert.equal(finishIfAsked(wishes), undefined, JSON.stringify(wishes));
    }
  });

  it('holds what was asked for, and nothing else', () => {
    assert.deepEqual(finishIfAsked({ fit: 'crop', size: '1200x630', focus: { x: 0, y: 1 }, fill: 'edge' }), {
      size: { width: 1200, height: 630 },
      fit: { by: 'crop', focus: { x: 0, y: 1 } },
    });
    assert.deepEqual(finishIfAsked({ fit: 'pad', size: '9x9', fill: 'edge', multiples: 16 }), {
      size: { width: 9, height: 9 },
      multiples: 16,
      fit: { by: 'pad', fill: 'edge' },
    });
    assert.deepEqual(finishIfAsked({ fit: 'off', size: '9x9', encoding: { format: 'webp', quality: 80 } }), {
      encoding: { format: 'webp', quality: 80 },
    });
    const [cutout, trim, encoding] = [{ by: 'key' }, { unit: 'px', margin: 0 }, { format: 'png' }] as const;
    for (const asked of [{ cutout }, { trim }, { encoding }, { multiples: 'powerOfTwo' }] as const) {
      assert.deepEqual(finishIfAsked({ ...asked, fit: 'off' }), asked);
      // It covers a size, with its middle, where nobody says how.
      assert.deepEqual(finishIfAsked(asked), { ...asked, fit: { by: 'crop' } });
    }
    assert.deepEqual(finishIfAsked({ size: '3x2', fit: 'pad' })?.fit, { by: 'pad', fill: 'transparent' });
    assert.deepEqual(finishIfAsked({ size: '3x2', fit: 'stretch', fill: 'edge' })?.fit, { by: 'stretch' });
  });

  it('cuts off as much as was written', () => {
    for (const [text, trim] of [
      ['8px', { margin: 8, unit: 'px' }],
      ['5%', { margin: 5, unit: '%' }],
      [' 2.5 % ', { margin: 2.5, unit: '%' }],
    ] as const) {
      assert.deepEqual(trimOf(text), trim);
      assert.equal(finishProblem({ trim: trimOf(text) }), undefined);
    }
    for (const text of ['', '-8px', 'about 8px', '8em', '8%px']) {
      assert.match(finishProblem({ trim: trimOf(text) }) ?? '', /margin must be/u, text);
    }
  });

  it('is known to be invalid where the size or the fill is', () => {
    for (const wishes of [{ size: '12' }, { size: '1200x630x5' }, { fit: 'pad', fill: 'red' }] as const) {
      assert.notEqual(finishProblem(finishOf(wishes)), undefined, JSON.stringify(wishes));
    }
  });
});

describe('wishes', () => {
  it('are valid one by one, whatever the fit makes use of', () => {
    for (const wishes of [
      {},
      { size: '' },
      { fit: 'off', size: '1200x630', fill: 'edge', focus: { x: 0, y: 1 }, quality: 100 },
      { fit: 'crop', fill: '#FF8800', multiples: 16, trim: { unit: 'px', margin: 0 } },
    ] as const) {
      assert.equal(wishesProblem(wishes), undefined, JSON.stringify(wishes));
    }
  });

  for (const [wishes, words] of [
    [{ fit: 'off', size: '0x0' }, /width and a height, in whole pixels from 1/u],
    [{ fit: 'crop', size: '9x9', fill: 'purple' }, /fill must be "transparent", "edge"/u],
    [{ fit: 'pad', size: '9x9', focus: { x: 9, y: 9 } }, /focus must lie between 0 and 1/u],
    [{ fit: 'off', quality: 500 }, /quality must be a whole number from 1 to 100/u],
    [{ trim: { unit: '%', margin: 60 } }, /margin must be/u],
  ] as const) {
    it(`are refused where they are ${JSON.stringify(wishes)}`, () => {
      assert.match(wishesProblem(wishes) ?? '', words);
    });
  }
});

describe('how a file is to be written', () => {
  it('is a format with its own options', () => {
    for (const [wishes, encoding] of [
      [{}, undefined],
      [{ format: 'png' }, { format: 'png' }],
      [{ format: 'jpeg', quality: 50 }, { format: 'jpeg' }],
      [
        { format: 'webp', lossless: true },
        { format: 'webp', lossless: true },
      ],
      [{ format: 'webp', lossless: false, quality: 7 }, { format: 'webp' }],
    ] as const) {
      assert.equal(encodingProblem(wishes), undefined, JSON.stringify(wishes));
      assert.deepEqual(encodingOf(wishes), encoding);
    }
  });

  it('has no quality in a PNG, and is not lossless in a JPEG', () => {
    assert.deepEqual(withQuality('png', 80), { format: 'png' });
    assert.deepEqual(withQuality('jpeg', 80), { format: 'jpeg', quality: 80 });
    assert.deepEqual(encodingOf({ format: 'jpeg', lossless: true }), { format: 'jpeg' });
  });

  it('is refused where an option would do nothing, or is out of range', () => {
    for (const [wishes, words] of [
      [{ format: 'png', quality: 50 }, /Only JPEG and WebP files have a quality/u],
      [{ format: 'jpeg', lossless: true }, /Only WebP files are lossless/u],
      [{ format: 'webp', lossless: true, quality: 50 }, /have no quality then/u],
      [{ format: 'webp', quality: 0 }, /from 1 to 100/u],
    ] as const) {
      assert.match(encodingProblem(wishes) ?? '', words, JSON.stringify(wishes));
    }
  });
});

describe('the size to ask a model for', () => {
  const sizes = ['1024x1024', '1536x1024', '1024x1536', '512x512'];
  for (const [wanted, asked] of [
    ['1024x1024', '1024x1024'],
    ['1200x630', '1536x1024'],
    ['630x1200', '1024x1536'],
    ['64x64', '512x512'],
    ['4000x4000', '1024x1024'],
  ] as const) {
    it(`is ${asked} for ${wanted}`, () => {
      assert.equal(nearestSize(wanted, sizes), asked);
      assert.equal(nearestSize(wanted, sizes.toReversed()), asked);
    });
  }

  it('has enough pixels in both directions where one of its shape does', () => {
    for (const [wanted, one, other] of [
      // Of one and the same shape, to the eye.
      ['1000x1000', '1000x1010', '990x1000'],
      ['1000x1000', '1000x1010', '2000x2000'],
      ['3000x3000', '2000x2000', '1000x1000'],
      ['300x100', '300x100', '100x100'],
      ['300x100', '1x1', '0x100'],
    ] as const) {
      assert.equal(nearestSize(wanted, [one, other]), one, `${one} or ${other} for ${wanted}`);
      assert.equal(nearestSize(wanted, [other, one]), one, `${other} or ${one} for ${wanted}`);
    }
  });

  it('is the wanted one where nobody knows what the model has', () => {
    assert.equal(nearestSize('1200x630', []), '1200x630');
    assert.equal(nearestSize('1200x630', ['large', '0x0', '9x0', '0x9']), '1200x630');
  });
});
