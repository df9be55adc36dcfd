import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { InputCopy } from '../../../../src/agents/tools/agentHost.ts';
import { fileUri, pathOfUri } from '../../../../src/common/fileUris.ts';
import type { WorkspaceFile } from '../../../../src/agents/tools/workspacePaths.ts';
import { isOfPrograms, McpHost } from '../../../../src/cli/commands/mcpHost.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { World } from '../../../support/engine/world.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { noLinkRights } from '../../../support/links.ts';

const png = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 2, lines: [0, 1, 2, 3] });

describe('the process of limner mcp', () => {
  let world: World;
  let engine: Engine;
  let host: McpHost;
  before(async () => {
    world = await World.create();
    engine = await world.open();
    host = hostWith({});
  });
  after(async () => world.dispose());

  function hostWith(variables: Record<string, string>): McpHost {
    const usual = {
      LIMNER_BASE_URL: 'https://images.example.com',
      LIMNER_API_KEY: 'key',
      LIMNER_MODEL: 'painter',
      LIMNER_HOME: world.home,
      LIMNER_WORKSPACE: world.workspace,
    };
    return new McpHost(engine, () => readEnvironment({ ...usual, ...variables }, 'linux'));
  }

  const path = (name: string): string => join(world.workspace, name);
  const uriOf = (name: string): string => fileUri(path(name));

  function place(name: string): WorkspaceFile {
    const root = fileUri(world.workspace);
    return { root, folder: uriOf(dirname(name)), fileName: basename(name), uri: uriOf(name), path: name };
  }

  function copy(name: string): InputCopy {
    return { path: path(name), uri: uriOf(name) };
  }

  it('works in the folder that is set, unless it is one that nobody means', async () => {
    assert.deepEqual(await host.roots(), [
      { uri: fileUri(world.workspace), name: basename(world.workspace) },
    ]);
    assert.deepEqual(await hostWith({ LIMNER_WORKSPACE: homedir() }).roots(), []);
    // On Windows it is a drive, which may be all of a project.
    const root = parse(homedir()).root;
    const roots = await hostWith({ LIMNER_WORKSPACE: root }).roots();
    assert.deepEqual(
      roots.map(({ uri }) => uri),
      process.platform === 'win32' ? [fileUri(root)] : [],
    );
    const here = await hostWith({ LIMNER_WORKSPACE: '' }).roots();
    assert.deepEqual(
      here.map(({ uri }) => realpathSync(pathOfUri(uri))),
      [realpathSync('.')],
    );
  });

  it('works in no home that a link leads to', { skip: noLinkRights }, async () => {
    await symlink(homedir(), path('../link-to-home'));
    assert.deepEqual(await hostWith({ LIMNER_WORKSPACE: path('../link-to-home') }).roots(), []);
  });

  it('works in no folder of programs that it happens to be started in', () => {
    const windows = resolve('/Windows');
    assert.equal(isOfPrograms(join(windows, 'System32'), { SystemRoot: windows }), true);
    assert.equal(isOfPrograms(`${windows}-project`, { SystemRoot: windows, ProgramFiles: '' }), false);
    // That of temporary files is below one of them.
    assert.equal(isOfPrograms(join(tmpdir(), 'project'), { LOCALAPPDATA: dirname(tmpdir()) }), false);
  });

  it('asks for what an agent asks for, in its place', async () => {
    await writeFile(path('boat.png'), png);
    const clear = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 4, lines: [0, 0, 0] });
    await writeFile(path('mask.png'), clear);
    const request = await host.preview(
      {
        prompt: 'a boat',
        path: 'new/boat.webp',
        n: 2,
        size: '60x40',
        quality: 'high',
        model: 'sketcher',
        transparent: true,
      },
      { target: place('new/boat.webp'), images: [copy('boat.png')], mask: copy('mask.png') },
    );
    const { images, mask, target, ...rest } = request;
    assert.deepEqual([images?.map(({ uri }) => uri), mask?.uri], [[uriOf('boat.png')], uriOf('mask.png')]);
    assert.deepEqual(rest, {
      kind: 'edit',
      prompt: 'a boat',
      model: 'sketcher',
      family: 'image',
      callStyle: 'async',
      size: '60x40',
      quality: 'high',
      imageField: 'image',
      n: 2,
      finish: {
        cutout: { by: 'key' },
        encoding: { format: 'webp', quality: 90 },
        size: { width: 60, height: 40 },
        fit: { by: 'crop' },
      },
      keepOutside: true,
      baseUrl: 'https://images.example.com',
    });
    const { root, folder, fileName } = target;
    assert.deepEqual([root, folder, fileName], [place('.').root, uriOf('new'), 'boat.webp']);
    assert.deepEqual((await readdir(world.workspace)).toSorted(), ['boat.png', 'mask.png']);
  });

  it(
    'reads nothing outside of its folder, however a path leads there when it is opened',
    { skip: noLinkRights },
    async () => {
      await writeFile(path('../hidden.png'), png);
      await symlink(path('../hidden.png'), path('exchanged.png'));
      const refusal = { message: 'The path "exchanged.png" leads out of the workspace.' };
      await assert.rejects(host.read(uriOf('exchanged.png'), 1024), refusal);
      await assert.rejects(host.sizeOf(uriOf('exchanged.png')), refusal);
      await writeFile(path('target.png'), png);
      await symlink(path('target.png'), path('within.png'));
      assert.equal(await host.sizeOf(uriOf('within.png')), png.length);
    },
  );

  it('reads no pipe, which nobody may ever write to, and no more than it is to', async (test) => {
    await writeFile(path('large.png'), Buffer.alloc(1025));
    await assert.rejects(host.read(uriOf('large.png'), 1024), /at most/u);
    if (process.platform === 'win32') {
      test.skip('There are no such files.');
      return;
    }
    execFileSync('mkfifo', [path('pipe.png')]);
    await assert.rejects(host.read(uriOf('pipe.png'), 1024), { message: 'It is a pipe or a device.' });
  });
});
