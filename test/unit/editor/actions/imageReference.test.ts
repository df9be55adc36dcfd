import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imageReference, relativeImagePath } from '../../../../src/editor/actions/imageReference.ts';

const image = { path: '../images/a fox (1).png', alt: 'A "red" fox [big]', width: 640, height: 480 };

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

  void it('is a url() in style sheets', () => {
    assert.equal(imageReference('scss', image), 'url("../images/a%20fox%20%281%29.png")');
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
