import assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pngFile } from '../../support/images/pngFile.ts';
import { apiKey, isPng, jsonLines, World } from '../../support/cli/limner.ts';

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
      ]);
      assert.equal(stdout, `${world.path('a-red-fox.png')}\n`);
      assert.equal(code, 0);
      assert.ok(await isPng(world.path('a-red-fox.png')));
      assert.deepEqual(await world.posts(), [post]);
    });
  }

  it('prints several images in their order', async () => {
    await using world = await World.open();
    const args = ['generate', 'a red fox', '--n', '3', '--size', '64x64', '--name', 'fox-{index}'];
    const { code, stdout } = await world.run(args);
    assert.deepEqual(
      stdout.trimEnd().split('\n'),
      ['fox-1.png', 'fox-2.png', 'fox-3.png'].map((name) => world.path(name)),
    );
    assert.equal(code, 0);
    assert.equal((await world.posts()).length, 1);
  });

  it('names an image by the folder as it was given, whichever links lead there', async () => {
    await using world = await World.open();
    await mkdir(world.path('real'));
    await symlink('real', world.path('link'), 'junction');
    const { stdout } = await world.run(['generate', 'a fox', '--folder', 'link/img', '--name', 'fox']);
    assert.equal(stdout, `${world.path('link/img/fox.png')}\n`);
    assert.ok(await isPng(world.path('real/img/fox.png')));
  });

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
      const args = ['generate', 'a fox', '--folder', folder, '--name', basename(file, '.png')];
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

  it('waits for an image that its host does not have yet, and says so', async () => {
    const missing = { kind: 'status', on: 'image', skip: 0, code: '', message: '', headers: {} } as const;
    await using world = await World.open({ faults: [{ ...missing, status: 404, times: 2 }] });
    const { code, stdout, stderr } = await world.run(['generate', 'a red fox', '--size', '64x64']);
    assert.equal(stdout, `${world.path('a-red-fox.png')}\n`, stderr);
    assert.match(stderr, /The image's host doesn't have it yet \(HTTP 404\), next try in \d s\n/u);
    assert.equal(code, 0);
    assert.equal((await world.posts()).length, 1);
  });

  it('says which image seems cut off, saves it, and fails', async () => {
    const whole = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] });
    const data = [whole, whole.subarray(0, -12)].map((bytes) => ({ b64_json: bytes.toString('base64') }));
    const answer = { contentType: 'application/json', body: JSON.stringify({ created: 1, data }) };
    const fault = { kind: 'body', on: 'generations', times: 1, skip: 0, ...answer } as const;
    await using world = await World.open({ faults: [fault] });
    const { code, stderr } = await world.run(['generate', 'a fox', '--n', '2', '--call-style', 'sync']);
    assert.match(stderr, /^Image 2 of 2 appears to be truncated\. It was saved as received\.$/mu);
    assert.deepEqual([code, await world.files()], [1, ['a-fox-2.png', 'a-fox.png']]);
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

  it('says each step once where there is no terminal', async () => {
    await using world = await World.open();
    const { stderr } = await world.run(['generate', 'a red fox', '--size', '64x64']);
    const lines = stderr.trimEnd().split('\n');
    assert.equal(new Set(lines).size, lines.length, stderr);
    assert.ok(lines.includes('sending') && lines.includes('saving'), stderr);
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

  it('reads the prompt from standard input', async () => {
    await using world = await World.open();
    const running = world.start(['generate', '-', '--call-style', 'sync', '--size', '64x64']);
    running.child.stdin.end('a paper boat\n');
    assert.equal((await running.ended).stdout, `${world.path('a-paper-boat.png')}\n`);
  });

  it('makes the folder', async () => {
    await using world = await World.open();
    const args = ['generate', 'a fox', '--call-style', 'sync', '--size', '64x64', '--folder', 'deep/er'];
    assert.equal((await world.run(args)).stdout, `${world.path('deep/er/a-fox.png')}\n`);
  });

  it('says that a failed task is refunded', async () => {
    await using world = await World.open();
    const { code, stdout, stderr } = await world.run(['generate', 'demo:fail', '--json']);
    assert.equal(code, 1);
    assert.equal(jsonLines(stdout)[0]?.error?.code, 'image_generation_failed');
    assert.match(stderr, /Refunded\./);
    assert.deepEqual(await world.ledger(), ['refunded']);
  });

  it('takes fewer images than it asked for as they are, says so, and fails', async () => {
    await using world = await World.open();
    const args = ['generate', 'demo:fewer', '--n', '2', '--call-style', 'sync', '--size', '64x64'];
    const { code, stdout, stderr } = await world.run(args);
    assert.equal(stdout.trimEnd().split('\n').length, 1);
    assert.match(stderr, /The service returned 1 of 2 images/);
    assert.equal(code, 1);
  });

  it('offers a synchronous call where there is no asynchronous channel, without making it', async () => {
    await using world = await World.open();
    const { code, stderr } = await world.run(['generate', 'a fox', '--model', 'demo-painter-sync']);
    assert.equal(code, 1);
    assert.match(stderr, /Not billed\. Try --call-style sync\./);
    assert.equal((await world.posts()).length, 1);
  });

  it('exits with 3 when the connection breaks before the answer, and does not send again', async () => {
    await using world = await World.open({
      faults: [{ kind: 'reset', on: 'generations', times: 1, skip: 0, when: 'after' }],
    });
    const { code, stderr } = await world.run(['generate', 'a fox']);
    assert.equal(code, 3);
    assert.match(stderr, /May have been billed\. Check your account/);
    assert.equal((await world.posts()).length, 1);
  });

  it('says which of several images is not saved, and where its bytes are', async () => {
    const whole = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] });
    const foreign = Buffer.from('GIF89a, which is not taken');
    const data = [whole, foreign].map((bytes) => ({ b64_json: bytes.toString('base64') }));
    const answer = { contentType: 'application/json', body: JSON.stringify({ created: 1, data }) };
    const fault = { kind: 'body', on: 'generations', times: 1, skip: 0, ...answer } as const;
    await using world = await World.open({ faults: [fault] });
    const { code, stdout, stderr } = await world.run([
      'generate',
      'a fox',
      '--n',
      '2',
      '--call-style',
      'sync',
    ]);
    assert.equal(code, 1);
    assert.equal(stdout.trimEnd().split('\n').length, 1);
    assert.match(stderr, /Image 2 of 2 wasn't saved\. .* Billed; the received data is in .*inbox/);
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
      /^The image wasn't saved\. The received data isn't valid base64\. Billed; the received data is in (.*)\.$/mu;
    assert.equal(await readFile(said.exec(stderr)?.[1] ?? stderr, 'latin1'), text);
  });

  it('says what to do about a key that the service does not take', async () => {
    await using world = await World.open();
    const { code, stderr } = await world.run(['generate', 'a fox'], { LIMNER_API_KEY: 'wrong' });
    assert.equal(code, 1);
    assert.match(stderr, /Not billed\. Check LIMNER_API_KEY\./);
  });

  it('writes the key nowhere', async () => {
    await using world = await World.open();
    const { code, stdout, stderr } = await world.run([
      'generate',
      'a fox',
      '--size',
      '64x64',
      '--json',
      '--verbose',
    ]);
    assert.equal(code, 0);
    assert.match(stderr, /POST .*\/v1\/images\/generations 202/);
    assert.ok(!`${stdout}${stderr}${await world.stored()}`.includes(apiKey));
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
