import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { InputCopy } from '../../../../src/agents/agentHost.ts';
import { fileUri, pathOfUri } from '../../../../src/common/disk/fileUris.ts';
import type { Place } from '../../../../src/agents/places.ts';
import { isOfPrograms } from '../../../../src/cli/commands/programFolders.ts';
import { McpHost } from '../../../../src/cli/commands/mcpHost.ts';
import { listImages, readImage } from '../../../../src/cli/mcp/imageResources.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';
import type { Engine } from '../../../../src/engine.ts';
import { newTaskId } from '../../../../src/tasks/taskId.ts';
import type { TaskResult } from '../../../../src/tasks/task.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { World } from '../../../support/engine/world.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { noLinkRights } from '../../../support/links.ts';
import { withTemporaryFolder } from '../../../support/temporaryFolder.ts';

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

  function place(name: string): Place {
    const root = fileUri(world.workspace);
    return { root, folder: uriOf(dirname(name)), fileName: basename(name), uri: uriOf(name), path: name };
  }

  function copy(name: string): InputCopy {
    return { path: path(name), uri: uriOf(name) };
  }

  function remarks(changes: Partial<TaskResult>): readonly string[] {
    return host.remarksOn(aRequest(), aResult({ state: 'saved', ...changes }));
  }

  let at = 1_700_000_000_000;

  /** Adds a task of an hour later, with files in a folder. */
  async function add(folder: string, results: Partial<TaskResult>[]): Promise<void> {
    at += 3_600_000;
    const target = { folder: uriOf(folder), root: uriOf('.'), fileName: '{prompt}' };
    await engine.store.add(
      aTask({
        id: newTaskId(at),
        status: 'completed',
        request: aRequest({ target }),
        results: results.map((result, index) => aResult({ index, ...result })),
      }),
    );
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

  it('names files from there, and others as they are', () => {
    assert.equal(host.nameOf(uriOf('images/a fox.png')), 'images/a fox.png');
    const outside = join(dirname(world.workspace), 'fox.png');
    assert.equal(host.nameOf(fileUri(outside)), outside);
  });

  it('offers the models that are listed or priced, with the usual one, each once', () => {
    assert.deepEqual(host.models(), []);
    const models = '[{"id": "a"}, {"id": "b"}]';
    assert.deepEqual(hostWith({ LIMNER_MODELS: models }).models(), ['a', 'b', 'painter']);
    assert.deepEqual(hostWith({ LIMNER_MODELS: models, LIMNER_MODEL: 'b' }).models(), ['a', 'b']);
    assert.deepEqual(hostWith({ LIMNER_MODELS: models, LIMNER_MODEL: '' }).models(), ['a', 'b']);
    assert.deepEqual(hostWith({ LIMNER_PRICES: '{"c": 1}' }).models(), ['c', 'painter']);
    assert.deepEqual(hostWith({ LIMNER_PRICES: '{"c": 1}', LIMNER_AGENTS_DAILY_LIMIT: '7' }).limits(), {
      session: 20,
      day: 7,
    });
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

  it('asks for no more than an agent asks for, and makes the folder only once it is built', async () => {
    const places = { target: place('built/fox.png'), images: [], mask: undefined };
    const input = { prompt: 'a fox', path: 'built/fox.png' };
    const [seen, { request: built, notes }] = [
      await host.preview(input, places),
      await host.build(input, places),
    ];
    assert.deepEqual(notes, []);
    assert.deepEqual(built, {
      kind: 'generate',
      prompt: 'a fox',
      model: 'painter',
      family: 'image',
      callStyle: 'async',
      n: 1,
      finish: { encoding: { format: 'png' } },
      baseUrl: 'https://images.example.com',
      target: { root: place('.').root, folder: uriOf('built'), fileName: 'fox.png' },
    });
    assert.deepEqual({ ...seen, target: built.target }, built);
    assert.deepEqual(await readdir(path('built')), []);
    const fitted = { ...input, size: '9x8', fit: 'stretch' } as const;
    const { finish } = await host.preview(fitted, places);
    assert.deepEqual([finish?.size, finish?.fit], [{ width: 9, height: 8 }, { by: 'stretch' }]);
  });

  it('reads files, and knows none from one that it cannot read', async () => {
    await writeFile(path('text.png'), 'text');
    assert.equal(Buffer.from((await host.read(uriOf('text.png'))) ?? []).toString(), 'text');
    assert.equal(await host.read(uriOf('none.png')), undefined);
    await assert.rejects(host.read(uriOf('.')), { code: 'EISDIR' });
  });

  it(
    'reads nothing outside of its folder, however a path leads there when it is opened',
    { skip: noLinkRights },
    async () => {
      await writeFile(path('../hidden.png'), png);
      await symlink(path('../hidden.png'), path('exchanged.png'));
      const refusal = { message: 'The path "exchanged.png" leads out of the workspace.' };
      await assert.rejects(host.read(uriOf('exchanged.png')), refusal);
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
    await assert.rejects(host.read(uriOf('pipe.png')), { message: 'It is a pipe or a device.' });
  });

  it('publishes under the first name that is free, and leaves nothing else', async (test) => {
    const temporary = path('temporary');
    await mkdir(temporary);
    withTemporaryFolder(test, temporary);
    const files = [];
    for (const bytes of ['one', 'two']) {
      files.push(await host.publish(Buffer.from(bytes), place('made/icon.png')));
    }
    assert.deepEqual(files, [uriOf('made/icon.png'), uriOf('made/icon-2.png')]);
    assert.equal(await readFile(path('made/icon-2.png'), 'utf8'), 'two');
    assert.deepEqual((await readdir(path('made'))).toSorted(), ['icon-2.png', 'icon.png']);
    assert.deepEqual(await readdir(temporary), []);
    await writeFile(path('file'), '');
    await assert.rejects(host.publish(Buffer.from('one'), place('file/icon.png')), {
      code: 'save_failed',
      billing: 'no',
    });
  });

  it('says how an image was made', () => {
    assert.deepEqual(remarks({}), []);
    assert.deepEqual(remarks({ finished: { problem: 'It is too large.' } }), [
      'It is too large. It was saved as received.',
    ]);
    const got = { width: 9, height: 8 };
    assert.deepEqual(remarks({ finished: { got, scaled: 'up' }, lostCredentials: true }), [
      'Scaled up: details were invented.',
      'The Content Credentials were left out: they hold for the original only.',
    ]);
  });

  it('lists the newest images of the folder that are there', async () => {
    await add('.', [
      { state: 'saved', uri: uriOf('old.webp'), mediaType: 'image/webp' },
      { state: 'remote', uri: uriOf('remote.png') },
    ]);
    await add('..', [{ state: 'saved', uri: uriOf('../outside.png') }]);
    await add('made', [
      { state: 'saved', uri: uriOf('made/a fox.png') },
      { state: 'saved', uri: uriOf('made/gone.png'), discarded: { path: '/w/kept', at } },
      { state: 'saved' },
    ]);
    assert.deepEqual(await listImages(host), [
      { uri: uriOf('made/a fox.png'), name: 'made/a fox.png', mimeType: 'image/png' },
      { uri: uriOf('old.webp'), name: 'old.webp', mimeType: 'image/webp' },
    ]);
  });

  it('reads the images of the folder that Limner made, and no others', async () => {
    await add('.', [
      ...['read.png', 'text.webp', 'folder.png'].map(
        (name) => ({ state: 'saved', uri: uriOf(name) }) as const,
      ),
      { state: 'remote', uri: uriOf('never.png') },
      { state: 'saved', uri: uriOf('hidden.png'), discarded: { path: '/w/kept', at } },
    ]);
    for (const name of ['read.png', 'never.png', 'hidden.png', 'foreign.png']) {
      await writeFile(path(name), png);
    }
    await writeFile(path('text.webp'), 'text');
    await mkdir(path('folder.png'));
    await writeFile(path('../secret.png'), png);
    assert.deepEqual(await readImage(host, uriOf('read.png')), {
      uri: uriOf('read.png'),
      mimeType: 'image/png',
      blob: png.toString('base64'),
    });
    for (const [name, message] of [
      ['text.webp', 'The file "text.webp" is no longer an image.'],
      ['folder.png', /EISDIR/u],
      ['never.png', 'The file "never.png" is no image that Limner made.'],
      ['hidden.png', 'The file "hidden.png" is no image that Limner made.'],
      ['foreign.png', 'The file "foreign.png" is no image that Limner made.'],
      ['old.webp', 'The file "old.webp" does not exist.'],
      ['../secret.png', /outside the workspace/u],
    ] as const) {
      await assert.rejects(readImage(host, uriOf(name)), { message }, name);
    }
  });

  it('reads no image that a link leads out to', { skip: noLinkRights }, async () => {
    await add('.', [{ state: 'saved', uri: uriOf('way-out.png') }]);
    await writeFile(path('../secret.png'), png);
    await symlink(path('../secret.png'), path('way-out.png'));
    await assert.rejects(readImage(host, uriOf('way-out.png')), {
      message: 'The path "way-out.png" leads out of the workspace.',
    });
  });
});
