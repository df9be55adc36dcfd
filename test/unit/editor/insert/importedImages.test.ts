import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importedReference } from '../../../../src/editor/insert/importedImages.ts';

const image = { path: '../images/a fox (1).png', alt: 'A "red" fox [big]', width: 640, height: 480 };

void describe('a reference in a component that imports its images', () => {
  const component =
    "import a from 'a';\nimport logo from './logo.svg';\n\nexport const App = () => <img src={logo} />;\n";

  void it('is by a name, and the import is written as the others are', () => {
    const { text, needs } = importedReference('typescriptreact', component, image) ?? {};
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
      assert.equal(importedReference('typescriptreact', text, image), undefined, text);
    }
    const opening = [
      '"use client";',
      '// Pictures.',
      'import {\n  b,\n} from "b";',
      'import a from "./a.png" with { type: "file" };',
    ];
    const text = opening.join('\r\n');
    assert.equal(importedReference('typescriptreact', `${text}\r\n`, image)?.needs.at, text.length);
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
