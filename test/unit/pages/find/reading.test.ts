import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { findReferences } from '../../../../src/pages/find/findReferences.ts';
import { type Reading, readingOf } from '../../../../src/pages/find/reading.ts';

/** What opens and ends whatever documents of a language consist of. */
const markup = [
  '<pre>',
  '</pre>',
  '<code>',
  '</code>',
  '<!--',
  '-->',
  '<img src="a.png" alt="A">',
  '<p',
  '"',
  '\n',
];
const script = [
  '/*',
  '*/',
  '//',
  '`',
  "'",
  '{',
  '}',
  '${',
  '(',
  ')',
  '"https://placehold.co/300"',
  '\n',
  ' a ',
];
const prose = [
  [
    '# A\n',
    '\n## B\n',
    'C\n===\n',
    '\n',
    '\n\n',
    ' ',
    '---\n',
    '---\ntitle: A\n# B\nimage: a.png\n---\n',
    '- ',
    '> ',
  ],
  [
    '```\n',
    '~~~\n',
    '````\n',
    '`',
    '``',
    '    ',
    '![A](a.png)\n',
    '![A][b]',
    '[b]: b.png\n',
    '![b]\n',
    '\\',
    '*',
    '\r\n',
  ],
].flat();
const pieces: Readonly<Record<string, readonly string[]>> = {
  markdown: [...prose, ...markup],
  mdx: [...prose, ...markup, '{/*', '*/}', '{', '}', 'import a from "./a.png"\n'],
  html: [
    ...markup,
    '<h1>',
    '</h1>',
    '<h2>B</h2>',
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    'url(b.png)',
    '{',
    '}',
  ],
  vue: [
    ...markup,
    ...script,
    '\n<template>\n',
    '\n</template>\n',
    '\n<script>\n',
    '\nconst a = 1;\n',
    '<h2>A</h2>',
  ],
  typescriptreact: [
    ...markup,
    ...script,
    '\nexport const a = () => {\n',
    '\n}\n',
    '\nimport b from "./b.png";\n',
  ],
  typescript: [
    ...script,
    '\nconst a = {\n',
    '\n};\n',
    '\nexport ',
    ' title: "A", ',
    '<img src="//placehold.co/3">',
  ],
  json: [...script, '[', ']', ',', ': ', '"title"', '"A"'],
  css: [
    '.a {\n',
    '\n}\n',
    '}',
    '{',
    '/*',
    '*/',
    'url(a.png)',
    ';',
    '\n',
    ' ',
    '"',
    'image-set("a.png" 1x)',
    'width: 9px;',
  ],
  scss: [
    '.a {\n',
    '\n}\n',
    '}',
    '{',
    '/*',
    '*/',
    '//',
    'url("a.png")',
    ';',
    '\n',
    ' ',
    '#{',
    "'",
    '@media b {\n',
  ],
  asciidoc: [
    '== A\n',
    '----\n',
    '....\n',
    '////\n',
    '```\n',
    '.B\n',
    'image::a.png[C]\n',
    '\n',
    '`',
    '[b]\n',
    'image:b.png[]',
  ],
};

describe('a document that is read again', () => {
  for (const [language, some] of Object.entries(pieces)) {
    it(`says what it says when it is read for the first time, whatever was changed: ${language}`, () => {
      const text = fc.array(fc.constantFrom(...some), { maxLength: 12 }).map((all) => all.join(''));
      const place = fc.double({ min: 0, max: 1, noNaN: true });
      const edits = fc.array(fc.record({ place, length: fc.nat(40), text }), { minLength: 1, maxLength: 8 });
      const start = fc.array(fc.constantFrom(...some), { maxLength: 120 }).map((all) => all.join(''));
      fc.assert(
        fc.property(start, edits, (first, changes) => {
          let current = first;
          let reading = readingOf(current, language);
          for (const change of changes) {
            const at = Math.floor(change.place * current.length);
            current = current.slice(0, at) + change.text + current.slice(at + change.length);
            reading = readingOf(current, language, reading);
            assert.deepEqual(reading.references, findReferences(current, language));
            assert.equal(reading.parts.map((part) => part.text).join(''), current);
          }
        }),
        { numRuns: 60 },
      );
    });
  }
});

/** Documents of many parts, by their language. */
const long: Readonly<Record<string, (number: number) => string>> = {
  markdown: (number) => `## Part ${number}\n\nSome words.\n\n![Picture ${number}](${number}.png)\n\n`,
  mdx: (number) => `## Part ${number}\n\n<Image src="/${number}.png" alt="Picture" />\n\n`,
  html: (number) => `<h2>Part ${number}</h2>\n<p>Words</p>\n<img src="${number}.png" alt="Picture">\n`,
  vue: (number) => `const value${number} = '${number}';\nimport a${number} from './${number}.png';\n`,
  typescript: (number) => `export const photo${number} = 'https://picsum.photos/${number}';\n`,
  json: (number) =>
    `  {\n    "name": "Ada ${number}",\n    "photo": "https://picsum.photos/${number}"\n  },\n`,
  scss: (number) => `.hero-${number} {\n  background: url(${number}.png);\n}\n\n`,
  asciidoc: (number) => `== Part ${number}\n\nimage::${number}.png[Picture]\n\n`,
};

