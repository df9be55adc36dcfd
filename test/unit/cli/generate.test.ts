import assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { isPng, jsonLines, World } from '../../support/cli/limner.ts';

const styles = [
  { style: 'auto', model: 'demo-painter', post: '/v1/images/generations respond-async' },
  { style: 'async', model: 'demo-sketch-a', post: '/v1/images/generations respond-async' },
  { style: 'sync', model: 'demo-painter-sync', post: '/v1/images/generations' },
  { style: 'native', model: 'demo-sketch-a', post: '/v1beta/models/demo-sketch-a:generateContent' },
  {
    style: 'nativeStream',
    model: 'demo-sketch-a',
    post: '/v1beta/models/demo-sketch-a:streamGenerateContent?alt=sse',
  },
];

describe('limner generate', { concurrency: 2 }, () => {
  for (const { style, model, post } of styles) {
    it(`saves an image and prints nothing but its path, call style ${style}`, async () => {
      await using world = await World.open();
      const { code, stdout } = await world.run([
        'generate',
        'a red fox',
        '--call-style',
        style,
        '--model',
        model,
        ...(style.startsWith('native') ? [] : ['--size', '64x64']),
      ]);
      assert.equal(stdout, `${world.path('a-red-fox.png')}\n`);
      assert.equal(code, 0);
      assert.ok(await isPng(world.path('a-red-fox.png')));
      assert.deepEqual(await world.posts(), [post]);
    });
  }

  it('names an image by the folder that it is started in, whichever links the shell took there', async () => {
    await using world = await World.open();
    const link = world.path('../links/here');
    await mkdir(dirname(link));
    await symlink(world.folder, link, 'junction');
    for (const [PWD, folder, file] of [
      [link, 'img', join(link, 'img/one.png')],
      [link, '../img', world.path('../img/two.png')],
      [dirname(link), 'img', world.path('img/three.png')],
    ] as const) {
      const args = [
        'generate',
        'a fox',
        '--size',
        '64x64',
        '--folder',
        folder,
        '--name',
        basename(file, '.png'),
      ];
      const { stdout } = await world.run(args, { PWD });
      assert.equal(stdout, `${file}\n`);
    }
  });

  it('makes one native call for each image, in one task', async () => {
    await using world = await World.open();
    const { stdout } = await world.run([
      'generate',
      'a red fox',
      '--n',
      '2',
      '--call-style',
      'native',
      '--model',
      'demo-sketch-a',
    ]);
    assert.equal(stdout.trimEnd().split('\n').length, 2);
    assert.equal((await world.posts()).length, 2);
    assert.equal((await world.tasks()).length, 1);
  });

  it('prints one line of JSON with --json, and no progress', async () => {
    await using world = await World.open();
    const { code, stdout, stderr } = await world.run(['generate', 'a red fox', '--size', '64x48', '--json']);
    const [task, ...others] = jsonLines(stdout);
    assert.deepEqual(others, []);
    assert.equal(task?.status, 'completed');
    assert.deepEqual(task.files, [world.path('a-red-fox.png')]);
    assert.deepEqual(
      task.results.map(({ saved, mediaType, width }) => ({ saved, mediaType, width })),
      [{ saved: true, mediaType: 'image/png', width: 64 }],
    );
    assert.equal(stderr, '');
    assert.equal(code, 0);
  });

  it('says once that native calls take no size', async () => {
    await using world = await World.open();
    const { code, stderr } = await world.run([
      'generate',
      'a fox',
      '--size',
      '9x9',
      '--quality',
      'high',
      '--call-style',
      'native',
      '--model',
      'demo-sketch-a',
    ]);
    assert.equal(stderr.split('have no effect in native calls').length, 2, stderr);
    assert.equal(code, 0);
  });

  it('says where it keeps what came in the place of an image and cannot be decoded', async () => {
    const text = `${'iVBORw0K'.repeat(9)}*`;
    const body = JSON.stringify({ data: [{ b64_json: text }] });
    const contentType = 'application/json';
    await using world = await World.open({
      faults: [{ kind: 'body', on: 'generations', times: 1, skip: 0, contentType, body }],
    });
    const { code, stdout, stderr } = await world.run(['generate', 'a fox', '--call-style', 'sync']);
    assert.deepEqual([code, stdout], [1, '']);
    const said =
      /^The received data isn't valid base64\. Billed\. The received data is kept in (.*?)\. Running/mu;
    assert.equal(await readFile(said.exec(stderr)?.[1] ?? stderr, 'latin1'), text);
  });

  it('saves what is paid for although nobody reads its output', async () => {
    await using world = await World.open();
    const running = world.start(['generate', 'a fox', '--size', '64x64']);
    running.child.stdout.destroy();
    running.child.stderr.destroy();
    assert.equal((await running.ended).code, 0);
    assert.deepEqual(await world.files(), ['a-fox.png']);
  });
});
