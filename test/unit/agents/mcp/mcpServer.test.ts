import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { fileUri } from '../../../../src/common/fileUris.ts';
import type { DemoServiceOptions } from '../../../../src/demo/endpoints/options.ts';
import { World } from '../../../support/cli/limner.ts';
import { eventually } from '../../../support/eventually.ts';
import { McpSession, textOf } from '../../../support/cli/mcpSession.ts';

const hour = 3_600_000;
const frozen: DemoServiceOptions = { clock: 'frozen', taskDuration: hour };
const fox = {
  prompt: 'a fox in the snow',
  path: 'public/images/fox.png',
  size: '64x64',
  altText: 'A fox',
};

describe('limner mcp', { concurrency: 2 }, () => {
  for (const era of ['legacy', 'auto'] as const) {
    it(`offers its tools with object schemas, and says which of them costs money (${era})`, async () => {
      await using world = await World.open();
      await using session = await McpSession.open(world, { era });
      const { tools } = await session.client.listTools();
      assert.equal(tools.length, 9);
      for (const { inputSchema, description = '' } of tools) {
        assert.equal(inputSchema.type, 'object');
        assert.match(description, /billed|free|costs nothing/i);
      }
    });
  }

  for (const era of ['legacy', 'auto'] as const) {
    it(`works in the folder that the client has open, where it is started in none (${era})`, async () => {
      await using world = await World.open();
      const home = dirname(world.home);
      await using session = await McpSession.open(world, {
        era,
        answer: 'accept',
        roots: [fileUri(home), fileUri(world.folder)],
        env: { LIMNER_WORKSPACE: home, LIMNER_AGENTS_CONFIRM: 'always' },
      });
      const result = await session.call('limner_generate_image', fox);
      assert.match(textOf(result), /^Saved public\/images\/fox\.png /mu);
      assert.equal(session.questions.length, 1);
      await access(world.path(fox.path));
      assert.deepEqual(await world.ledger(), ['settled']);
    });
  }

  it('saves exactly the file that was asked for, and shows it small', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world);
    const path = 'public/images/fox.webp';
    const result = await session.call('limner_generate_image', { ...fox, path, size: '300x200' });
    const text = textOf(result);
    assert.equal(result.isError, false, text);
    assert.match(
      text,
      /^Saved public\/images\/fox\.webp \(WebP, asked for 300 × 200, the service sent \d+ × \d+, saved 300 × 200, \d+ KB\)$/mu,
    );
    assert.match(text, /^Alt text: A fox$/mu);
    assert.match(text, /^Cost: the service bills 1 image\.$/mu);
    const { format, width, height } = await sharp(world.path(path)).metadata();
    assert.deepEqual([format, width, height], ['webp', 300, 200]);
    const picture = result.content.find((part) => part.type === 'image');
    assert.ok(picture);
    const small = await sharp(Buffer.from(picture.data, 'base64')).metadata();
    assert.ok(Math.max(small.width, small.height) <= 512);
    assert.ok(!text.includes(picture.data.slice(0, 40)));
    const steps = session.progress.map(({ progress }) => progress);
    assert.ok(steps.length > 0 && steps.every((step, index) => step > (steps[index - 1] ?? 0) && step < 100));
    assert.deepEqual(await world.ledger(), ['settled']);
  });

  it('makes its files resources, which can be read, and no others', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world);
    await session.call('limner_generate_image', fox);
    const uri = fileUri(world.path(fox.path));
    const { resources } = await session.client.listResources();
    assert.deepEqual(
      resources.map(({ name, mimeType }) => [name, mimeType]),
      [[fox.path, 'image/png']],
    );
    const list = textOf(await session.call('limner_list_tasks', {}));
    assert.match(list, /^\S+: completed, \S+ generate "a fox in the snow", public\/images\/fox\.png$/u);
    const { contents } = await session.client.readResource({ uri });
    const [content] = contents;
    assert.ok(content && 'blob' in content);
    assert.deepEqual(Buffer.from(content.blob, 'base64'), await readFile(world.path(fox.path)));
    await assert.rejects(
      session.client.readResource({ uri: fileUri(world.path('../home/secret.png')) }),
      /outside the workspace/u,
    );
    await world.picture('own.png');
    await assert.rejects(
      session.client.readResource({ uri: fileUri(world.path('own.png')) }),
      /is no image that Limner made/u,
    );
    await world.write('.env', 'SECRET=1');
    await rm(world.path(fox.path));
    await symlink(world.path('.env'), world.path(fox.path));
    await assert.rejects(session.client.readResource({ uri }), /is no longer an image/u);
  });

  it('bills a call once, however often it is made at the same moment and within a minute', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world);
    await using other = await McpSession.open(world);
    const results = await Promise.all(
      [session, session, other].map(async (one) => one.call('limner_generate_image', fox)),
    );
    results.push(await other.call('limner_generate_image', fox));
    for (const result of results) {
      assert.match(textOf(result), /^Saved public\/images\/fox\.png /mu);
    }
    assert.match(textOf(results[3] ?? { content: [] }), /^This call was made already\./u);
    assert.deepEqual(await world.ledger(), ['settled']);
    assert.equal((await world.posts()).length, 1);
  });

  it('bills a call once when the server is killed in its middle, and it is asked again', async () => {
    await using world = await World.open(frozen);
    const session = await McpSession.open(world);
    const lost = assert.rejects(session.call('limner_generate_image', fox), /closed/iu);
    await session.got(/queued|in progress/u);
    session.kill();
    await lost;

    await using next = await McpSession.open(world);
    const again = next.call('limner_generate_image', fox);
    await next.got(/queued|in progress/u);
    await world.demo.advance(hour);
    const text = textOf(await again);
    assert.match(text, /^This call was made already\./u);
    assert.match(text, /^Saved public\/images\/fox\.png /mu);
    assert.deepEqual(await world.ledger(), ['settled']);
    assert.equal((await world.posts()).length, 1);
  });

  it('ends, and leaves its task to the next process, when the client reads no more', async () => {
    await using world = await World.open(frozen);
    const { command, args, ...options } = world.mcp({});
    const server = spawn(command, args, options);
    const ended = once(server, 'exit');
    const params = { name: 'limner_generate_image', arguments: fox, _meta: { progressToken: 1 } };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    await eventually(
      'the service has it',
      async () => world.posts(),
      ({ length }) => length === 1,
    );
    server.stdout.destroy();
    await world.demo.advance(hour);
    await ended;

    await using next = await McpSession.open(world);
    assert.match(textOf(await next.call('limner_generate_image', fox)), /^Saved public\/images\/fox\.png /mu);
    assert.equal((await world.posts()).length, 1);
  });

  it('says that a file exists, and replaces it only once the user agreed', async () => {
    await using world = await World.open();
    await world.picture('hero.png');
    const before = await readFile(world.path('hero.png'));
    const hero = { prompt: 'a harbor', path: 'hero.png' };
    await using session = await McpSession.open(world, { answer: 'accept' });
    assert.match(
      textOf(await session.call('limner_generate_image', hero)),
      /The file "hero\.png" exists\. Choose another path, or set overwrite to true/u,
    );
    await using mute = await McpSession.open(world);
    const overwriting = { ...hero, overwrite: true };
    assert.match(
      textOf(await mute.call('limner_generate_image', overwriting)),
      /this client can't ask for it/u,
    );
    await using refusing = await McpSession.open(world, { answer: 'decline' });
    assert.match(
      textOf(await refusing.call('limner_generate_image', overwriting)),
      /^The user declined, or this client shows no questions\.\nCost: none\. Nothing was sent\.\nWhat to do: don't call the tool again/u,
    );
    assert.deepEqual(await readFile(world.path('hero.png')), before);
    assert.deepEqual(await world.posts(), []);

    const result = await session.call('limner_generate_image', overwriting);
    assert.match(textOf(result), /^Saved hero\.png /mu);
    assert.match(session.questions.join('\n'), /This replaces a file\./u);
    assert.notDeepEqual(await readFile(world.path('hero.png')), before);
    assert.deepEqual(await world.files(), ['hero.png']);
    assert.ok((await world.stored()).includes(before.toString('latin1')), 'the old file is kept');
    const again = textOf(await mute.call('limner_generate_image', overwriting));
    assert.match(again, /^This call was made already\./u);
    assert.match(again, /^Saved hero\.png /mu);
    assert.equal((await world.posts()).length, 1);
  });

  it('replaces no file that came while the user was asked, but asks again', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world, { answer: 'accept' });
    await using slow = await McpSession.open(world, {
      answer: 'accept',
      env: { LIMNER_AGENTS_CONFIRM: 'always' },
    });
    const asked = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    const questions: string[] = [];
    slow.client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      asked.resolve();
      await seen.promise;
      return questions.length === 1 ? { action: 'accept', content: {} } : { action: 'decline' };
    });
    const harbor = { prompt: 'a harbor', path: 'hero.png', overwrite: true };
    const second = slow.call('limner_generate_image', { ...harbor, prompt: 'a bridge' });
    await asked.promise;
    await session.call('limner_generate_image', harbor);
    const before = await readFile(world.path('hero.png'));
    seen.resolve();
    assert.match(textOf(await second), /The user declined/u);
    assert.doesNotMatch(questions[0] ?? '', /replaces a file/u);
    assert.match(questions[1] ?? '', /replaces a file/u);
    assert.deepEqual(await readFile(world.path('hero.png')), before);
    assert.equal((await world.posts()).length, 1);
  });

  it('takes no agreement to a free call for one to calls that cost something', async () => {
    await using world = await World.open();
    await world.picture('icon.png');
    await using session = await McpSession.open(world, {
      answer: 'accept',
      env: { LIMNER_AGENTS_CONFIRM: 'session' },
    });
    const finish = { image: 'icon.png', path: 'icon.png', size: '32x32', overwrite: true };
    assert.match(textOf(await session.call('limner_finish_image', finish)), /^Saved icon\.png /mu);
    await session.call('limner_generate_image', fox);
    await session.call('limner_generate_image', { ...fox, path: 'second.png' });
    assert.equal(session.questions.length, 2);
    assert.match(session.questions[1] ?? '', /^Generate 1 image with Limner\?/u);
  });

  it('asks before a call that makes many images, in the protocol of 2026 as well', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world, {
      answer: 'accept',
      era: 'auto',
      env: { LIMNER_AGENTS_CONFIRM_ABOVE: '1' },
    });
    const result = await session.call('limner_generate_image', { ...fox, n: 2 });
    assert.match(textOf(result), /^Saved public\/images\/fox-2\.png /mu);
    assert.match(session.questions.join('\n'), /^Generate 2 images with Limner\?/u);
  });

  it('asks by the entry of the model: its size, its word for a quality, and both images of two backgrounds', async () => {
    await using world = await World.open();
    const entry = {
      id: 'demo-painter',
      family: 'image',
      sizes: ['1536x1024'],
      qualities: { high: 'hd' },
      transparent: { by: 'grounds' },
      price: { amount: 0.04, currency: 'USD' },
    };
    await using session = await McpSession.open(world, {
      answer: 'decline',
      env: { LIMNER_AGENTS_CONFIRM: 'always', LIMNER_MODELS: JSON.stringify([entry]) },
    });
    const icon = {
      prompt: 'an icon',
      path: 'icon.png',
      size: '1200x630',
      quality: 'High',
      transparent: true,
    };
    await session.call('limner_generate_image', icon);
    assert.match(
      session.questions[0] ?? '',
      /^Generate 2 images with Limner\?\n2 images · about 0\.08 USD · 127\.0\.0\.1:\d+\nModel: demo-painter\nSize: 1200x630, sent as 1536x1024\nQuality: hd\n/u,
    );
    assert.deepEqual(await world.posts(), []);
  });

  it('asks nobody about a call that could not be sent, and makes no folder for a question', async () => {
    await using world = await World.open();
    for (const [env, words] of [
      [{ LIMNER_BUDGET: '{"agentsDay":"0 images"}' }, /^The budget of agents for a day is 0 images\./u],
      [{ LIMNER_AGENTS_DAILY_LIMIT: '0' }, /^Agents may request 0 images in 24 hours/u],
    ] as const) {
      await using poor = await McpSession.open(world, {
        answer: 'accept',
        env: { LIMNER_AGENTS_CONFIRM: 'always', ...env },
      });
      const text = textOf(await poor.call('limner_generate_image', fox));
      assert.match(text, words);
      assert.match(text, /^Cost: none\. Nothing was sent\.$/mu);
      assert.deepEqual(poor.questions, []);
    }
    await using session = await McpSession.open(world, {
      answer: 'decline',
      env: { LIMNER_AGENTS_CONFIRM: 'always' },
    });
    const edit = { prompt: 'night', images: ['gone.png'], path: 'night/night.png' };
    assert.match(
      textOf(await session.call('limner_edit_image', edit)),
      /^Cost: none\. Nothing was sent\.$/mu,
    );
    assert.deepEqual(session.questions, []);
    assert.match(textOf(await session.call('limner_generate_image', fox)), /The user declined/u);
    assert.deepEqual(await world.files(), []);
  });

  it('tells what can be had, and what is left of limits and budget', async () => {
    const models = [
      { id: 'demo-painter', sizes: ['1024x1024'], maxCount: 4, price: { amount: 0.04, currency: 'USD' } },
    ];
    await using world = await World.open();
    await using session = await McpSession.open(world, {
      env: { LIMNER_MODELS: JSON.stringify(models), LIMNER_BUDGET: '{"day":"2 USD"}' },
    });
    await session.call('limner_generate_image', fox);
    assert.equal(
      textOf(await session.call('limner_describe', {})),
      [
        `Service: ${new URL(world.demo.baseUrl).host}`,
        'Model demo-painter: used unless another is named; makes 1024x1024; other sizes are made of these; at most 4 at a time; about 0.04 USD an image.',
        'Agents may still make 19 images in this session, and 49 in 24 hours.',
        'Budget today: 1.96 USD of 2 USD left.',
        'Folders with images: public/images (1).',
      ].join('\n'),
    );
  });

  it('goes by the settings as they are when a call is made, though it has been running before', async () => {
    await using world = await World.open();
    const launcher = world.path('../launcher.json');
    const set = async (settings: Record<string, string>): Promise<void> =>
      writeFile(launcher, JSON.stringify({ extension: '', environment: settings }));
    await set({ LIMNER_AGENTS_CONFIRM: 'above', LIMNER_BUDGET: '{"day":"5 images"}' });
    await using session = await McpSession.open(world, {
      answer: 'decline',
      env: { LIMNER_AGENTS_CONFIRM: '', LIMNER_LAUNCHER: launcher },
    });
    assert.match(textOf(await session.call('limner_generate_image', fox)), /^Saved /mu);
    const again = async (path: string): Promise<string> =>
      textOf(await session.call('limner_generate_image', { ...fox, path }));
    await set({ LIMNER_AGENTS_CONFIRM: 'above', LIMNER_BUDGET: '{"day":"1 image"}' });
    assert.match(await again('second.png'), /budget/iu);
    await set({ LIMNER_AGENTS_CONFIRM: 'above', LIMNER_AGENTS_SESSION_LIMIT: '1' });
    assert.match(await again('third.png'), /Agents may request 1 image in one session/u);
    await set({ LIMNER_AGENTS_CONFIRM: 'always' });
    assert.match(await again('fourth.png'), /The user declined/u);
    await rm(launcher);
    assert.match(await again('fifth.png'), /The user declined/u);
    assert.equal((await world.posts()).length, 1);
  });

  it('stops at the limit of a session and at that of a day', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world, { env: { LIMNER_AGENTS_SESSION_LIMIT: '1' } });
    await session.call('limner_generate_image', fox);
    assert.match(
      textOf(await session.call('limner_generate_image', { ...fox, path: 'second.png' })),
      /Agents may request 1 image in one session/u,
    );
    await using next = await McpSession.open(world, { env: { LIMNER_AGENTS_DAILY_LIMIT: '1' } });
    assert.match(
      textOf(await next.call('limner_generate_image', { ...fox, path: 'third.png' })),
      /Agents may request 1 image in 24 hours/u,
    );
    assert.equal((await world.posts()).length, 1);
  });

  it('writes nothing outside of the workspace, and sends nothing from there', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world);
    await mkdir(world.path('../elsewhere'));
    await symlink(world.path('../elsewhere'), world.path('way-out'));
    for (const path of ['../fox.png', '/tmp/fox.png', 'way-out/fox.png', '.git/fox.png', 'fox.txt']) {
      const result = await session.call('limner_generate_image', { ...fox, path });
      assert.equal(result.isError, true, path);
      assert.match(textOf(result), /Cost: none\. Nothing was sent\./u, path);
    }
    const edit = { prompt: 'night', images: ['../secret.png'], path: 'night.png' };
    assert.match(textOf(await session.call('limner_edit_image', edit)), /outside the workspace/u);
    assert.deepEqual(await world.posts(), []);
  });

  it('says what went wrong, what it cost, and what an agent may do', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world);
    const failed = await session.call('limner_generate_image', { ...fox, prompt: 'demo:fail' });
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /^No image was saved\.$/mu);
    assert.match(textOf(failed), /^Cost: refunded\.$/mu);
    assert.match(textOf(failed), /^What to do: /mu);
    await using keyless = await McpSession.open(world, { env: { LIMNER_API_KEY: '' } });
    assert.match(textOf(await keyless.call('limner_generate_image', fox)), /Never ask for the key itself\./u);
  });

  it('edits an image into another file, and finishes one at no cost and without a question', async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world, {
      answer: 'accept',
      env: { LIMNER_AGENTS_CONFIRM: 'always' },
    });
    await world.picture('icon.png', 320, 200);
    const edited = await session.call('limner_edit_image', {
      prompt: 'make it night',
      images: ['icon.png'],
      path: 'icon-night.png',
    });
    assert.match(
      textOf(edited),
      /^Saved icon-night\.png \(PNG, asked for 320 × 200, .*, saved 320 × 200, /mu,
    );
    assert.equal(session.questions.length, 1);
    const posts = (await world.posts()).length;
    const finished = await session.call('limner_finish_image', {
      image: 'icon.png',
      path: 'icons/icon.webp',
      size: '32x32',
    });
    assert.match(textOf(finished), /^Saved icons\/icon\.webp \(WEBP, 320 × 200 became 32 × 32, \d+ KB\)$/mu);
    assert.match(textOf(finished), /^Cost: none\. Nothing was sent\.$/mu);
    const { format, width, height } = await sharp(world.path('icons/icon.webp')).metadata();
    assert.deepEqual([format, width, height], ['webp', 32, 32]);
    assert.equal((await world.posts()).length, posts);
    assert.equal(session.questions.length, 1);
  });
});
