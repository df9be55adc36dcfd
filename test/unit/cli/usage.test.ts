import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { jsonError, World } from '../../support/cli/limner.ts';

const painted = [
  '(default: "off") (choices: "off", "crop", "pad", "stretch")',
  '(choices: "16", "powerOfTwo")',
  'number of images (default: 1)',
  '(default: "auto")',
  '(default: ".")',
  '(default: "{prompt}")',
];

/** What the help of commands says of the values of options. */
const choices: Record<string, string[]> = {
  generate: painted,
  edit: painted,
  finish: [
    '(choices: "png", "jpeg", "webp")',
    '(default: "crop") (choices: "crop", "pad", "stretch")',
    '(choices: "16", "powerOfTwo")',
  ],
  tasks: ['(default: 20)'],
};

/** On Linux, `/proc` takes no folder and says that there is none. */
const unlessLinux = process.platform === 'linux' ? false : 'only Linux has such a folder';

describe('limner, told something that it cannot do', { concurrency: 2 }, () => {
  let world: World;
  before(async () => {
    world = await World.open();
    await writeFile(world.path('text.png'), 'This is no picture.');
  });
  after(async () => {
    assert.deepEqual(await world.posts(), []);
    assert.deepEqual(await world.files(), ['text.png']);
    assert.deepEqual(await world.tasks(), []);
    await world[Symbol.asyncDispose]();
  });

  const cases: { title: string; args: string[]; env?: Record<string, string | undefined>; says: RegExp }[] = [
    { title: 'nothing at all', args: [], says: /Usage: limner/ },
    { title: 'an unknown command', args: ['draw'], says: /unknown command 'draw'/ },
    { title: 'an empty prompt', args: ['generate', ' '], says: /The prompt is empty\. Not billed/ },
    {
      title: 'a native call of an edit',
      args: ['edit', 'a', '--image', 'text.png', '--call-style', 'native'],
      says: /Native calls don't support input images\. For an edit, use one of auto, async, or sync\./,
    },
    { title: 'a missing file', args: ['edit', 'a', '--image', 'none.png'], says: /none\.png can't be read/ },
    {
      title: 'a file that is no image',
      args: ['edit', 'a', '--image', 'text.png'],
      says: /text\.png isn't a PNG, JPEG, or WebP/,
    },
    {
      title: 'no key',
      args: ['generate', 'a'],
      env: { LIMNER_API_KEY: undefined },
      says: /LIMNER_API_KEY is not set/,
    },
    {
      title: 'a key of more than one line',
      args: ['generate', 'a', '--folder', 'new'],
      env: { LIMNER_API_KEY: 'one\ntwo' },
      says: /contains characters that aren't allowed\. Not billed\. Set LIMNER_API_KEY/,
    },
    {
      title: 'no service',
      args: ['generate', 'a'],
      env: { LIMNER_BASE_URL: undefined },
      says: /LIMNER_BASE_URL is not set.*limner service/,
    },
    {
      title: 'a folder in a file',
      args: ['generate', 'a', '--folder', 'text.png/images'],
      says: /The folder .*images isn't writable: a file with that name exists\. Not billed\./,
    },
    { title: 'a task that there is not', args: ['tasks', 'none'], says: /There is no task none/ },
    { title: 'to stop no task', args: ['tasks', '--stop'], says: /limner tasks --stop <id>/ },
    {
      title: 'an unknown flag of the demo service',
      args: ['service', '--colour'],
      says: /Unknown option '--colour'/,
    },
  ];
  for (const { title, args, env = {}, says } of cases) {
    it(`exits with 2 and says why: ${title}`, async () => {
      const { code, stdout, stderr } = await world.run(args, env);
      assert.match(stderr, says);
      assert.equal(stdout, '');
      assert.equal(code, 2);
    });
  }

  it('prints the error as JSON with --json, its own checks and those of the arguments alike', async () => {
    const own = await world.run(['generate', ' ', '--json']);
    const parser = await world.run(['generate', '--json']);
    for (const { stdout } of [own, parser]) {
      const { code, billing } = jsonError(stdout);
      assert.deepEqual({ code, billing }, { code: 'invalid_request', billing: 'no' });
    }
  });

  it('prints a mistake of its own as JSON, too', async () => {
    const broken = `--import data:text/javascript,${encodeURIComponent('Date.now=()=>{throw Error("broken")}')}`;
    const { code, stdout, stderr } = await world.run(['tasks', '--json'], { NODE_OPTIONS: broken });
    assert.deepEqual(jsonError(stdout), { code: 'internal', message: 'Error: broken' });
    assert.match(stderr, /^Error: broken\n {4}at /);
    assert.equal(code, 1);
  });

  it('ends where no folder can be made, for images or for its list', { skip: unlessLinux }, async () => {
    const images = await world.run(['generate', 'a', '--folder', '/proc/nowhere/images']);
    assert.match(
      images.stderr,
      /nowhere.images isn't writable: a folder can't be created there\. Not billed/,
    );
    assert.equal(images.code, 2);
    const list = await world.run(['tasks'], { LIMNER_HOME: '/proc/nowhere' });
    assert.match(
      list.stderr,
      /Couldn't open the task list \/proc\/nowhere\/limner\.db\. The folder no longer exists\./,
    );
    assert.equal(list.code, 1);
  });

  it('teaches with --help: examples, variables, exit codes, and what options can be and are by themselves', async () => {
    for (const command of [[], ['generate'], ['edit'], ['finish'], ['tasks']]) {
      const { code, stdout, stderr } = await world.run([...command, '--help']);
      const words = stdout.replaceAll(/\s+/gu, ' ');
      assert.ok(words.startsWith(`Usage: ${['limner', ...command].join(' ')} [options]`), words);
      for (const value of choices[command[0] ?? ''] ?? []) {
        assert.ok(words.includes(value), value);
      }
      assert.match(stdout, /\n {2}limner \w+ .*[^]*LIMNER_API_KEY[^]*Exit codes:/);
      assert.equal(stderr, '');
      assert.equal(code, 0);
    }
  });

  it('is content with a reader that has had enough of the help', async () => {
    const running = world.start(['generate', '--help']);
    running.child.stdout.destroy();
    const { code, stderr } = await running.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('tells its version', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    const { version } = v.parse(v.object({ version: v.string() }), manifest);
    assert.equal((await world.run(['--version'])).stdout, `${version}\n`);
  });
});

it('limner service prints one line of JSON and stays until it is told to end', async () => {
  await using world = await World.open();
  const running = world.start(['service']);
  const line = await running.firstLine();
  const description = v.object({ baseUrl: v.string(), apiKeys: v.array(v.string()) });
  const { baseUrl, apiKeys } = v.parse(description, JSON.parse(line));
  const { ok } = await fetch(`${baseUrl}/demo/ledger`);
  assert.ok(ok && apiKeys.length > 0);
  running.kill('SIGTERM');
  assert.equal((await running.ended).code, 0);
});
