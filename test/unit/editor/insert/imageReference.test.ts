import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  imageReference,
  relativeImagePath,
  type Surroundings,
} from '../../../../src/editor/insert/imageReference.ts';

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
