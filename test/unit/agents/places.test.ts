import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWithin, placeOf } from '../../../src/agents/places.ts';

const site = { uri: 'file:///work/my%20site', name: 'site' };
const api = { uri: 'file:///work/api', name: 'api' };

describe('placeOf', () => {
  it('takes paths from the workspace folder, in any notation', () => {
    for (const path of [
      'images/fox.png',
      './images//fox.png',
      'images\\fox.png',
      'public/../images/fox.png',
      '/work/my site/images/fox.png',
      'file:///work/my%20site/images/fox.png',
    ]) {
      assert.deepEqual(
        placeOf(path, [site]),
        {
          root: site.uri,
          folder: 'file:///work/my%20site/images',
          fileName: 'fox.png',
          uri: 'file:///work/my%20site/images/fox.png',
          path: 'images/fox.png',
        },
        path,
      );
    }
  });

  it('takes the name of one of several folders, and the first where none is named', () => {
    assert.equal(placeOf('api/docs/fox.png', [site, api]).uri, 'file:///work/api/docs/fox.png');
    assert.equal(placeOf('api/docs/fox.png', [site, api]).path, 'api/docs/fox.png');
    assert.equal(placeOf('docs/fox.png', [site, api]).path, 'site/docs/fox.png');
    assert.equal(placeOf('site/fox.png', [site]).path, 'site/fox.png');
  });

  it('refuses what leads out of the workspace, and what no image can be', () => {
    for (const path of [
      '../fox.png',
      'images/../../fox.png',
      '/etc/fox.png',
      '/work/my site-2/fox.png',
      'C:\\fox.png',
      'https://example.com/fox.png',
      'vscode-userdata:/fox.png',
      '.git/hooks/fox.png',
      '.GIT/fox.png',
      'images/fox',
      'images/fox.svg',
      'images/.png ',
      'images/{prompt}.png',
      'images/con:fox.png',
      'a\u0000b.png',
      '',
      '.',
    ]) {
      assert.throws(() => placeOf(path, [site]), { code: 'invalid_request', sent: false }, path);
    }
    assert.throws(() => placeOf('fox.png', []), /No project folder is open/u);
  });
});

describe('isWithin', () => {
  it('compares folders in whichever notation they are written', () => {
    const disk = { uri: 'file:///c%3A/site', name: 'site' };
    assert.ok(isWithin('file:///C:/site/images', [disk]));
    assert.ok(isWithin('file:///work/my site', [site]));
    assert.ok(!isWithin('file:///work/my%20site-2', [site]));
  });
});
