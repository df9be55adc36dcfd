import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  imageReference,
  relativeImagePath,
  type Surroundings,
} from '../../../../src/vscode/pages/imageReference.ts';
import { importedReference } from '../../../../src/vscode/pages/importedImages.ts';
import { languageAt } from '../../../../src/pages/find/languageAt.ts';

const image = { path: '../images/a fox (1).png', alt: 'A "red" fox [big]', width: 640, height: 480 };

const between = (before: string, after: string, above = ''): Surroundings => ({ above, before, after });

const put = (before: string, after: string, above = ''): string =>
  before +
  imageReference('restructuredtext', { path: 'a.png', alt: 'A fox' }, between(before, after, above)) +
  after;

void describe('a reference to an image', () => {
  void it('is an image in Markdown, with nothing in the text that is Markdown itself', () => {
    assert.equal(
      imageReference('markdown', image),
      String.raw`![A "red" fox \[big\]](../images/a%20fox%20%281%29.png)`,
    );
  });

  void it('is an element with its size in HTML, closed where components are written', () => {
    assert.equal(
      imageReference('html', image),
      '<img src="../images/a%20fox%20%281%29.png" alt="A &quot;red&quot; fox [big]" width="640" height="480">',
    );
    assert.match(imageReference('typescriptreact', image), / \/>$/);
  });

  void it('has the address of an image on another host as it is', () => {
    const far = { path: 'vscode-vfs://github/w/a%20fox.png', alt: '' };
    assert.equal(imageReference('css', far), 'url("vscode-vfs://github/w/a%20fox.png")');
  });

  void it('says words that no template takes for a computation', () => {
    const words = { path: 'a.png', alt: 'a {fox} @if' };
    assert.equal(imageReference('svelte', words), '<img src="a.png" alt="a &#123;fox&#125; &#64;if">');
    assert.equal(imageReference('mdx', words), String.raw`![a \{fox\} @if](a.png)`);
  });

  void it('is a url() in style sheets', () => {
    assert.equal(imageReference('scss', image), 'url("../images/a%20fox%20%281%29.png")');
  });

  void it('is what LaTeX, AsciiDoc and reStructuredText have for images', () => {
    const plain = { path: 'images/fox_1.png', alt: 'A 100% "red" fox', width: 64, height: 48 };
    assert.equal(
      imageReference('latex', plain),
      String.raw`\includegraphics[width=\linewidth,alt={A 100\% "red" fox}]{images/fox_1.png}`.replaceAll(
        '\\\\',
        '\\',
      ),
    );
    assert.equal(imageReference('asciidoc', plain), 'image::images/fox_1.png["A 100% \\"red\\" fox",64,48]');
    assert.match(imageReference('asciidoc', plain, between('See ', '.')), /^image:images/);
    assert.equal(
      imageReference('restructuredtext', plain),
      '.. image:: images/fox_1.png\n   :alt: A 100% "red" fox\n',
    );
  });

  void it('is a block of its own in reStructuredText, wherever it is put', () => {
    assert.equal(put('    ', ''), '    .. image:: a.png\n       :alt: A fox\n');
    assert.equal(put('', '', 'Hello'), '\n.. image:: a.png\n   :alt: A fox\n');
    assert.equal(put('', 'world'), '.. image:: a.png\n   :alt: A fox\n\nworld');
    assert.equal(put('  Hello', ' world'), '  Hello\n\n  .. image:: a.png\n     :alt: A fox\n\n  \\ world');
    assert.equal(put('Hello ', 'world'), 'Hello \n\n.. image:: a.png\n   :alt: A fox\n\nworld');
  });

  void it('is the path alone elsewhere', () => {
    assert.equal(imageReference('python', image), image.path);
  });
});

void describe('the way to an image', () => {
  void it('begins at the folder of the document', () => {
    assert.equal(relativeImagePath('/w/docs/page.md', '/w/images/fox.png'), '../images/fox.png');
    assert.equal(relativeImagePath('/w/page.md', '/w/images/fox.png'), 'images/fox.png');
  });

  void it('begins at the folder itself for a document without a file', () => {
    assert.equal(relativeImagePath('/w', '/w/images/fox.png', true), 'images/fox.png');
  });
});

const imageImportedImages = {
  path: '../images/a fox (1).png',
  alt: 'A "red" fox [big]',
  width: 640,
  height: 480,
};

