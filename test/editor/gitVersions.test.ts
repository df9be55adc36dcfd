import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { GitFile, type GitVersion } from '../../src/vscode/ask/gitVersions.ts';
import { fileOf, gone } from '../../src/vscode/ask/versionFiles.ts';
import { ShownFiles } from '../../src/vscode/studio/studioImages.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** A picture with a name in it. */
const picture = (name: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><title>${name}</title></svg>`;

const pointer = (image: string): string => {
  const oid = createHash('sha256').update(image).digest('hex');
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${image.length}\n`;
};

function gitIn(cwd: string, ...words: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=Fox', '-c', 'user.email=fox@example.com', ...words], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

/** What is offered for a file, and the version that is picked of it. */
async function picked(path: string, index: number): Promise<[labels: string[], version: GitVersion]> {
  const { showQuickPick } = vscode.window;
  let offered: readonly vscode.QuickPickItem[] = [];
  Object.assign(vscode.window, {
    showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
      offered = items;
      return Promise.resolve(items.at(index));
    },
  });
  try {
    const version = await (await GitFile.open(vscode.Uri.file(path))).pickCommit();
    return [offered.map(({ label }) => label), version];
  } finally {
    Object.assign(vscode.window, { showQuickPick });
  }
}

describe('a version of an image', () => {
  const elsewhere = temporaryFolder('git-versions');
  const kept = temporaryFolder('git-kept');
  const files = new ShownFiles(vscode.Uri.file(kept.path));
  const root = join(elsewhere.path, 'an app');
  const pathOf = (name: string): string => join(root, name);
  const git = (...words: readonly string[]): string => gitIn(root, ...words);
  const commit = (message: string): void => {
    git('add', '-A');
    git('commit', '-qm', message);
  };
  const draw = (name: string, content: string): void => {
    mkdirSync(dirname(pathOf(name)), { recursive: true });
    writeFileSync(pathOf(name), content);
  };
  const keptFile = async (version: GitVersion): Promise<string> => {
    const file = await fileOf(version, async (name, write) => files.keep(name, write));
    if (!file) {
      throw gone(version);
    }
    return readFileSync(file.fsPath, 'utf8');
  };
  const inHead = async (path: string): Promise<string> =>
    keptFile((await GitFile.open(vscode.Uri.file(path))).head());

  before(function () {
    if (spawnSync('git', ['--version']).error) {
      // A machine without Git has no versions.
      this.skip();
    }
    mkdirSync(root);
    git('init', '-q');
    draw('first.svg', picture('one'));
    commit('Draw');
  });
  after(() => {
    elsewhere.remove();
    kept.remove();
  });

  it('is read from a repository that is not open, whatever its folders and files are called', async () => {
    const name = 'a \'pretty\' "füchs" [1] #2 100%.svg';
    draw(`in/${name}`, picture('pretty'));
    commit('Draw with a name');
    draw(`in/${name}`, picture('changed'));
    assert.equal(await inHead(pathOf(`in/${name}`)), picture('pretty'));
    git('worktree', 'add', '-q', '--detach', join(elsewhere.path, 'tree'));
    assert.equal(await inHead(join(elsewhere.path, 'tree/in', name)), picture('pretty'));
    gitIn(elsewhere.path, 'init', '-q', 'outer');
    const outer = join(elsewhere.path, 'outer');
    gitIn(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'inner');
    assert.equal(await inHead(join(outer, 'inner/in', name)), picture('pretty'));
  });

  it('is found under the names that it had before', async () => {
    for (const [from, to] of [
      ['first.svg', 'Second.svg'],
      ['Second.svg', 'deep/third.svg'],
    ] as const) {
      mkdirSync(dirname(pathOf(to)), { recursive: true });
      renameSync(pathOf(from), pathOf(to));
      commit(`Rename to ${to}`);
      draw(to, picture(to));
      commit(`Change ${to}`);
    }
    const [labels, first] = await picked(pathOf('deep/third.svg'), -1);
    assert.deepEqual(labels, [
      'Change deep/third.svg',
      'Rename to deep/third.svg',
      'Change Second.svg',
      'Rename to Second.svg',
      'Draw',
    ]);
    assert.equal(await keptFile(first), picture('one'));
    const [, third] = await picked(pathOf('deep/third.svg'), 2);
    assert.equal(await keptFile(third), picture('Second.svg'));
  });

  it('has the bytes that Git keeps, not what a comparison of texts would show', async () => {
    draw('.gitattributes', '*.jpg diff=words\n');
    draw('photo.jpg', 'the bytes');
    commit('Add a photo');
    git('config', 'diff.words.textconv', 'wc');
    assert.equal(await inHead(pathOf('photo.jpg')), 'the bytes');
  });

  it('is the image behind a symbolic link', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    draw('target.svg', picture('target'));
    mkdirSync(pathOf('links'));
    symlinkSync('../target.svg', pathOf('links/link.svg'));
    symlinkSync('../nowhere.svg', pathOf('links/broken.svg'));
    commit('Link');
    assert.equal(await inHead(pathOf('links/link.svg')), picture('target'));
    await assert.rejects(inHead(pathOf('links/broken.svg')), /broken\.svg \(HEAD \w{7}\) was not found/u);
  });

  it('is the image that Git LFS has for it, also in a worktree', async () => {
    const [there, absent] = [picture('large'), picture('absent')];
    draw('large.svg', pointer(there));
    draw('absent.svg', pointer(absent));
    commit('Add pointers');
    const object = createHash('sha256').update(there).digest('hex');
    draw(`.git/lfs/objects/${object.slice(0, 2)}/${object.slice(2, 4)}/${object}`, there);
    assert.equal(await inHead(pathOf('large.svg')), there);
    assert.equal(await keptFile({ uri: vscode.Uri.file(pathOf('large.svg')), name: 'Working Tree' }), there);
    git('worktree', 'add', '-q', '--detach', join(elsewhere.path, 'large tree'));
    assert.equal(await inHead(join(elsewhere.path, 'large tree/large.svg')), there);
    git('config', 'lfs.storage', '../../elsewhere');
    const [elsewhereToo, other] = [picture('elsewhere'), pathOf('elsewhere.svg')];
    draw('elsewhere.svg', pointer(elsewhereToo));
    const id = createHash('sha256').update(elsewhereToo).digest('hex');
    draw(`../elsewhere/objects/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`, elsewhereToo);
    assert.equal(await keptFile({ uri: vscode.Uri.file(other), name: 'Working Tree' }), elsewhereToo);
    const head = git('rev-parse', 'HEAD');
    await assert.rejects(
      inHead(pathOf('absent.svg')),
      new RegExp(`pointer of Git LFS.*git lfs fetch origin ${head}$`, 'u'),
    );
    await assert.rejects(
      keptFile({ uri: vscode.Uri.file(pathOf('absent.svg')), name: 'Working Tree' }),
      /pointer of Git LFS.*git lfs pull$/u,
    );
  });

  it('is missed with the reason where a clone has only a part', async () => {
    git('config', 'uploadpack.allowFilter', 'true');
    const part = join(elsewhere.path, 'part');
    gitIn(elsewhere.path, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${root}`, part);
    gitIn(part, 'config', 'remote.origin.url', 'file:///nowhere');
    mkdirSync(join(part, 'deep'));
    const file = join(part, 'deep/third.svg');
    writeFileSync(file, picture('here'));
    await assert.rejects(inHead(file), /Git has no bytes of this version here/u);
  });
});
