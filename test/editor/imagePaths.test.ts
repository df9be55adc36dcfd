import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { referenceIn } from '../../src/vscode/pages/insertImage.ts';
import { WantedImages } from '../../src/vscode/documents/wantedImages.ts';
import { Settings } from '../../src/vscode/window/settings.ts';
import { findReferences } from '../../src/pages/find/findReferences.ts';
import { languageAt } from '../../src/pages/find/languageAt.ts';
import { languageOf } from '../../src/pages/find/languages.ts';

const log = vscode.window.createOutputChannel('Limner test', { log: true });

const files = {
  'public/images/fox.png': '',
  'src/assets/owl.png': '',
  'src/pages/index.astro': '<main></main>\n',
  'src/pages/about.html': '<!doctype html><head><base href="../assets/"></head>\n<img src="hare.png">\n',
  'src/App.jsx': "import logo from './assets/logo.png';\n",
  'src/Card.vue': '<template></template>\n<style>\n.a {\n  background: ;\n}\n</style>\n',
  'docs/README.md': '# Docs\n',
  'docs/guide.adoc': '= Guide\n:imagesdir: pictures\n\nimage::map.png[A map]\n',
  'docs/pictures/map.png': '',
  'docs/trip.md': '---\nimage: images/fox.png\nimages: [pictures/map.png, sea.png]\n---\n',
};

describe('the path by which a document names an image', () => {
  let root: vscode.Uri;
  let wanted: WantedImages;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = vscode.Uri.joinPath(folder.uri, 'site');
    for (const [name, text] of Object.entries(files)) {
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, name), Buffer.from(text));
    }
    wanted = new WantedImages(new Settings(log));
  });

  after(async () => {
    log.dispose();
    await vscode.workspace.fs.delete(root, { recursive: true });
  });

  const open = async (name: string): Promise<vscode.TextDocument> =>
    vscode.workspace.openTextDocument(vscode.Uri.joinPath(root, name));

  /** @param before what the image is put right behind; a line of its own without it */
  const inserted = async (name: string, image: string, before?: string): Promise<string> => {
    const document = await open(name);
    const uri = vscode.Uri.joinPath(root, image);
    const at =
      before === undefined
        ? undefined
        : document.positionAt(document.getText().indexOf(before) + before.length);
    const paths = await wanted.pathsTo(document, uri);
    return referenceIn(document, { uri, alt: '' }, paths, { languageAt }, at).text;
  };

  const missingIn = async (name: string): Promise<unknown> => {
    const document = await open(name);
    const references = findReferences(document.getText(), languageOf(document.languageId, document.uri.path));
    const images = await Promise.all(references.map(async (reference) => wanted.at(document, reference)));
    return images.map((image) => image?.kind === 'missing' && image.file.path.slice(root.path.length));
  };

  it('begins where the site does for a page, and is relative in prose', async () => {
    assert.equal(
      await inserted('src/pages/index.astro', 'public/images/fox.png'),
      '<img src="/images/fox.png" alt="">',
    );
    assert.equal(await inserted('docs/README.md', 'public/images/fox.png'), '![](../public/images/fox.png)');
  });

  it('is that of a module where a component imports its images, but for those that the site serves', async () => {
    assert.equal(await inserted('src/App.jsx', 'src/assets/owl.png'), '<img src={owlImage} alt="" />');
    assert.equal(
      await inserted('src/App.jsx', 'public/images/fox.png'),
      '<img src="/images/fox.png" alt="" />',
    );
  });

  it('is what CSS has for images in the styles of a component', async () => {
    const [name, owl] = ['src/Card.vue', 'src/assets/owl.png'];
    assert.equal(await inserted(name, owl, 'background: '), 'url("assets/owl.png")');
    assert.equal(await inserted(name, owl, '<template>'), '<img src="assets/owl.png" alt="">');
  });

  it('begins at the folder that the document gives its images', async () => {
    assert.equal(await inserted('docs/guide.adoc', 'docs/pictures/map.png'), 'image::map.png[""]');
    assert.equal(await inserted('src/pages/about.html', 'src/assets/owl.png'), '<img src="owl.png" alt="">');
  });

  it('leads back to the file', async () => {
    assert.deepEqual(await missingIn('docs/guide.adoc'), [false]);
    assert.deepEqual(await missingIn('src/pages/about.html'), ['/src/assets/hare.png']);
    assert.deepEqual(await missingIn('docs/trip.md'), [false, false, '/docs/sea.png']);
  });
});
