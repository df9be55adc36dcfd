import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  checkLinks,
  checkName,
  isWithin,
  workspaceFile,
} from '../../../../src/agents/tools/workspacePaths.ts';
import { fileUri } from '../../../../src/common/fileUris.ts';
import { noLinkRights } from '../../../support/links.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

/** On the drive of this process, where there are any. */
const site = { uri: fileUri('/work/my site'), name: 'site' };
const api = { uri: 'file:///work/api', name: 'api' };

describe('workspaceFile', () => {
  it('takes paths from the workspace folder, in any notation', () => {
    for (const path of [
      'images/fox.png',
      './images//fox.png',
      'images\\fox.png',
      'public/../images/fox.png',
      '/work/my site/images/fox.png',
      `${site.uri}/images/fox.png`,
    ]) {
      assert.deepEqual(
        workspaceFile(path, [site]),
        {
          root: site.uri,
          folder: `${site.uri}/images`,
          fileName: 'fox.png',
          uri: `${site.uri}/images/fox.png`,
          path: 'images/fox.png',
        },
        path,
      );
    }
  });

  it('takes the name of one of several folders, and the first where none is named', () => {
    assert.equal(workspaceFile('api/docs/fox.png', [site, api]).uri, 'file:///work/api/docs/fox.png');
    assert.equal(workspaceFile('api/docs/fox.png', [site, api]).path, 'api/docs/fox.png');
    assert.equal(workspaceFile('docs/fox.png', [site, api]).path, 'site/docs/fox.png');
    assert.equal(workspaceFile('site/fox.png', [site]).path, 'site/fox.png');
    const isLinux = process.platform === 'linux';
    assert.equal(
      workspaceFile('API/fox.png', [site, api]).path,
      isLinux ? 'site/API/fox.png' : 'api/fox.png',
    );
  });

  it('takes folders that begin with a dot', () => {
    for (const path of ['docs/.vitepress/public/hero.png', '.github/hero.png', '.storybook/hero.png']) {
      assert.equal(workspaceFile(path, [site]).path, path);
    }
  });

  it('refuses what leads out of the workspace, and what no image can be', () => {
    for (const path of [
      '../fox.png',
      'images/../../fox.png',
      '/etc/fox.png',
      '/work/my site-2/fox.png',
      'C:\\fox.png',
      '~/fox.png',
      'https://example.com/fox.png',
      'vscode-userdata:/fox.png',
      '.git/hooks/fox.png',
      '.GIT/fox.png',
      'git~1/fox.png',
      'images/.fox.png',
      'images/fox',
      'images/fox.svg',
      'images/.png ',
      'images/{prompt}.png',
      'images/con:fox.png',
      'aux/fox.png',
      'images/com1.d/fox.png',
      'dots./fox.png',
      'spaces /fox.png',
      'a\u0000b.png',
      '',
      '.',
    ]) {
      assert.throws(() => workspaceFile(path, [site]), { code: 'invalid_request', sent: false }, path);
    }
    assert.throws(() => workspaceFile('fox.png', []), /No project folder is open/u);
  });
});

describe('checkLinks', () => {
  it('refuses links to the files of Git, and out of the workspace', { skip: noLinkRights }, async () => {
    const folder = temporaryFolder('places');
    const root = { uri: pathToFileURL(join(folder.path, 'site')).href, name: 'site' };
    for (const name of ['site/.git/info', 'site/images', 'secret']) {
      await mkdir(join(folder.path, name), { recursive: true });
    }
    await symlink(join(folder.path, 'site/.git/info'), join(folder.path, 'site/info'));
    await symlink(join(folder.path, 'secret'), join(folder.path, 'site/secret'));
    await symlink(join(folder.path, 'site/images'), join(folder.path, 'site/pictures'));
    await assert.rejects(checkLinks(workspaceFile('info/fox.png', [root])), /leads to the files of Git/u);
    await assert.rejects(checkLinks(workspaceFile('secret/fox.png', [root])), /leads out of the workspace/u);
    await checkLinks(workspaceFile('pictures/fox.png', [root]));
  });
});

describe('checkName', () => {
  it('refuses names that a saved image would not have, and names one', () => {
    for (const [path, better] of [
      ['hero-.png', 'hero.png'],
      ['-x.webp', 'x.webp'],
      ['my  hero.png', 'my hero.png'],
      ['con.png', '_con.png'],
    ] as const) {
      assert.throws(() => checkName(workspaceFile(path, [site])), new RegExp(`Use "${better}"`, 'u'));
    }
    for (const path of ['my hero (2).png', 'a#b%20c.PNG', 'e\u0301te.jpeg', '狐.webp']) {
      checkName(workspaceFile(path, [site]));
    }
  });
});

describe('isWithin', () => {
  it('compares folders in whichever notation they are written', () => {
    const disk = { uri: 'file:///c%3A/site', name: 'site' };
    assert.ok(isWithin('file:///C:/site/images', [disk]));
    assert.ok(isWithin(site.uri.replace('%20', ' '), [site]));
    assert.ok(!isWithin(`${site.uri}-2`, [site]));
  });
});
