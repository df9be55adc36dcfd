import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, parse, toNamespacedPath } from 'node:path';
import { describe, it } from 'node:test';
import { isPng, jsonLines, linesOf, type World } from '../support/cli/limner.ts';
import { openShipped } from './shipped.ts';

const size = ['--size', '64x64'];

/** Makes an image, and returns the path that is printed. */
async function made(world: World, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await world.run(['generate', 'a fox', ...args]);
  assert.equal(code, 0, stderr);
  const [path = ''] = linesOf(stdout);
  assert.ok(await isPng(path), path);
  return path;
}

/** The same path, with the drive in the other case. */
function otherDrive(path: string): string {
  const [drive = ''] = path;
  return (drive === drive.toLowerCase() ? drive.toUpperCase() : drive.toLowerCase()) + path.slice(1);
}

describe('limner', () => {
  for (const style of ['async', 'sync', 'native', 'nativeStream']) {
    it(`generates: ${style}`, async () => {
      await using world = await openShipped();
      const model = style.startsWith('native') ? ['--model', 'demo-sketch-a'] : size;
      const path = await made(world, '--call-style', style, ...model);
      assert.equal(path.toLowerCase(), world.path('a-fox.png').toLowerCase());
      assert.deepEqual(await world.ledger(), ['settled']);
    });
  }

  it('edits, however the image is named', async () => {
    await using world = await openShipped();
    await mkdir(world.path('éa'));
    await world.picture(join('éa', 'fox.png'));
    const whole = world.path(String.raw`éa\fox.png`);
    const names = [
      String.raw`éa\fox.png`,
      String.raw`.\ÉA\FOX.PNG`,
      otherDrive(whole),
      whole.replaceAll('\\', '/'),
      toNamespacedPath(whole),
    ];
    for (const [index, name] of names.entries()) {
      const args = ['edit', 'red', '--image', name, '--name', `edited-${index}.png`, ...size];
      const { code, stderr } = await world.run(args);
      assert.equal(code, 0, `${name}: ${stderr}`);
      assert.ok(await isPng(world.path(`edited-${index}.png`)), name);
    }
    assert.equal((await world.ledger()).length, names.length);
  });

  it('gives each name that Windows has no file for another one', async () => {
    await using world = await openShipped();
    const names = ['CON', 'nul.png', 'LPT¹', 'a:b?', 'dots...', '👨‍👩‍👧'.repeat(40)];
    for (const name of names) {
      const before = await world.files();
      const path = await made(world, '--name', name, ...size);
      const added = (await world.files()).filter((file) => !before.includes(file));
      assert.deepEqual(added, [basename(path)], name);
      assert.doesNotMatch(basename(path), /^(?:con|nul|lpt[\d¹])(?:\.|$)|[:?*<>"|\t]|\.{2}/iu);
    }
    assert.equal((await world.ledger()).length, names.length);
  });

  it('saves to folders in each notation', async () => {
    await using world = await openShipped();
    const { root } = parse(world.folder);
    const below = world.folder.slice(root.length);
    const names = [
      String.raw`new\images`,
      String.raw`NEW\Images`,
      otherDrive(world.path('new/images')),
      `${root.slice(0, 2)}new\\images`,
      `\\${below}\\new\\images`,
      toNamespacedPath(world.path('new/images')),
    ];
    for (const [index, folder] of names.entries()) {
      const path = await made(world, '--folder', folder, '--name', `fox-${index}.png`, ...size);
      assert.equal(path.toLowerCase(), world.path(`new/images/fox-${index}.png`).toLowerCase(), folder);
    }
    assert.deepEqual(await world.files(), ['new']);
  });

  it('refuses folders and files that Windows has no name for before anything is sent', async () => {
    await using world = await openShipped();
    await writeFile(world.path('file.txt'), '');
    const folders = [
      'nul',
      String.raw`aux\x`,
      'com1.d',
      'dots.',
      'spaces ',
      'file.txt',
      String.raw`Q:\images`,
    ];
    for (const folder of [...folders, String.raw`\\no-such-host\share\images`]) {
      const { code, stderr } = await world.run(['generate', 'a fox', '--folder', folder]);
      assert.notEqual(code, 0, folder);
      assert.doesNotMatch(stderr, /\b(?:E[A-Z]{4,}|UNKNOWN)\b/u, folder);
    }
    for (const image of ['nul', 'no.png', String.raw`Q:\fox.png`]) {
      const { code, stderr } = await world.run(['edit', 'red', '--image', image]);
      assert.equal(code, 2, stderr);
    }
    assert.deepEqual(await world.posts(), []);
    assert.deepEqual(await world.files(), ['file.txt']);
  });

  it('replaces nothing, whatever the case of its name', async () => {
    await using world = await openShipped();
    await writeFile(world.path('Fox.PNG'), 'mine');
    await made(world, '--name', 'fox.png', ...size);
    assert.equal(await readFile(world.path('Fox.PNG'), 'utf8'), 'mine');
    assert.equal((await world.files()).length, 2);
  });

  it('lists what it made, from a prompt with the line breaks of Windows', async () => {
    await using world = await openShipped();
    const running = world.start(['generate', '-', '--name', 'fox.png', ...size, '--json']);
    running.child.stdin.end('\uFEFFa fox\r\nin the snow\r\n');
    const { code, stdout, stderr } = await running.ended;
    assert.equal(code, 0, stderr);
    const [task] = await world.tasks();
    assert.deepEqual(task?.files, jsonLines(stdout)[0]?.files);
    assert.equal(task?.files[0]?.toLowerCase(), world.path('fox.png').toLowerCase());
    assert.match((await world.run(['tasks', '--json'])).stdout, /"prompt":"a fox\\r\\nin the snow"/u);
  });

  it('makes new files of what a pattern matches, which no shell there expands', async () => {
    await using world = await openShipped();
    await world.picture('one.png');
    await world.picture('two.png');
    const { code, stdout, stderr } = await world.run(['finish', '*.png', '--format', 'webp']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      linesOf(stdout).map((path) => basename(path)),
      ['one.webp', 'two.webp'],
    );
  });

  it('shows its examples as PowerShell takes them', async () => {
    await using world = await openShipped();
    const { stdout } = await world.run(['generate', '--help']);
    assert.match(stdout, /ConvertFrom-Json/u);
    assert.doesNotMatch(stdout, /\bjq\b/u);
  });
});
