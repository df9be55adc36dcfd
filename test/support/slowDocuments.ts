// Documents that are made to be read slowly.

/** A placeholder, without which scripts are not read. */
export const placeholder = '"https://placehold.co/300"';

const blanks = ' '.repeat(20_000);
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
  `${'`'.repeat(20_000)} \`\n`,
  '![a picture](https://placehold.co/64x64)\n',
  '{\n  "a": "https://placehold.co/1"\n},',
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
    'a image::x.png[',
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

/** Returns a document that is one piece again and again. @param length at least, in UTF-16 units */
export const repeated = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length));

/** Pieces of which such documents are made. */
export const slowPieces: readonly string[] = [...long, ...short];

/** Lines that are longer and longer, each of one sign. */
const growing = (sign: string): string =>
  Array.from({ length: 300 }, (_, index) => sign.repeat(index + 4)).join('\n');

/** Returns all of one piece or sign, each document for itself. @param length about how long, in UTF-16 units */
export function slowDocuments(length: number): string[] {
  return [
    ...slowPieces.map((piece) => repeated(piece, length)),
    ...['-', '=', '+', '.', '/', '`', '~', '#', '>'].map(growing),
  ];
}
