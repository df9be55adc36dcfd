import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileCacheFolder } from '../../../src/cli/commands/compileCache.ts';
import { World } from '../../support/cli/limner.ts';

const own = (...names: string[]): string => join(homedir(), ...names, 'limner', 'compiled');

it('The compiled code of limner is kept where the system keeps what can be made anew', () => {
  const folders: [NodeJS.Platform, NodeJS.ProcessEnv, string][] = [
    ['win32', { LOCALAPPDATA: 'local', XDG_CACHE_HOME: 'no' }, join('local', 'limner', 'compiled')],
    ['win32', { LOCALAPPDATA: '' }, own('AppData', 'Local')],
    ['darwin', { LOCALAPPDATA: 'no', XDG_CACHE_HOME: 'no' }, own('Library', 'Caches')],
    ['linux', { LOCALAPPDATA: 'no', XDG_CACHE_HOME: 'caches' }, join('caches', 'limner', 'compiled')],
    ['linux', { XDG_CACHE_HOME: '' }, own('.cache')],
    ['freebsd', {}, own('.cache')],
  ];
  for (const [platform, variables, folder] of folders) {
    assert.equal(compileCacheFolder(variables, platform), folder);
  }
});

describe('the compiled code of limner', { skip: process.platform !== 'linux' }, () => {
  it('is kept in a folder of this person that nobody else can write to', async () => {
    await using world = await World.open();
    const caches = world.path('caches');
    assert.equal((await world.run(['--version'], { XDG_CACHE_HOME: caches })).code, 0);
    const folder = join(caches, 'limner', 'compiled');
    assert.notDeepEqual(await readdir(folder, { recursive: true }), []);
    for (const made of [caches, join(caches, 'limner'), folder]) {
      assert.equal((await stat(made)).mode & 0o022, 0, made);
    }
  });

  it('is not missed where that folder cannot be made', async () => {
    await using world = await World.open();
    await world.write('caches', 'a file');
    const { code, stderr } = await world.run(['--version'], { XDG_CACHE_HOME: world.path('caches') });
    assert.deepEqual([code, stderr], [0, '']);
  });
});
