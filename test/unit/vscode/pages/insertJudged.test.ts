import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imageReference, type Surroundings } from '../../../../src/vscode/pages/imageReference.ts';
import { languageAt } from '../../../../src/pages/find/languageAt.ts';
import { markdownImages, readAsciiDoc, readHtml } from '../../../readers/documents.ts';

const between = (before: string, after: string): Surroundings => ({ above: '', before, after });

/** Returns the images that CommonMark finds in a document, into which one is inserted at the sign `|`. */
const shownIn = (text: string): string[] => {
  const [before = '', after = ''] = text.split('|');
  const { language, lead } = languageAt('markdown', before + after, before.length);
  const put = lead + imageReference(language, { path: 'a.png', alt: 'A fox' });
  return markdownImages(before + put + after);
};

describe('an image inserted into Markdown', () => {
  for (const text of [
    '|',
    '# A\n\nWords |and words\n',
    '<p align="center">|\n  Words\n</p>\n\n# A\n',
    '<p align="center">\n  |\n</p>\n',
    '<p align="center">\n  Words\n</p>|\n\n# A\n',
    '<p align="center">\n  Words\n</p>\n|\n*Words*\n',
    '<p align="center">\n  Words\n</p>\n\n|\n',
    '<div align=center>\n\n|\n\n</div>\n',
    '<div align=center>\n\n# A|\n\n</div>\n',
    '<table>\n<tr><td>|</td></tr>\n</table>\n',
    '<details>\n<summary>A</summary>\n|\n\nWords\n</details>\n',
    '<details>\n<summary>A</summary>\n\nWords |\n</details>\n',
    '- <div>\n  |\n- b\n',
    '- <div>\n- |b\n',
    '> <div>\n> |\n',
    '> <div>\n\n|Words\n',
    '<span class="a">\n|\n</span>\n',
    'Words\n<span class="a">\n|\n</span>\n',
    '<!-- A -->|\n\nWords\n',
    '<!-- A\n\n-->\n|\n',
    '```html\n<div>\n```\n|\n',
    '    <div>\n|\n',
    '---\ntitle: |\n  <div>\n---\n'.replace('|', '>') + '|\n',
    '<div>\r\n|\r\n</div>\r\n\r\n',
  ]) {
    it(`is an image there: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(shownIn(text), ['a.png']);
    });
  }
});

describe('an image inserted into AsciiDoc', () => {
  for (const around of [between('', ''), between('See ', '.')]) {
    it(`says what was asked for, ${around.before === '' ? 'alone' : 'in a line'}`, async () => {
      const alt = 'A "red" fox [big], really]';
      const put = imageReference('asciidoc', { path: 'a.png', alt, width: 6, height: 4 }, around);
      const [image] = readHtml(await readAsciiDoc(around.before + put + around.after), 'img');
      assert.deepEqual(image, { src: 'a.png', alt, width: '6', height: '4' });
    });
  }
});