void describe('a reference in a component that imports its images', () => {
  const component =
    "import a from 'a';\nimport logo from './logo.svg';\n\nexport const App = () => <img src={logo} />;\n";

  void it('is by a name, and the import is written as the others are', () => {
    const { text, needs } = importedReference('typescriptreact', component, imageImportedImages) ?? {};
    assert.equal(text, '<img src={aFox1Image} alt="A &quot;red&quot; fox [big]" width="640" height="480" />');
    assert.deepEqual(needs, {
      at: component.indexOf('\n\n'),
      text: "\nimport aFox1Image from '../images/a fox (1).png';",
    });
  });

  void it('is by the name that is there, and by one that is free', () => {
    const logo = { path: './logo.svg', alt: '' };
    const known = importedReference('javascriptreact', component, logo);
    assert.deepEqual([known?.text, known?.needs.text], ['<img src={logo} alt="" />', '']);
    const used = component.replace('App', 'newLogoImage');
    const other = importedReference('javascriptreact', used, { path: './new-logo.png', alt: '' });
    assert.equal(other?.text, '<img src={newLogoImage2} alt="" />');
    const beside = importedReference(
      'javascriptreact',
      component,
      { path: './b/fox.png', alt: '' },
      other?.needs.text,
    );
    assert.equal(beside?.text, '<img src={foxImage} alt="" />');
    const twin = importedReference(
      'javascriptreact',
      component,
      { path: './c/fox.png', alt: '' },
      beside?.needs.text,
    );
    assert.equal(twin?.text, '<img src={foxImage2} alt="" />');
  });

  void it('is by its path where images are imported only in comments and in templates of text', () => {
    const quoted = [
      '/*\nimport a from "./a.png";\n*/',
      '// import a from "./a.png";',
      'import x from "x";\nconst sample = `\nimport a from "./a.png";\n`;',
    ];
    for (const text of quoted) {
      assert.equal(importedReference('typescriptreact', text, imageImportedImages), undefined, text);
    }
    const opening = [
      '"use client";',
      '// Pictures.',
      'import {\n  b,\n} from "b";',
      'import a from "./a.png" with { type: "file" };',
    ];
    const text = opening.join('\r\n');
    assert.equal(
      importedReference('typescriptreact', `${text}\r\n`, imageImportedImages)?.needs.at,
      text.length,
    );
  });

  for (const [languageId, text, shown, statement] of [
    [
      'vue',
      "<script>\nimport x from './x.png';\n</script>\n<script lang=\"ts\" setup>\n  import a from './a.png'\n</script>\n<template><p></p></template>",
      '<img :src="foxImage" alt="A fox">',
      "\n  import foxImage from './fox.png'",
    ],
    [
      'svelte',
      '<script lang="ts">\n\timport a from \'./a.png\';\n</script>\n\n<img src={a} alt="">',
      '<img src={foxImage} alt="A fox">',
      "\n\timport foxImage from './fox.png';",
    ],
    [
      'astro',
      "---\nimport Page from './Page.astro';\nimport a from './a.png';\n---\n<Page />",
      '<img src={foxImage.src} alt="A fox">',
      "\nimport foxImage from './fox.png';",
    ],
    [
      'mdx',
      "---\ntitle: A page\n---\n\nimport a from './a.png'\n\n# A page\n\n<Image src={a} />",
      '<Image src={foxImage} alt="A fox" />',
      "\nimport foxImage from './fox.png'",
    ],
  ] as const) {
    void it(`is as its component has others: ${languageId}, ${shown}`, () => {
      const imported = importedReference(languageId, text, { path: './fox.png', alt: 'A fox' });
      assert.equal(imported?.text, shown);
      assert.equal(imported.needs.text, statement);
      assert.match(text.slice(0, imported.needs.at), /a\.png["'];?$/u);
    });
  }

  void it('is by its path where it is not known how what is imported is shown, or prose only shows the import', () => {
    for (const [languageId, text] of [
      ['vue', "<script>\nimport a from './a.png';\nexport default {};\n</script>"],
      ['astro', "<script>\nimport a from './a.png';\n</script>"],
      ['mdx', "---\ntitle: A\n---\n\nSo:\n\nimport a from './a.png'"],
      ['mdx', "import a from './a.png'\n\n# A page\n\n<Card cover={a} />"],
      ['html', '<script type="module">\nimport a from \'./a.png\';\n</script>'],
    ] as const) {
      assert.equal(importedReference(languageId, text, { path: './fox.png', alt: '' }), undefined, text);
    }
  });
});

/** Returns the language at the sign `|` of a document. */
const at = (languageId: string, text: string): string =>
  languageAt(languageId, text.replace('|', ''), text.indexOf('|')).language;

it('the language at a place is that of the element', () => {
  for (const [languageId, text, expected] of [
    ['html', '<style>.a { background: |}</style>', 'css'],
    ['vue', '<template><p /></template>\n<style lang="scss" scoped>\n.a { background: | }\n</style>', 'scss'],
    ['svelte', "<script lang='ts'>\n  const a = |;\n</script>", 'typescript'],
    ['html', '<script>\n|', 'typescript'],
    ['astro', '---\nconst a = |;\n---\n<p></p>', 'typescript'],
    ['astro', '---\nconst a = 1;\n---\n<p>|</p>', 'astro'],
    ['html', '<style>.a {}</style>\n|', 'html'],
    ['html', '<!-- <style> --><p>|</p><style></style>', 'html'],
    ['html', '<script type="text/template">|</script>', 'html'],
    ['typescriptreact', '<style>{`.a { background: | }`}</style>', 'css'],
    ['markdown', '<style>|</style>', 'css'],
    ['asciidoc', '++++\n<p>|</p>\n++++', 'html'],
    ['asciidoc', '++++\n<p></p>\n++++\n|', 'asciidoc'],
  ] as const) {
    assert.equal(at(languageId, text), expected, text);
  }
});
