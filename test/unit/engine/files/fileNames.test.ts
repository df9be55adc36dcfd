import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  askedFormat,
  type FileNameValues,
  foreignExtension,
  renderFileName,
  slug,
} from '../../../../src/engine/task/fileNames.ts';

function values(overrides: Partial<FileNameValues> = {}): FileNameValues {
  return {
    prompt: 'A red fox',
    model: 'painter-2',
    at: new Date(2026, 0, 31, 14, 5, 9),
    index: 1,
    id: 'k7',
    ...overrides,
  };
}

describe('renderFileName', () => {
  it('fills in every placeholder', () => {
    assert.equal(
      renderFileName('{prompt} {date} {time} {model} {index} {name} {id}', values({ name: 'hero image' })),
      'a-red-fox 2026-01-31 14-05-09 painter-2 1 hero image k7',
    );
  });

  it('leaves text that is no placeholder as it is', () => {
    assert.equal(renderFileName('icon_{prompt}_{size}', values()), 'icon_a-red-fox_{size}');
  });

  it('uses the prompt where there is no edited file to name', () => {
    assert.equal(renderFileName('{name}', values()), 'a-red-fox');
  });

  it('keeps letters of every script', () => {
    assert.equal(
      renderFileName('{prompt}', values({ prompt: 'Übergrößer 日落 над морем' })),
      'übergrößer-日落-над-морем',
    );
  });

  it('lets nothing become a path', () => {
    const name = renderFileName('../{prompt}/{model}\\{name}', values({ model: '../../etc', name: 'C:\\x' }));
    assert.doesNotMatch(name, /[/\\:]/u);
    assert.doesNotMatch(name, /^\./u);
  });

  it('takes a placeholder in a prompt as words', () => {
    assert.equal(renderFileName('{prompt}', values({ prompt: 'the {id} of {prompt}' })), 'the-id-of-prompt');
  });

  it('makes way for names that Windows keeps', () => {
    for (const prompt of ['con', 'NUL', 'com1', 'LPT9']) {
      assert.equal(renderFileName('{prompt}', values({ prompt })), `_${prompt.toLowerCase()}`);
    }
    assert.equal(renderFileName('aux.{id}', values()), '_aux.k7');
    assert.equal(renderFileName('Con', values()), '_Con');
    assert.equal(renderFileName('COM¹.old', values()), '_COM¹.old');
    for (const prompt of ['console', 'falcon', 'com', 'com10', 'lpt']) {
      assert.equal(renderFileName('{prompt}', values({ prompt })), prompt);
    }
  });

  it('falls back on a plain word when nothing is left', () => {
    assert.equal(renderFileName('{prompt}', values({ prompt: '!!! ???' })), 'image');
    assert.equal(renderFileName('', values()), 'image');
    assert.equal(renderFileName('...', values()), 'image');
  });

  it('leaves out the extension of an image: that one follows the file', () => {
    assert.equal(renderFileName('hero.png', values()), 'hero');
    assert.equal(renderFileName('{prompt}.JPEG ', values()), 'a-red-fox');
    assert.equal(renderFileName('logo.v2', values()), 'logo.v2');
  });

  it('shortens the prompt, not what stands behind it', () => {
    // From names that fit, to those that are too long by a byte, to those that are by many.
    for (let length = 60; length < 100; length++) {
      const given = values({ prompt: 'sunset '.repeat(100), model: 'm'.repeat(length), index: 12 });
      const name = renderFileName('{prompt}-{model}-{index}-{id}', given);
      assert.match(name, /^sunset.*m-12-k7$/u);
      assert.ok(Buffer.byteLength(name) <= 120);
    }
  });

  it('tells the picture on white from the one that is made of it, however long their name is', () => {
    for (const template of ['a'.repeat(150), 'é'.repeat(60), '{prompt}-{model}', 'logo']) {
      const given = values({ prompt: 'sunset '.repeat(100), model: 'm'.repeat(115) });
      const [wanted, onWhite] = [
        renderFileName(template, given),
        renderFileName(`${template}-on-white`, given),
      ];
      assert.match(onWhite, /[^-]-on-white$/u);
      assert.ok(!wanted.endsWith('-on-white'));
      assert.ok(Buffer.byteLength(onWhite) <= 120);
    }
  });

  it('has no more than one blank in a row', () => {
    assert.equal(renderFileName('my \t {prompt}\u00a0 {index}', values()), 'my a-red-fox 1');
  });

  it('says once that it is on white', () => {
    assert.equal(renderFileName('logo-on-white', values()), 'logo-on-white');
    assert.equal(renderFileName('{prompt}-on-white.png', values()), 'a-red-fox-on-white');
  });

  it('has only the first words of a long prompt, at most 40 characters of them', () => {
    const cut = {
      'Three foxes in a flat vector icon, orange on white, with long tails':
        'three-foxes-in-a-flat-vector-icon-orange',
      'Three foxes in a flat vector icon with long tails': 'three-foxes-in-a-flat-vector-icon-with',
      'A lighthouse at dusk': 'a-lighthouse-at-dusk',
      [`A ${'very-'.repeat(3)}${'o'.repeat(50)}`]: 'a-very-very-very',
      [`A ${'o'.repeat(50)}`]: 'a',
      ['o'.repeat(50)]: 'o'.repeat(40),
    };
    for (const [prompt, name] of Object.entries(cut)) {
      assert.equal(renderFileName('{prompt}', values({ prompt })), name);
    }
  });

  it('leaves a name that a person gave as it is, and that of the edited file', () => {
    const name = 'a-photograph-of-the-harbour-of-an-old-town-in-winter';
    assert.equal(renderFileName(name, values()), name);
    assert.equal(renderFileName('{name}-edited', values({ name })), `${name}-edited`);
  });

  it('never cuts a character in two', () => {
    const name = renderFileName('{prompt}', values({ prompt: 'न\u093f'.repeat(100) }));
    assert.equal(name, 'न\u093f'.repeat(20));
  });

  it('gives a safe name for any template and values', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    const templates = fc
      .array(
        fc.oneof(
          text,
          fc.constantFrom('{prompt}', '{name}', '{model}', '{id}', '/', '..', ' ', '\0', '\u202e'),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(templates, text, text, text, (template, prompt, name, model) => {
        const result = renderFileName(template, values({ prompt, name, model }));
        assert.ok(result.length > 0);
        assert.ok(Buffer.byteLength(result) <= 121);
        assert.ok(result.isWellFormed());
        assert.doesNotMatch(result, /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/u);
        assert.doesNotMatch(result, /^[\s.]|[\s.]$/u);
        assert.doesNotMatch(result, /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu);
      }),
    );
  });
});

describe('the format that a template asks for', () => {
  it('is that of its extension, which is kept as it is written', () => {
    assert.deepEqual(askedFormat('hero.png'), { format: 'png', extension: '.png' });
    assert.deepEqual(askedFormat('{prompt}.JPG '), { format: 'jpeg', extension: '.JPG' });
    assert.deepEqual(askedFormat('a.jpeg'), { format: 'jpeg', extension: '.jpeg' });
    assert.deepEqual(askedFormat('a.png.WebP'), { format: 'webp', extension: '.WebP' });
  });

  it('is none without the extension of a format that Limner writes', () => {
    for (const template of ['{prompt}', 'logo.v2', 'png', 'a.png-b', 'a.gif']) {
      assert.equal(askedFormat(template), undefined, template);
    }
    assert.deepEqual(['a.gifted', 'a.svg-b', 'agif'].map(foreignExtension), [
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(['a.gif', 'a.SVG ', 'a.tif', 'a.v2', 'gif', 'a.png'].map(foreignExtension), [
      '.gif',
      '.SVG',
      '.tif',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('slug', () => {
  it('joins words with single hyphens', () => {
    assert.equal(slug("  It's -- a (very) BIG   day! "), 'its-a-very-big-day');
  });
});
