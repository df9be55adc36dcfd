import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join, parse, toNamespacedPath } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { writeLauncher } from '../../src/vscode/agents/launcherFiles.ts';
import { isPng, World } from '../support/cli/limner.ts';
import { McpSession, textOf } from '../support/cli/mcpSession.ts';
import { projectFolder } from '../support/folders.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { openShipped } from './shipped.ts';

const fox = { prompt: 'a fox', size: '64x64' };

describe('limner mcp', () => {
  it('takes paths in each notation, and names the files with slashes', async () => {
    await using world = await openShipped();
    await using session = await McpSession.open(world);
    const whole = world.path(String.raw`images\fox`);
    const notations = [
      String.raw`images\fox`,
      'images/fox',
      String.raw`.\images\fox`,
      whole,
      whole.toUpperCase(),
      whole.replaceAll('\\', '/'),
      whole.slice(0, 1).toLowerCase() + whole.slice(1),
    ];
    for (const [index, notation] of notations.entries()) {
      const path = `${notation}-${index}.png`;
      const text = textOf(await session.call('limner_generate_image', { ...fox, path }));
      assert.match(text, new RegExp(`^Saved images/fox-${index}\\.png \\(PNG, `, 'imu'), path);
      assert.ok(await isPng(world.path(`images/fox-${index}.png`)), path);
    }
    const edit = { prompt: 'red', images: [String.raw`images\fox-0.png`, whole.concat('-1.png')] };
    const edited = await session.call('limner_edit_image', { ...edit, path: String.raw`images\red.png` });
    assert.match(textOf(edited), /^Saved images\/red\.png /mu);
    assert.equal((await world.ledger()).length, notations.length + 1);
  });

  it('refuses what is outside of the workspace, or has no name on Windows, before anything is sent', async () => {
    await using world = await openShipped();
    await using session = await McpSession.open(world);
    const { root } = parse(world.folder);
    const paths = [
      String.raw`..\fox.png`,
      String.raw`images\..\..\fox.png`,
      `${root}fox.png`,
      String.raw`\fox.png`,
      String.raw`Q:\fox.png`,
      'Q:fox.png',
      String.raw`\\server\share\fox.png`,
      toNamespacedPath(`${root}fox.png`),
      String.raw`aux\fox.png`,
      'nul.png',
      'a:b.png',
      String.raw`.git\fox.png`,
      String.raw`.GIT\fox.png`,
      String.raw`dots.\fox.png`,
    ];
    for (const path of paths) {
      const { isError, ...result } = await session.call('limner_generate_image', { ...fox, path });
      assert.equal(isError, true, path);
      assert.match(textOf(result), /^Cost: none\./mu, path);
    }
    assert.deepEqual(await world.posts(), []);
    assert.deepEqual(await world.files(), []);
  });

  it('replaces a file after asking, and gives its images as resources', async () => {
    await using world = await openShipped();
    await using session = await McpSession.open(world, { answer: 'accept' });
    await writeFile(world.path('Fox.png'), 'old');
    const result = await session.call('limner_generate_image', { ...fox, path: 'Fox.png', overwrite: true });
    assert.match(textOf(result), /^Saved Fox\.png /mu);
    assert.ok(await isPng(world.path('Fox.png')));
    const [image] = (await session.client.listResources()).resources;
    assert.ok(image);
    assert.equal(image.uri.toLowerCase(), pathToFileURL(world.path('Fox.png')).href.toLowerCase());
    const [content] = (await session.client.readResource({ uri: image.uri })).contents;
    assert.ok(content && 'blob' in content);
    assert.deepEqual(Buffer.from(content.blob, 'base64'), await readFile(world.path('Fox.png')));
    assert.match(textOf(await session.call('limner_list_tasks', {})), /generate "a fox", Fox\.png$/mu);
  });
});

describe('the launcher of limner mcp', () => {
  it('serves agents from a folder with signs that cmd has a meaning for', async () => {
    const { path, remove } = temporaryFolder('launcher');
    const folder = join(path, 'Ada & Bob %TEMP% (é)');
    await writeLauncher({
      folder,
      extension: projectFolder,
      node: process.execPath,
      settings: '',
      environment: {},
    });
    {
      await using world = await World.open({}, join(folder, 'launcher.js'));
      await using session = await McpSession.open(world);
      const result = await session.call('limner_generate_image', {
        ...fox,
        path: String.raw`images\fox.png`,
      });
      assert.match(textOf(result), /^Saved images\/fox\.png /mu);
      assert.deepEqual(await world.ledger(), ['settled']);
    }
    remove();
  });
});