/** Returns how many parts of a reading an earlier one did not have. */
const newIn = (reading: Reading, before: Reading): number => {
  const known = new Set(before.parts);
  return reading.parts.filter((part) => !known.has(part)).length;
};

const addressesIn = (text: string, language: string): string[] =>
  findReferences(text, language).map(({ address }) => address);

describe('a long document that is read again', () => {
  const count = 2000;
  for (const [language, piece] of Object.entries(long)) {
    it(`is read where it was changed: ${language}`, () => {
      const text = Array.from({ length: count }, (_, number) => piece(number + 1)).join('');
      const before = readingOf(text, language);
      assert.equal(before.references.length, count);
      assert.ok(before.parts.length > 50, `${before.parts.length} parts`);
      for (const at of [0, text.indexOf('1000'), text.length]) {
        const reading = readingOf(`${text.slice(0, at)}x${text.slice(at)}`, language, before);
        assert.ok(newIn(reading, before) <= 3, `${newIn(reading, before)} parts at ${at}`);
      }
      assert.ok(newIn(readingOf(text, language, before), before) <= 1);
    });
  }
});

describe('a document that is read in parts', () => {
  it('is not divided in its front matter, code, or comments', () => {
    const text = [
      ['---', 'title: A', '# Of the page', 'image: ./front.png', '---', '', '# Start', '', '![](a.png)', ''],
      ['```sh', '# No heading', '![](no.png)', '```', '', '~~~', '```', '# No', '![](no.png)', '~~~', ''],
      [
        '<!--',
        '# Hidden',
        '![](no.png)',
        '-->',
        '',
        'The sign `<!--` begins one.',
        '',
        '# End',
        '',
        '![](b.png)',
      ],
    ].flat();
    assert.deepEqual(addressesIn(text.join('\n'), 'markdown'), ['./front.png', 'a.png', 'b.png']);
  });

  it('has the words of a label from wherever it is used', () => {
    const text =
      '# Start\n\n![A fox][fox]\n\n# Middle\n\nWords.\n\n# End\n\n[fox]: fox.png\n[owl]: owl.png\n';
    const [fox, ...others] = findReferences(text, 'markdown');
    assert.deepEqual(fox?.words, { alt: 'A fox', heading: 'Start' });
    assert.deepEqual(others, []);
  });

  it('has no front matter but at its start', () => {
    assert.deepEqual(addressesIn('# A\n\n# B\n---\nimage: a.png\n---\n', 'markdown'), []);
  });

  it('is not divided in blocks of AsciiDoc, elements of HTML, or comments of scripts and styles', () => {
    assert.deepEqual(
      addressesIn('== A\n\n----\n== B\nimage::no.png[]\n----\n\n== C\n\nimage::c.png[]\n', 'asciidoc'),
      ['c.png'],
    );
    assert.deepEqual(
      addressesIn(
        '<h1>A</h1><pre><h2>B</h2><img src="no.png"></pre><!-- <h2>C</h2> <img src="no.png"> --><img src="a.png">',
        'html',
      ),
      ['a.png'],
    );
    const unused = Array.from(
      { length: 200 },
      (_, number) => `const a${number} = 'https://picsum.photos/${number}';`,
    );
    assert.deepEqual(
      addressesIn(`/*\n${unused.join('\n')}\n*/\nconst a = 'https://picsum.photos/9';`, 'typescript'),
      ['https://picsum.photos/9'],
    );
    const rules = Array.from(
      { length: 200 },
      (_, number) => `.a${number} {\n  background: url(${number}.png);\n}`,
    );
    assert.deepEqual(
      addressesIn(`/*\n${rules.join('\n')}\n*/\n.a {\n  background: url(a.png);\n}\n`, 'css'),
      ['a.png'],
    );
  });
});

describe('a document that is divided', () => {
  for (const [name, text] of Object.entries({
    'a fence in a list, closed at its indent':
      '1. ```sh\n   npm install\n   ```\n\n## Setup\n\n```\n# install\n![code](no.png)\n```\n\n![yes](real.png)\n',
    'a fence that is closed further in':
      '- a\n\n   ```sh\n   x\n    ```\n\n# T\n\n```\n# install\n![code](no.png)\n```\n\n![yes](real.png)\n',
    'a fence in a quote in a list':
      '- > ```\n  > # a\n\n# T\n\n```\n# b\n![c](no.png)\n```\n\n![yes](real.png)\n',
    'a fence in front matter':
      '---\ntitle: |\n  ```\n---\n\n# T\n\n```\n# b\n![c](no.png)\n```\n\n![yes](real.png)\n',
  })) {
    for (const language of ['markdown', 'mdx']) {
      it(`names what it named as a whole: ${name}, in ${language}`, () => {
        assert.deepEqual(addressesIn(text, language), ['real.png']);
      });
    }
  }

  it('has all words of an image where a heading is among them', () => {
    const text =
      '<h1>A</h1>\n<figure><img src="a.png"><figcaption><h3>Sunset</h3> over sea</figcaption></figure>\n<img alt="an <h2> tag" src="b.png">\n';
    const [first, second] = readingOf(text, 'html').references;
    assert.match(JSON.stringify(first?.words), /Sunset/u);
    assert.deepEqual([first?.address, second?.address], ['a.png', 'b.png']);
  });
});
