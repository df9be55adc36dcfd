import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import * as v from 'valibot';
import { eventually } from '../../support/eventually.ts';
import { McpSession, textOf } from '../../support/cli/mcpSession.ts';
import { World } from '../../support/cli/limner.ts';

const names = ['home', 'cart', 'user', 'mail', 'star', 'bell'];
const table = ['| name | prompt |', '|---|---|', ...names.map((name) => `| ${name} | icon of a ${name} |`)];
const setArguments = ['generate', '--set', 'icons.md', '--folder', 'icons', '--size', '64x64'];
const asWebP = ['--name', '{name}.webp'];

/** A line of JSON about an image whose file is there. */
const existing = v.object({ status: v.literal('exists'), name: v.string(), files: v.tuple([v.string()]) });

async function worldWith(text: string, options: Parameters<typeof World.open>[0] = {}): Promise<World> {
  const world = await World.open(options);
  await writeFile(world.path('icons.md'), text);
  return world;
}

describe('limner generate --set', { concurrency: 2 }, () => {
  it('goes on after it was killed, and no image is billed twice', async () => {
    await using world = await worldWith(table.join('\n'), { taskDuration: 1500, workers: 2 });
    const first = world.start([...setArguments, ...asWebP]);
    const files = async (): Promise<string[]> => readdir(world.path('icons')).catch(() => []);
    await eventually('two images are saved', files, (found) => found.length >= 2);
    first.kill('SIGKILL');
    await first.ended;
    const { code, stdout, stderr } = await world.run([...setArguments, ...asWebP]);
    assert.equal(code, 0, stderr);
    const paths = names.map((name) => world.path(`icons/${name}.webp`)).toSorted();
    assert.deepEqual(stdout.trimEnd().split('\n').toSorted(), paths);
    assert.deepEqual((await files()).toSorted(), names.map((name) => `${name}.webp`).toSorted());
    assert.equal((await world.posts()).length, names.length);
    const { width, format } = await sharp(paths[0]).metadata();
    assert.deepEqual({ width, format }, { width: 64, format: 'webp' });

    const again = await world.run([...setArguments, ...asWebP, '--json']);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /^There is nothing to generate\.$/mu);
    assert.deepEqual(
      again.stdout
        .trimEnd()
        .split('\n')
        .map((line) => v.parse(existing, JSON.parse(line)).name),
      names,
    );
    assert.equal((await world.posts()).length, names.length);
  });

  it('makes an image again once, though it is killed and started again', async () => {
    await using world = await worldWith('home: a house\n', { taskDuration: 1500, workers: 2 });
    await world.run([...setArguments, ...asWebP]);
    const again = [...setArguments, ...asWebP, '--again', 'home'];
    const first = world.start(again);
    await eventually(
      'it is at the service',
      async () => world.posts(),
      (posts) => posts.length === 2,
    );
    await eventually(
      'its ID is known',
      async () => (await world.run(['tasks', '--json'])).stdout.trimEnd().split('\n'),
      (tasks) => tasks.length === 2 && !tasks.some((task) => /"status":"(?:waiting|submitting)"/u.test(task)),
    );
    first.kill('SIGKILL');
    await first.ended;
    const { code, stdout, stderr } = await world.run(again);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /home-2\.webp$/mu);
    assert.equal((await world.posts()).length, 2);
  });

  it('sends what failed and may have been billed only when it is named', async () => {
    const outage = {
      kind: 'status',
      on: 'generations',
      times: 1,
      skip: 0,
      status: 500,
      code: 'internal_error',
      message: 'No.',
      headers: {},
    } as const;
    await using world = await worldWith('home: a house\n', { faults: [outage] });
    const first = await world.run([...setArguments, ...asWebP]);
    assert.match(first.stderr, /May have been billed/u);
    const second = await world.run([...setArguments, ...asWebP]);
    assert.equal(second.code, 1, second.stderr);
    assert.match(
      second.stderr,
      /^home: It is not sent again\. If the image is needed, use --again "home"\.$/mu,
    );
    assert.equal((await world.posts()).length, 1);
    const third = await world.run([...setArguments, ...asWebP, '--again', 'home']);
    assert.equal(third.code, 0, third.stderr);
    assert.equal((await world.posts()).length, 2);
  });

  it('refuses names with which a run could not go on', async () => {
    await using world = await worldWith('home: a house\n');
    const { code, stderr } = await world.run([...setArguments, '--name', '{date}-{name}.webp']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /only \{name\} can be used/u);
    assert.equal((await world.posts()).length, 0);
  });

  it('says the number and the price before anything is sent, and obeys the budget for all', async () => {
    await using world = await worldWith('home: a house\ncart: a cart\nuser: a user\n');
    const priced = { LIMNER_PRICES: '{"demo-painter": {"amount": 0.04, "currency": "USD"}}' };
    const host = new URL(world.demo.baseUrl).host;
    const tight = await world.run(setArguments, { ...priced, LIMNER_BUDGET: '{"day": "0.10 USD"}' });
    assert.equal(tight.code, 4);
    assert.match(tight.stderr, /The budget for a day is 0\.10 USD\. This run costs about 0\.12 USD\./u);
    assert.deepEqual(await world.posts(), []);
    const { code, stderr } = await world.run([...setArguments, '--over-budget'], {
      ...priced,
      LIMNER_BUDGET: '{"day": "0.10 USD"}',
    });
    assert.equal(code, 0, stderr);
    assert.ok(stderr.includes(`3 images · about 0.12 USD · ${host}`), stderr);
    assert.equal((await world.posts()).length, 3);
  });

  it('makes what failed, and what is named, when it runs again', async () => {
    const refusal = {
      kind: 'status',
      on: 'generations',
      times: 1,
      skip: 1,
      status: 400,
      code: 'invalid_request',
      message: 'No.',
      headers: {},
    } as const;
    await using world = await worldWith('home: a house\ncart: a cart\n', { faults: [refusal] });
    const first = await world.run([...setArguments, ...asWebP]);
    assert.equal(first.code, 1, first.stderr);
    const failed = names.slice(0, 2).find((name) => !first.stdout.includes(name));
    assert.match(first.stderr, new RegExp(`^${failed}: `, 'mu'));
    const second = await world.run([...setArguments, ...asWebP, '--again', 'home']);
    assert.equal(second.code, 0, second.stderr);
    const all = await readdir(world.path('icons'));
    assert.deepEqual(
      all.toSorted(),
      failed === 'home' ? ['cart.webp', 'home.webp'] : ['cart.webp', 'home-2.webp', 'home.webp'],
    );
  });

  it('gives the same files as an agent gets, who is asked once and billed once', async () => {
    const some = names.slice(0, 3);
    await using world = await worldWith(table.slice(0, 2 + some.length).join('\n'));
    const run = await world.run([...setArguments, '--fit', 'crop', '--transparent', ...asWebP]);
    assert.equal(run.code, 0, run.stderr);
    await using session = await McpSession.open(world, {
      answer: 'accept',
      env: { LIMNER_AGENTS_CONFIRM: 'always' },
    });
    const images = some.map((name) => ({ path: `agent/${name}.webp`, prompt: `icon of a ${name}` }));
    const call = { images, title: 'Icons', size: '64x64', transparent: true };
    const result = await session.call('limner_generate_set', call);
    const text = textOf(result);
    assert.equal(result.isError, false, text);
    assert.match(text, /^3 of 3 images are saved\.$/mu);
    assert.match(text, /^Cost: the service bills 3 images\.$/mu);
    assert.equal(session.questions.length, 1);
    assert.match(session.questions[0] ?? '', /^Generate 3 images with Limner\?\n3 images · may be billed/u);
    for (const name of some) {
      const [mine, agents] = await Promise.all(
        ['icons', 'agent'].map(async (folder) => readFile(world.path(`${folder}/${name}.webp`))),
      );
      assert.deepEqual(agents, mine, name);
    }
    assert.equal((await world.posts()).length, 2 * some.length);

    const more = { ...call, images: [...images, { path: 'agent/lock.webp', prompt: 'icon of a lock' }] };
    const again = textOf(await session.call('limner_generate_set', more));
    assert.match(again, /^4 of 4 images are saved\.$/mu);
    assert.match(session.questions[1] ?? '', /^Generate 1 image with Limner\?[^]*^agent\/lock\.webp: /mu);
    assert.doesNotMatch(session.questions[1] ?? '', /home/u);
    assert.equal((await world.posts()).length, 2 * some.length + 1);
  });

  it('refuses a set that can not be made, with its lines, and sends nothing', async () => {
    await using world = await worldWith('home: a house\nhome: another\na/b: a path\n');
    const wrong = await world.run(setArguments);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /Line 2: "home" is already in line 1\. Line 3: "a\/b" can't be the name/u);
    const both = await world.run(['generate', 'a fox', '--set', 'icons.md']);
    const neither = await world.run(['generate']);
    const gone = await world.run(['generate', '--set', 'gone.md']);
    assert.deepEqual([both.code, neither.code, gone.code], [2, 2, 2]);
    assert.match(neither.stderr, /missing required argument 'prompt'/u);
    assert.match(gone.stderr, /gone\.md can't be read: ENOENT/u);
    assert.deepEqual(await world.posts(), []);
  });
});
