import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withEdits } from '../../../../src/pages/cards/cardImage.ts';
import { type HeadLink, writeHeadLinks } from '../../../../src/pages/cards/headLinks.ts';
import { writeSources } from '../../../../src/pages/cards/pictureSources.ts';
import { findReferences } from '../../../../src/pages/find/findReferences.ts';

const own = 'a@1x.png 1x, a@2x.png 2x';
const others = [{ type: 'image/webp', srcset: 'a@1x.webp 1x' }];

/** Returns a document whose images of `a.png` have other sources; undefined if it has none that can. */
function withSources(text: string, language: string, isPlain = true): string | undefined {
  const places = findReferences(text, language).filter(({ address }) => address.endsWith('a.png'));
  const edits = writeSources(text, language, places, { own, others: isPlain ? [] : others });
  return edits && withEdits(text, edits);
}

describe('sources of an image', () => {
  for (const [language, before, after] of [
    ['html', '<p><img src="a.png" alt="A">', `<p><img src="a.png" srcset="${own}" alt="A">`],
    ['html', '<img srcset="a.png 1x" src=a.png>', `<img srcset="${own}" src=a.png>`],
    ['vue', `<img :src="'a.png'" />`, `<img :src="'a.png'" srcset="${own}" />`],
    [
      'javascriptreact',
      '<img src={"a.png"} onLoad={() => 1} />',
      `<img src={"a.png"} srcSet="${own}" onLoad={() => 1} />`,
    ],
    [
      'mdx',
      'One\n\n![A "b" \\*](a.png)\n',
      `One\n\n<img src="a.png" srcSet="${own}" alt="A &quot;b&quot; *" />\n`,
    ],
    [
      'markdown',
      '![A](<a.png> "Title") and ![B](b.png)',
      `<img src="a.png" srcset="${own}" alt="A" title="Title"> and ![B](b.png)`,
    ],
    ['html', '<img src="a.png" srcset="{{ sources }}"> <img src="b.png">', undefined],
    ['markdown', '![A][a]\n\n[a]: a.png', undefined],
  ] as const) {
    void it(`are put into ${before} of ${language}`, () => {
      const found = withSources(before, language);
      assert.equal(found === before ? undefined : found, after);
    });
  }

  void it('of another format are in a picture around it, on lines of their own if it has one', () => {
    const inner = '<source type="image/webp" srcset="a@1x.webp 1x">';
    const image = `<img src="a.png" srcset="${own}">`;
    assert.equal(
      withSources('<p>\r\n\t<img src="a.png">\r\n</p>', 'html', false),
      `<p>\r\n\t<picture>\r\n\t\t${inner}\r\n\t\t${image}\r\n\t</picture>\r\n</p>`,
    );
    assert.equal(
      withSources('<p><img src="a.png"></p>', 'html', false),
      `<p><picture>${inner}${image}</picture></p>`,
    );
    assert.equal(
      withSources('<picture><img src="a.png"></picture>', 'html', false),
      `<picture>${image}</picture>`,
    );
  });
});

const links: HeadLink[] = [
  [
    ['rel', 'icon'],
    ['href', '/favicon.ico'],
  ],
  [
    ['rel', 'apple-touch-icon'],
    ['href', '/apple.png'],
  ],
];
const [icon, apple] = [
  '<link rel="icon" href="/favicon.ico">',
  '<link rel="apple-touch-icon" href="/apple.png">',
];

describe('links to the icons of a site', () => {
  for (const [language, before, after] of [
    [
      'html',
      '<head>\n  <title>x</title>\n</head>',
      `<head>\n  <title>x</title>\n  ${icon}\n  ${apple}\n</head>`,
    ],
    [
      'html',
      '<head>\n  <link rel="shortcut icon" href="old.ico">\n  <link rel="stylesheet" href="x.css">\n  <link rel="apple-touch-icon" href="old.png">\n</head>',
      `<head>\n  ${icon}\n  ${apple}\n  <link rel="stylesheet" href="x.css">\n</head>`,
    ],
    ['html', `<head>\n  ${icon}\n  ${apple}\n</head>`, `<head>\n  ${icon}\n  ${apple}\n</head>`],
    [
      'astro',
      '---\nconst a = "<head>";\n---\n<html><head><meta charset="utf-8" /></head></html>',
      `---\nconst a = "<head>";\n---\n<html><head><meta charset="utf-8" />${icon.replace('>', ' />')}${apple.replace('>', ' />')}</head></html>`,
    ],
    ['html', '<head><link rel="icon" href="{{ icon }}"></head>', undefined],
    ['html', '<head>{% if x %}<link rel="icon" href="a.ico">{% endif %}<title>x</title></head>', undefined],
    ['html', '<p>A part of a page</p>', undefined],
    ['astro', '<Layout title="x" />', undefined],
    ['markdown', '# A page', undefined],
  ] as const) {
    void it(`are put into ${before} of ${language}`, () => {
      const edits = writeHeadLinks(before, language, links);
      assert.equal(edits && withEdits(before, edits), after);
    });
  }
});
