import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findReferences } from '../../../../src/pages/find/findReferences.ts';

/** Pieces of documents, in which `no.png` is in code or in a comment, and `yes.png` is an image. */
const cases: readonly [what: string, language: string, text: string][] = [
  ['a fence that is never closed', 'markdown', '![](yes.png)\n\n~~~\n![](no.png)\n\n```\n![](no.png)'],
  ['a fence closed by a longer one', 'markdown', '```\n![](no.png)\n``\n![](no.png)\n`````\n![](yes.png)'],
  ['a fence of a quote, which ends with it', 'markdown', '> ```\n> ![](no.png)\n\n![](yes.png)'],
  ['a fence of a list, which ends with it', 'markdown', '1. a\n   ~~~\n   ![](no.png)\n\nb ![](yes.png)'],
  ['what only begins like a fence', 'markdown', '```a``` ![](yes.png)'],
  ['indented lines', 'markdown', '# Code\n\n    ![](no.png)\n\n\t![](no.png)\n![](yes.png)'],
  ['indented lines of a list', 'markdown', '- a\n\n      ![](no.png)\n\n    ![](yes.png)'],
  ['lines that go on, though indented', 'markdown', 'Words\n    ![](yes.png)\n- a\n    ![](yes.png)'],
  ['lines of a list in a list', 'markdown', '- a\n    - b\n\n        ![](yes.png)'],
  ['indented notes and tabs', 'markdown', '!!! note\n\n    ![](yes.png)\n\n=== "Tab"\n\n    ![](yes.png)'],
  ['indented markup', 'markdown', '<div>\n    <img src="yes.png">\n</div>'],
  ['a span over two lines', 'markdown', 'a `b\nc ![](no.png)` ![](yes.png)'],
  ['a backtick alone', 'markdown', 'a ` b ![](yes.png)\n\nc ` d\n- ` ![](yes.png)\n- `'],
  ['backticks behind backslashes', 'markdown', '\\`![](yes.png)\\` \\\\`![](no.png)\\` \\``![](no.png)`'],
  ['a comment with a fence', 'markdown', '<!--\n```\n![](no.png)\n-->\n![](yes.png)'],
  [
    'line ends of Windows',
    'markdown',
    '```\r\n![](no.png)\r\n```\r\n\r\n    ![](no.png)\r\n\r\n![](yes.png)\r\n',
  ],
  ['elements of code', 'markdown', '<pre><code>\n\n![](no.png)\n```\n</code></pre>\n\n![](yes.png)'],
  ['elements of code in a line', 'markdown', 'a <code>![](no.png)</code> ![](yes.png) <code>'],
  ['pictures in comments', 'markdown', 'a <!-- 😀 ![](no.png) 😀 --> ![](yes.png)'],
  ['comments of MDX', 'mdx', '{/* ![](no.png) <img src="no.png" />\n\n```\n*/}\n\n![](yes.png)'],
  ['comments in a line of MDX', 'mdx', 'a { /* <img src="no.png" /> */ } ![](yes.png)'],
  ['elements of MDX that are closed at once', 'mdx', '<textarea rows="2" />\n\n![](yes.png)'],
  ['indented lines of MDX', 'mdx', '<Tab>\n\n    ![](yes.png)\n\n</Tab>'],
  ['comments of JSX', 'javascriptreact', '<a>{/* <img src="no.png" /> */}<img src="yes.png" /></a>'],
  [
    'what only begins like a comment in a regular expression',
    'typescriptreact',
    'const a = [/[/*]/, /[,/*]/]; <img src="yes.png" /> /* <img src="no.png" /> */',
  ],
  [
    'comments of templates',
    'html',
    '{{/* <img src="no.png"> */}}\n{# <h2>A</h2>\n<img src="no.png"> #}<img src="yes.png">',
  ],
  [
    'paragraphs of AsciiDoc',
    'asciidoc',
    '[source,adoc]\n.A\nimage::no.png[]\nimage:no.png[]\n\nimage:yes.png[] image::no.png[]\n\n image:no.png[]',
  ],
  [
    'a block of AsciiDoc',
    'asciidoc',
    '[listing]\n--\nimage::no.png[]\n\nimage::no.png[]\n--\n\n* image:yes.png[]\n\na|image::yes.png[]',
  ],
  [
    'the text of a program',
    'typescriptreact',
    'const a = `\n<img src="no.png" />\n${b} <p>`; const c = <p><img src="yes.png" />`</p>;',
  ],
  ['elements of code', 'html', '<PRE class="a"><code><img src="no.png"></code></pre><img src="yes.png">'],
  ['text that is typed', 'html', '<textarea><img src="no.png"></textarea ><img src="yes.png"><textarea>'],
  [
    'comments of scripts and styles',
    'html',
    `<script>
// a = '<img src="no.png">'
/* '<img src="no.png">' */ a = '<img src="yes.png">';</script>
<style>/* url(no.png) */ a { background: url(yes.png) }</style>`,
  ],
];

describe('code and comments', () => {
  for (const [what, language, text] of cases) {
    it(`name no image: ${what}, in ${language}`, () => {
      const found = findReferences(text, language);
      const images = [...text.matchAll(/yes\.png/gu)].map(({ index }) => [index, 'yes.png']);
      assert.deepEqual(
        found.map(({ start, address }) => [start, address]),
        images,
      );
    });
  }
});
