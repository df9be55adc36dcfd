import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findReferences } from '../../../../src/references/findReferences.ts';

/** One for each way of reading documents. */
const languages = ['markdown', 'mdx', 'html', 'vue', 'typescript', 'scss', 'asciidoc'];
const length = 60_000;

const blanks = ' '.repeat(20_000);
/** A placeholder, without which scripts are not read. */
const placeholder = '"https://placehold.co/300"';

/** Pieces of which documents are made that are nothing else. */
const long: readonly string[] = [
  `![](a.png)${blanks}|\n`,
  `![](a.png "${blanks}\n`,
  `[a]:${blanks}\n`,
  `[a]: b${blanks}c\n`,
  `# a${blanks}b\n`,
  `# a${' #'.repeat(150)}b\n`,
  `from ${blanks}\n`,
  `require(${blanks}\n`,
  `image: ${blanks}#\n`,
  `<img srcset="${'a'.repeat(3900)}">`,
  `<img srcset="${'a,'.repeat(1950)}">`,
  `<img srcset="${'a.png 1x,'.repeat(400)}">`,
  `<img alt="${'['.repeat(3900)}" src="a.png">`,
  `<img alt="${']('.repeat(1950)}" src="a.png">`,
  `<img src="a.png">`,
  `<a${blanks}`,
  `image::a.png[${'a'.repeat(2000)}"]\n`,
  `:imagesdir:${blanks}a\n`,
  `.a[image:${blanks}\n`,
  `image-set(${' '.repeat(3900)}"a.png"`,
  `${'a'.repeat(200)};{background:url(a.png);`,
];
const short: readonly string[] = [
  ['<A {', '<A {{}', '<A a={"', "<A a='", '<A a="', '<h1 ', '<h1>', '<h1></h2>', '<figure>', '</figure '],
  ['<pre>', '<pre ', '<code></pre>', '<!--', '<!-- -->', '<script>', '<textarea', '<base ', '<'],
  ['![', '![[', '![a]', '![a](', '![](a (', '](', '[', '`', '` ``', '\\`', '\\', '*', '_', '> ', '- ', '1. '],
  ['```', '```\n', '~~~\n', '```a\n```\n', '    a\n\n', '> ```\n', '- ```\n', '\n', '\r\n', '---\n', '\t'],
  [
    'image:',
    'image::a[',
    'image::a.png[',
    '[a]\n',
    '.a\n',
    '----\n',
    '//',
    '/*',
    '{/*',
    '{',
    '}',
    '{}',
    '#{',
  ],
  ['url(', 'url("', 'url(a.png)', 'image-set(', "'", '"', '""', "'//", '"//a', 'alt:"', 'from"', 'import ('],
].flat();

/** Lines that are longer and longer, each of one sign. */
const growing = (sign: string): string =>
  Array.from({ length: 300 }, (_, index) => sign.repeat(index + 4)).join('\n');

describe('documents that are made to be read slowly', () => {
  for (const language of languages) {
    it(`are read in time in proportion to their length: ${language}`, () => {
      const documents = [
        ...[...long, ...short].map((piece) => piece.repeat(Math.ceil(length / piece.length))),
        ...['-', '=', '+', '.', '/', '`', '~', '#', '>'].map(growing),
      ].flatMap((text) => [`${placeholder}\n${text}`, `---\n${text}\n---\n${placeholder}`]);
      for (const text of documents) {
        const found = findReferences(text, language);
        assert.ok(found.every(({ address, start, end }) => text.slice(start, end) === address));
      }
    });
  }
});
