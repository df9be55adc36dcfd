import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { languageOf } from '../../../../src/pages/find/languages.ts';
import { findReferences } from '../../../../src/pages/find/findReferences.ts';
import { arranged, type Uri as AnyUri, Uri, workspace } from './windowStub.ts';

const stub = new URL('windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { WantedImages } = await import('../../../../src/vscode/documents/wantedImages.ts');
const { ImageIndex } = await import('../../../../src/vscode/documents/imageIndex.ts');
hooks.deregister();

interface Site {
  what: string;
  /** Texts of configuration files. Folders and images need no text. */
  files: Readonly<Record<string, string>>;
  images?: readonly string[];
  /** Of each document: addresses and the files that they name, or `missing` and the file that is to be generated. */
  names?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Of each document with a placeholder: the file of the new image and its address; empty for no offer. */
  makes?: Readonly<Record<string, readonly [] | readonly [file: string, address: string]>>;
}

const placeholder = 'https://placehold.co/600x400';

const sites: readonly Site[] = [
  {
    what: 'Antora: the images of a module',
    files: { 'antora.yml': 'name: garden' },
    images: ['modules/care/assets/images/beds/rose.png', 'modules/ROOT/images/fox.png'],
    names: {
      'modules/care/pages/beds/roses.adoc': {
        'image::beds/rose.png[]': 'modules/care/assets/images/beds/rose.png',
        'image::beds/tulip.png[]': 'missing modules/care/assets/images/beds/tulip.png',
      },
      'modules/ROOT/partials/note.adoc': { 'image:fox.png[]': 'modules/ROOT/images/fox.png' },
    },
    makes: {
      'modules/care/pages/beds/tulips.adoc': ['modules/care/assets/images/new.png', 'new.png'],
      'modules/none/pages/a.adoc': ['modules/none/images/new.png', 'new.png'],
    },
  },
  {
    what: 'MkDocs: HTML at the address of a page, and other languages beside the first',
    files: {
      'docs/en/mkdocs.yml': 'site_name: Garden\ntheme: { name: !ENV [THEME, x], custom_dir: overrides }',
    },
    images: ['docs/en/docs/img/rose.png'],
    names: {
      'docs/en/overrides/home.html': { '<img src="img/rose.png">': 'docs/en/docs/img/rose.png' },
      'docs/en/docs/care/a.md': {
        '<img src="../../img/rose.png">': 'docs/en/docs/img/rose.png',
        '![](../img/rose.png)': 'docs/en/docs/img/rose.png',
      },
      'docs/de/docs/care/a.md': {
        '<img src="/img/rose.png">': 'docs/en/docs/img/rose.png',
        '![](../img/rose.png)': 'docs/en/docs/img/rose.png',
        '![](/img/none.png)': 'missing docs/de/docs/img/none.png',
      },
    },
    makes: {
      'docs/en/docs/care/b.md': ['docs/en/docs/img/new.png', '../img/new.png'],
      'docs/en/docs/care/b.html.md': ['docs/en/docs/img/new.png', '../../img/new.png'],
      'docs/en/docs/care/index.html.md': ['docs/en/docs/img/new.png', '../img/new.png'],
    },
  },
  {
    what: 'MkDocs: the default language of mkdocs-static-i18n',
    files: {
      'mkdocs.yml': `docs_dir: pages
plugins:
  - i18n:
      docs_structure: folder
      languages: [{ locale: en, default: true }, { locale: fr }]`,
    },
    images: ['pages/en/img/rose.png'],
    names: { 'pages/fr/a.md': { '![](img/rose.png)': 'pages/en/img/rose.png' } },
  },
  {
    what: 'Docusaurus: its static folder, at its base in HTML, and documents beside the site',
    files: {
      'website/docusaurus.config.ts': `const PREFIX = '/garden';
        export default { url: 'https://a.example', baseUrl: \`\${PREFIX}/\`, docs: { path: '../docs' } };`,
    },
    images: ['website/static/img/rose.png'],
    names: {
      'docs/a.md': {
        '![](/img/rose.png)': 'website/static/img/rose.png',
        '<img src="/garden/img/rose.png">': 'website/static/img/rose.png',
        '![](/img/none.png)': 'missing website/static/img/none.png',
      },
    },
    makes: {
      'docs/b.md': ['website/static/img/new.png', '/img/new.png'],
      'website/src/c.tsx': ['website/static/img/new.png', '/garden/img/new.png'],
      'README.md': ['images/new.png', 'images/new.png'],
    },
  },
  {
    what: 'VitePress: the public folder of its pages, also for its theme',
    files: { '.vitepress/config.mts': "export default { srcDir: './src' } // srcDir: 'x'" },
    images: ['src/public/rose.png'],
    names: {
      '.vitepress/theme/Home.vue': { '<img src="/rose.png">': 'src/public/rose.png' },
      'src/a.md': { '![](/none.png)': 'missing src/public/none.png' },
    },
    makes: { 'src/care/b.md': ['src/public/images/new.png', '/images/new.png'] },
  },
  {
    what: 'Eleventy: the folders that it copies, below its input or where they are said to be',
    files: {
      '.eleventy.js': `module.exports = (config) => {
        config.addPassthroughCopy('src/site/img');
        config.addPassthroughCopy({ assets: '/static' });
        return { dir: { input: 'src/site' } };
      };`,
    },
    images: ['src/site/img/rose.png', 'assets/fox.png'],
    names: {
      'src/site/care/a.md': {
        '![](/img/rose.png)': 'src/site/img/rose.png',
        '![](/static/fox.png)': 'assets/fox.png',
        '![](/img/none.png)': 'missing src/site/img/none.png',
      },
    },
    makes: { 'src/site/care/b.md': ['src/site/img/new.png', '/img/new.png'] },
  },
  {
    what: 'Jekyll: its whole folder, at its base',
    files: { 'docs/_config.yml': 'title: Garden\nbaseurl: /garden' },
    images: ['docs/img/rose.png'],
    names: {
      'docs/_posts/a.md': {
        '![](/img/rose.png)': 'docs/img/rose.png',
        '![](/garden/img/rose.png)': 'docs/img/rose.png',
      },
    },
    makes: { 'docs/_posts/b.md': ['docs/img/new.png', '/garden/img/new.png'] },
  },
  {
    what: 'Hugo: its static folder, and the folder of a bundle',
    files: { 'hugo.toml': "title = 'Garden'\nstaticDir = 'public-files'", 'content/_index.md': '' },
    images: ['public-files/images/rose.png', 'content/care/roses/fox.png'],
    names: {
      'content/care/a.md': { '![](/images/rose.png)': 'public-files/images/rose.png' },
      'content/news/a.md': { '![](/care/roses/fox.png)': 'content/care/roses/fox.png' },
    },
    makes: {
      'content/care/b.md': ['public-files/images/new.png', '/images/new.png'],
      'content/care/bundle/index.md': ['content/care/bundle/new.png', 'new.png'],
    },
  },
  {
    what: 'Angular: the folders of its assets, from which templates count',
    files: {
      'angular.json': `{ "projects": { "shop": { "root": "", "sourceRoot": "src", "architect": { "build": { "options": {
        /* as it is generated */ "assets": ["app/favicon.ico", { "glob": "**/*", "input": "public" }] } } } } } }`,
    },
    images: ['public/rose.png'],
    names: {
      'src/app/bed/bed.html': {
        '<img src="rose.png">': 'public/rose.png',
        '<img src="none.png">': 'missing public/none.png',
      },
    },
    makes: {
      'src/index.html': ['public/images/new.png', '/images/new.png'],
      'src/app/data.ts': ['public/images/new.png', '/images/new.png'],
    },
  },
  {
    what: 'Vite and Quasar: the public folder, also by relative addresses',
    files: {
      'quasar.config.js': 'export default {}',
      'vite/vite.config.ts': "export default { publicDir: 'static-files' }",
      'vite/index.html': '',
    },
    images: ['public/icons/a.png', 'vite/static-files/b.png'],
    names: {
      'index.html': { '<img src="icons/a.png">': 'public/icons/a.png' },
      'vite/index.html': {
        '<img src="b.png">': 'vite/static-files/b.png',
        '<img src="/none.png">': 'missing vite/static-files/none.png',
      },
    },
    makes: { 'vite/src/App.tsx': ['vite/static-files/images/new.png', '/images/new.png'] },
  },
  {
    what: 'Obsidian: images by their names, wherever they are',
    files: { '.obsidian/app.json': '{ "attachmentFolderPath": "Attachments" }' },
    images: ['Attachments/deep/rose.png'],
    names: {
      'Notes/a.md': {
        '![](rose.png#outline)': 'Attachments/deep/rose.png',
        '![](none.png)': 'missing Attachments/none.png',
      },
    },
    makes: { 'Notes/b.md': ['Attachments/new.png', 'new.png'] },
  },
  {
    what: 'Jekyll with AsciiDoc: the folder of images that its configuration names',
    files: { '_config.yml': 'asciidoctor:\n  attributes:\n    imagesdir: /pictures' },
    images: ['pictures/rose.png'],
    names: { 'news/a.adoc': { 'image::rose.png[]': 'pictures/rose.png' } },
  },
  {
    what: 'an unknown site: as the other images of the document, or of those beside it',
    files: {
      'source/garden/other.md': '![](/pics/fox.png)\n\n![](/pics/rose.png)\n\n![](../../elsewhere/a.png)',
    },
    images: ['theme/files/pics/fox.png', 'theme/files/pics/rose.png', 'elsewhere/a.png'],
    makes: { 'source/garden/a.md': ['theme/files/pics/new.png', '/pics/new.png'] },
  },
  {
    what: 'a repository: but for those that Git ignores, and by the name that they have',
    files: { '.gitignore': '# made\n/made/*\n!/made/kept.png\nshots/\n' },
    images: ['img/Rose.PNG'],
    names: {
      'docs/a.md': {
        '![](../made/a.png)': '',
        '![](../made/kept.png)': 'missing made/kept.png',
        '![](shots/deep/a.png)': '',
        '![](../img/none.png)': 'missing img/none.png',
        // Other systems take the names for the same.
        ...(process.platform === 'linux' && { '![](../img/rose.png)': 'elsewhere img/rose.png' }),
      },
    },
  },
  {
    what: 'Obsidian in a larger folder: its own images, however many others have their names',
    files: { 'vault/.obsidian/app.json': '{}' },
    images: ['a/1.png', 'b/1.png', 'c/1.png', 'vault/x/1.png'],
    names: { 'vault/note.md': { '![](1.png)': 'vault/x/1.png' } },
  },
  {
    what: 'several pages: the images of another page are its own',
    files: { 'posts/first/index.md': '![](cover.png)', 'shop/index.md': '![](img/a.png)' },
    images: ['posts/first/cover.png', 'shop/img/a.png', 'docs/img/b.png'],
    names: {
      'posts/second/index.md': {
        '![](cover.png)': 'missing posts/second/cover.png',
        '![](img/a.png)': 'missing posts/second/img/a.png',
        '![](img/b.png)': 'elsewhere posts/second/img/b.png',
      },
    },
  },
  {
    what: 'a site that is built into a folder that Git ignores: new images are not in it',
    files: { '.gitignore': 'public\n', 'public/index.html': '' },
    makes: { 'src/a.html': ['images/new.png', '../images/new.png'] },
  },
  {
    what: 'no site: a path from the document, but nothing in the strings of a program',
    files: {},
    makes: {
      'notes/a.md': ['images/new.png', '../images/new.png'],
      'lib/data.ts': [],
    },
  },
];

const write = (file: string, text: string): AnyUri => {
  const path = join(arranged.root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return Uri.file(path);
};

const wantedImages = (): InstanceType<typeof WantedImages> => {
  const settings: unknown = { folder: () => 'images' };
  assert.ok(isSettings(settings));
  return new WantedImages(settings, new ImageIndex());
};

describe('images of a site', () => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(() => {
    folder = temporaryFolder('sites');
    arranged.root = join(folder.path, 'site');
  });

  afterEach(() => folder.remove());

  for (const { what, files, images = [], names = {}, makes = {} } of sites) {
    it(`of ${what}`, async () => {
      for (const [file, text] of [
        ...Object.entries(files),
        ...images.map((image) => [image, 'an image'] as const),
      ]) {
        write(file, text);
      }
      for (const [file, addresses] of Object.entries(names)) {
        const found: Record<string, string> = {};
        for (const text of Object.keys(addresses)) {
          const [document, reference] = documentOf(write(file, text), text);
          const wanted = wantedImages();
          const image = await wanted.at(document, reference);
          const there = await wanted.fileOf(document, reference);
          const path = image && image.kind !== 'placeholder' ? image.file : there;
          found[text] = `${image ? `${image.kind} ` : ''}${path ? workspace.asRelativePath(path) : ''}`;
        }
        assert.deepEqual(found, addresses, file);
      }
      for (const [name, made] of Object.entries(makes)) {
        // Some names say which kind of element names the image.
        const file = name.replace('.html.md', '.md');
        const text = textFor(name);
        const [document, reference] = documentOf(write(file, text), text);
        const wanted = wantedImages();
        const image = await wanted.at(document, reference);
        const uri = image?.kind === 'placeholder' ? Uri.joinPath(image.folder, 'new.png') : undefined;
        const result = uri
          ? [workspace.asRelativePath(uri), await wanted.addressOf(document, uri, reference)]
          : [];
        assert.deepEqual(result, made, name);
        if (uri && file === name) {
          assert.equal((await wanted.pathsTo(document, uri)).path, made[1], `inserted into ${name}`);
        }
      }
    });
  }
});

function textFor(name: string): string {
  if (name.endsWith('.ts')) {
    return `export const image = '${placeholder}';`;
  }
  return name.endsWith('.adoc')
    ? `image::${placeholder}[]`
    : name.endsWith('.md') && !name.endsWith('.html.md')
      ? `![](${placeholder})`
      : `<img src="${placeholder}" />`;
}

type WantedArguments = Parameters<InstanceType<typeof WantedImages>['at']>;

function documentOf(uri: AnyUri, text: string): WantedArguments {
  const language = languageOf('plaintext', uri.path) ?? '';
  const [reference] = findReferences(text, language);
  const found: unknown = [{ uri, languageId: language, version: 1, getText: () => text }, reference];
  assert.ok(reference && isArguments(found));
  return found;
}

/** It is as much of a document as the images need. */
function isArguments(value: unknown): value is WantedArguments {
  return Array.isArray(value);
}

function isSettings(value: unknown): value is ConstructorParameters<typeof WantedImages>[0] {
  return typeof value === 'object';
}
