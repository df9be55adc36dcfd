import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { fileUri, wayInto } from '../../../../src/common/fileUris.ts';
import { AgentCalls } from '../../../../src/agents/tools/agentCalls.ts';
import { newInputPath } from '../../../../src/engine/files/inputFolder.ts';
import type { AgentHost, Reply } from '../../../../src/agents/tools/agentHost.ts';
import type { Clock } from '../../../../src/common/clock.ts';
import { fileTrouble } from '../../../../src/common/fileErrors.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { anError, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { fastClock, World } from '../../../support/engine/world.ts';
import { json } from '../../../support/service/loopbackService.ts';

const generations = 'POST /v1/images/generations';
const tool = 'limner_generate_image';
const fox = { prompt: 'a fox', path: 'fox.png' };
const overwriting = { ...fox, overwrite: true };

async function square(background: string): Promise<Buffer> {
  return sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .png()
    .toBuffer();
}

const answer = (picture: Buffer): ReturnType<typeof json> =>
  json(200, { created: 1, data: [{ b64_json: picture.toString('base64') }] });

/** Reads a file as a door does: undefined when there is none. */
async function readIfThere(uri: string): Promise<Uint8Array | undefined> {
  return readFile(fileURLToPath(uri)).catch((error: unknown) => {
    if (fileTrouble(error) === 'gone') {
      return undefined;
    }
    throw error;
  });
}

/** Reads no file that there is, as while another program has it to itself. */
async function readBusy(uri: string): Promise<undefined> {
  if (await readIfThere(uri)) {
    throw new Error('EBUSY: resource busy or locked, open');
  }
}

/** Makes a call as a door does once the user agreed, or need not be asked. */
async function make(calls: AgentCalls, input: Record<string, unknown>): Promise<Reply> {
  const plan = await calls.plan(tool, input).catch(() => undefined);
  return calls.run(tool, input, { signal: new AbortController().signal, plan });
}

describe('calls of agents', () => {
  let world: World;
  let engine: Engine;
  let clock: Clock;
  /** What the host adds to the request of a call. */
  let more: Partial<TaskRequest>;

  beforeEach(async () => {
    world = await World.create();
    clock = fastClock(10);
    engine = await world.open({ clock });
    more = {};
    world.service.on(generations, answer(await square('#336699')));
  });
  afterEach(() => world.dispose());

  const file = (name: string): string => join(world.workspace, name);

  const request: AgentHost['preview'] = async ({ prompt }, { target: { folder, root, fileName } }) =>
    Promise.resolve(
      world.request({ callStyle: 'sync', prompt, target: { folder, root, fileName }, ...more }),
    );

  function hostOf(changes: Partial<AgentHost> = {}): AgentHost {
    const { read = readIfThere } = changes;
    return {
      engine: async () => Promise.resolve(engine),
      roots: async () => Promise.resolve([{ uri: fileUri(world.workspace), name: 'site' }]),
      limits: () => ({ session: 50, day: 50 }),
      models: () => [],
      offer: async () =>
        Promise.resolve({ service: 'images.test', free: false, models: [], usual: undefined }),
      imageFiles: async () => Promise.resolve(['a/one.png', 'a/two.png', 'b/three.png']),
      styles: async () => Promise.resolve([]),
      usualStyle: () => '',
      build: async (...given) => ({ request: await request(...given), notes: [] }),
      preview: request,
      read,
      sizeOf: async (uri) => (await read(uri, Infinity))?.length,
      copyPath: async (name) => newInputPath(world.home, () => engine.store.inputPaths(), name),
      publish: async () => Promise.reject(new Error('Nothing is published here.')),
      pages: async () => Promise.reject(new Error('There are no documents here.')),
      nameOf: (uri) => wayInto(fileUri(world.workspace), uri) ?? uri,
      ...changes,
    };
  }

  function callsOf(host = hostOf()): AgentCalls {
    return new AgentCalls(host, () => clock.now());
  }

  it('replace a file once, however many of them follow the same task', async () => {
    await writeFile(file('fox.png'), await square('#ff0000'));
    const others = [callsOf(), callsOf()];
    const replies = await Promise.all(
      others.flatMap((calls) => [make(calls, overwriting), make(calls, overwriting)]),
    );
    for (const { text, isError } of replies) {
      assert.equal(isError, false, text);
      assert.match(text, /^Saved fox\.png /mu);
      assert.doesNotMatch(text, /not replaced|no longer there/u);
    }
    assert.deepEqual(await readdir(world.workspace), ['fox.png']);
    assert.deepEqual(await readFile(file('fox.png')), await square('#336699'));
    assert.equal(world.service.count(generations), 1);
  });

  it('tell where an image was saved whose place could not be taken', async () => {
    await writeFile(file('fox.png'), await square('#ff0000'));
    mock.method(engine.keptFiles, 'keep', async () =>
      Promise.reject(new Error('EPERM: operation not permitted')),
    );
    const { text, isError } = await make(callsOf(), overwriting);
    assert.equal(isError, false, text);
    assert.match(text, /^Saved fox-2\.png /mu);
    assert.match(text, /^Note: fox\.png was not replaced: EPERM: operation not permitted\.$/mu);
    assert.deepEqual(await readFile(file('fox.png')), await square('#ff0000'));
  });

  it('say that an image has another path than was asked for, as another file had come there', async () => {
    const calls = callsOf();
    const replies = await Promise.all(
      ['a fox', 'a wolf'].map(async (prompt) => make(calls, { ...fox, prompt })),
    );
    const texts = replies.map(({ text }) => text).toSorted();
    assert.match(texts[0] ?? '', /^Saved fox-2\.png .*^Note: It isn't at fox\.png: use the path above\.$/msu);
    assert.match(texts[1] ?? '', /^Saved fox\.png /u);
    assert.doesNotMatch(texts[1] ?? '', /Note/u);
  });

  it('replace no file that came after the user was asked', async () => {
    const calls = callsOf();
    const second = { ...overwriting, prompt: 'another fox' };
    const plan = await calls.plan(tool, second);
    assert.equal(plan?.replaces, false);
    await make(calls, overwriting);
    world.service.on(generations, answer(await square('#00ff00')));
    const { text } = await calls.run(tool, second, { signal: new AbortController().signal, plan });
    assert.match(text, /^Saved fox-2\.png /mu);
    assert.match(text, /^Note: fox\.png was not replaced: it was not there when the user/mu);
    assert.deepEqual(await readFile(file('fox.png')), await square('#336699'));
    const again = await make(calls, { ...overwriting, prompt: 'a third fox' });
    assert.match(again.text, /^Saved fox\.png /mu);
  });

  it('send nothing that nobody was asked about', async () => {
    const calls = callsOf();
    const { taskId = '' } = await make(calls, fox);
    await rm(file('fox.png'));
    const plan = await calls.plan(tool, fox);
    assert.equal(plan?.images, 0);
    assert.ok(await engine.store.remove(taskId));
    const { text, isError } = await calls.run(tool, fox, { signal: new AbortController().signal, plan });
    assert.equal(isError, true);
    assert.match(text, /Call the tool again\.\nCost: none\. Nothing was sent\.$/u);
    assert.equal(world.service.count(generations), 1);
    assert.equal((await make(calls, fox)).isError, false);
    assert.equal(world.service.count(generations), 2);
  });

  const price = { amount: 1, currency: 'USD' };
  for (const [what, before, now] of [
    ['model', {}, { model: 'other-painter' }],
    ['size', {}, { size: '2048x2048' }],
    ['quality', {}, { quality: 'high' }],
    ['price', { price }, { price: { ...price, amount: 2 } }],
    ['service', { baseUrl: 'https://images.example.com' }, {}],
    ['service that was free', { free: true }, {}],
    ['number of images', {}, { onBlack: { finish: {}, fileName: 'fox.png' } }],
  ] satisfies [string, Partial<TaskRequest>, Partial<TaskRequest>][]) {
    it(`send nothing where something else came of it since the user could agree: ${what}`, async () => {
      const calls = callsOf();
      more = before;
      const plan = await calls.plan(tool, fox);
      more = now;
      const { text, isError } = await calls.run(tool, fox, { signal: new AbortController().signal, plan });
      assert.equal(isError, true);
      assert.match(text, /changed after the user was asked\. Call the tool again\.\nCost: none\. Nothing/u);
      assert.equal(world.service.count(generations), 0);
    });
  }

  it('go to the demo service wherever that is by now', async () => {
    const calls = callsOf();
    more = { free: true, baseUrl: 'http://127.0.0.1:1' };
    const plan = await calls.plan(tool, fox);
    more = { free: true };
    const { text } = await calls.run(tool, fox, { signal: new AbortController().signal, plan });
    assert.match(text, /^Saved fox\.png /mu);
  });

  it('are the same one however their arguments are written', async () => {
    const calls = callsOf();
    await make(calls, fox);
    const other = { ...fox, path: './images/../fox.png', n: 1, transparent: false, altText: 'A fox' };
    assert.match((await make(calls, other)).text, /^This call was made already\./u);
    assert.equal(world.service.count(generations), 1);
    await make(calls, { ...fox, path: 'second.png' });
    assert.equal(world.service.count(generations), 2);
  });

  it('name the file that they made long ago, instead of refusing the path', async () => {
    await make(callsOf(), fox);
    const later = new AgentCalls(hostOf(), () => clock.now() + 24 * 3_600_000);
    const { text } = await make(later, fox);
    assert.match(text, /^This call was made already\..*Saved fox\.png /su);
    assert.match((await make(later, { ...fox, prompt: 'A hen' })).text, /^The file "fox\.png" exists\./u);
    assert.equal(world.service.count(generations), 1);
  });

  it('say that a call was repeated only where it was sent before', async () => {
    const calls = callsOf();
    const { taskId = '' } = await make(calls, fox);
    const task = engine.store.get(taskId);
    assert.ok(task && (await engine.store.remove(taskId)));
    const id = newTaskId(clock.now());
    const { request, origin } = task;
    await engine.store.add({ id, request, origin, status: 'waiting', held: true, createdAt: 1, results: [] });
    const { text } = await make(calls, fox);
    assert.match(text, /^Saved fox-2\.png /u);
    assert.match(text, new RegExp(`^Task: ${id}$`, 'mu'));
    assert.equal(world.service.count(generations), 2);
  });

  it('stay within the limit of a day, whatever is cleared and however many windows there are', async () => {
    const host = hostOf({ limits: () => ({ session: 50, day: 2 }) });
    const inputs = ['a fox', 'a hen', 'an owl'].map((prompt) => ({ prompt, path: `${prompt}.png` }));
    const replies = await Promise.all(inputs.map(async (input) => make(callsOf(host), input)));
    const refusals = replies.filter(({ isError }) => isError);
    assert.match(refusals[0]?.text ?? '', /^Agents may request 2 images in 24 hours.*\nCost: none\./u);
    assert.equal(refusals.length, 1);
    await engine.store.clearFinished(clock.now());
    assert.equal(engine.store.count(), 0);
    assert.equal((await make(callsOf(host), { prompt: 'a cat', path: 'cat.png' })).isError, true);
    assert.equal(world.service.count(generations), 2);
  });

  it('join the task of a like call at the same moment, though the limit leaves room for one only', async () => {
    const calls = callsOf(hostOf({ limits: () => ({ session: 1, day: 1 }) }));
    const replies = await Promise.all([make(calls, fox), make(calls, fox)]);
    for (const { text } of replies) {
      assert.match(text, /^Saved fox\.png /mu);
    }
    assert.equal(world.service.count(generations), 1);
    assert.match((await make(calls, { ...fox, path: 'two.png' })).text, /in 24 hours|in one session/u);
  });

  it('have no model but those that the user listed', async () => {
    const calls = callsOf(hostOf({ models: () => ['painter-1', 'painter-2'] }));
    const input = { ...fox, model: 'painter-9' };
    await assert.rejects(calls.plan(tool, input), /one of painter-1, painter-2,/u);
    await mkdir(file('.limner/styles'), { recursive: true });
    await writeFile(file('.limner/styles/dear.json'), JSON.stringify({ model: 'other' }));
    await assert.rejects(calls.plan(tool, { ...fox, style: 'dear' }), /did not list the model "other"/u);
    const { text } = await calls.run(tool, input, { signal: new AbortController().signal });
    assert.match(text, /^Cost: none\. Nothing was sent\.$/mu);
    assert.equal((await make(calls, { ...fox, model: 'painter-2' })).isError, false);
    assert.equal((await make(callsOf(), { ...input, path: 'other.png' })).isError, false);
    assert.equal(world.service.count(generations), 2);
  });

  it('refuse what can not be done before the user is asked', async () => {
    await assert.rejects(callsOf().plan(tool, { ...overwriting, n: 2 }), /Only a single image can replace/u);
    const edit = { ...fox, images: ['gone.png'] };
    await assert.rejects(callsOf().plan('limner_edit_image', edit), /The file "gone\.png" does not exist/u);
    const small = callsOf(hostOf({ limits: () => ({ session: 50, day: 0 }) }));
    await assert.rejects(small.plan(tool, fox), {
      code: 'over_budget',
      message: /^Agents may request 0 images in 24 hours/u,
    });
    world.settings.budget = { agentsDay: '0 images' };
    await assert.rejects(callsOf().plan(tool, fox), { code: 'over_budget' });
    const { signal } = new AbortController();
    assert.match((await callsOf().run(tool, fox, { signal })).text, /^The budget of agents for a day is 0/u);
    assert.equal(world.service.count(generations), 0);
  });

  it('count as delivered only once both images of a pair are there', async () => {
    const [first, second] = [newTaskId(clock.now()), newTaskId(clock.now())];
    const folder = fileUri(world.workspace);
    const target = { folder, root: folder, fileName: 'fox.png' };
    const results = [aResult({ state: 'saved', onBlack: { id: second, begun: true } })];
    const white = world.request({ target, agent: { call: 'c' } });
    await engine.store.add(aTask({ id: first, status: 'completed', request: white, results }));
    const black = { id: second, remoteId: 'task_2', request: world.request({ target }) };
    await engine.store.add(aTask({ ...black, status: 'queued', createdAt: clock.now() }));
    const { signal } = new AbortController();
    const patience = AbortSignal.abort();
    const resumed = async (): Promise<(number | undefined)[]> => {
      const context = { signal, patience };
      const { text } = await callsOf().run('limner_resume_task', { taskId: first }, context);
      assert.ok(text.includes('Task: '), text);
      return [first, second].map((id) => engine.store.get(id)?.deliveredAt);
    };
    assert.deepEqual(await resumed(), [undefined, undefined]);
    const failed = { type: 'failed', at: clock.now(), error: anError({ billing: 'refunded' }) } as const;
    assert.ok((await engine.store.apply(second, failed)).ok);
    assert.ok((await resumed()).every((at) => at !== undefined));
  });

  it('say how a file is replaced whose call ended before its task', async () => {
    const { signal } = new AbortController();
    await writeFile(file('fox.png'), await square('#ff0000'));
    await writeFile(file('fox-2.png'), await square('#336699'));
    const folder = fileUri(world.workspace);
    const id = newTaskId(clock.now());
    const task = aTask({
      id,
      status: 'completed',
      request: world.request({
        target: { folder, root: folder, fileName: 'fox.png' },
        agent: { call: 'c', replaces: true },
      }),
      results: [aResult({ state: 'saved', uri: fileUri(file('fox-2.png')) })],
    });
    await engine.store.add(task);
    const { text } = await callsOf().run('limner_resume_task', { taskId: id }, { signal });
    assert.match(
      text,
      /^Note: fox\.png was not replaced: .* image "fox-2\.png", path "fox\.png", and overwrite/mu,
    );
    assert.deepEqual(await readFile(file('fox.png')), await square('#ff0000'));
  });

  it('touch no file but those that the user could agree to', async () => {
    const roots = await Promise.all(
      ['site', 'api'].map(async (name) => {
        await mkdir(file(name));
        await writeFile(file(`${name}/fox.png`), await square('#ff0000'));
        return { uri: fileUri(file(name)), name };
      }),
    );
    const calls = callsOf(hostOf({ roots: async () => Promise.resolve([...roots]) }));
    const shrinking = { image: 'fox.png', path: 'fox.png', size: '8x8', overwrite: true };
    for (const [name, input] of [
      [tool, overwriting],
      ['limner_finish_image', shrinking],
    ] as const) {
      const plan = await calls.plan(name, input);
      assert.equal(plan?.path, 'site/fox.png');
      roots.reverse();
      const { text } = await calls.run(name, input, { signal: new AbortController().signal, plan });
      roots.reverse();
      assert.match(text, /^The workspace folders changed .* Call the tool again\.\nCost: none\./u);
    }
    assert.equal(world.service.count(generations), 0);
    for (const { name } of roots) {
      assert.deepEqual(await readFile(file(`${name}/fox.png`)), await square('#ff0000'));
    }
  });

  it('finish no image under a name that Windows has no file for', async () => {
    await writeFile(file('fox.png'), await square('#ff0000'));
    const input = { image: 'fox.png', path: 'con.png', size: '8x8' };
    const plan = await callsOf().plan('limner_finish_image', input);
    const { text, isError } = await callsOf().run('limner_finish_image', input, {
      signal: new AbortController().signal,
      plan,
    });
    assert.equal(isError, true);
    assert.match(text, /Use "_con\.png"/u);
    assert.deepEqual(await readdir(world.workspace), ['fox.png']);
  });

  it('tell of an image that was paid for and saved, though it can not be read again', async () => {
    const calls = callsOf(hostOf({ read: readBusy }));
    const { text, isError, taskId } = await make(calls, fox);
    assert.equal(isError, false, text);
    assert.match(text, /^Saved fox\.png /mu);
    assert.match(text, /^Note: fox\.png was saved, but could not be read again: EBUSY/mu);
    assert.match(text, new RegExp(`^Cost: the service bills 1 image\\.\\nTask: ${taskId}$`, 'mu'));
  });

  it('name file and task whatever goes wrong once there is a task', async () => {
    const calls = callsOf();
    world.service.on(generations, () => {
      for (const { id } of engine.store.list({ limit: 1 })) {
        mock.method(engine.store, 'get', () => undefined);
        void engine.runner.stop(id);
      }
    });
    const plan = await calls.plan(tool, fox);
    const { text, isError, taskId } = await calls.run(tool, fox, {
      signal: new AbortController().signal,
      plan,
    });
    assert.equal(isError, true);
    assert.match(text, /^Cost: it may have been billed\.$/mu);
    assert.match(text, new RegExp(`^File: fox\\.png\\nTask: ${taskId}$`, 'mu'));
  });

  it('say that nothing was sent when the disk refuses a path', async () => {
    await mkdir(file('x.png'));
    const calls = callsOf(hostOf({ read: readIfThere }));
    const folder = ['x.png', /^The path "x\.png" can't be used: It is a folder\.$/mu] as const;
    const tooLong = [
      [`${'🦊'.repeat(100)}.png`, /^The path ".*" can't be used: It is too long for this disk\.$/mu],
      [
        `${'a/'.repeat(3000)}x.png`,
        /^The path "a\/.{0,250}…" can't be used: It is too long for this disk\.$/mu,
      ],
    ] as const;
    // Of a name that is too long, Windows says that it isn't there.
    for (const [path, words] of [folder, ...(process.platform === 'win32' ? [] : tooLong)]) {
      const { text } = await calls.run(tool, { ...fox, path }, { signal: new AbortController().signal });
      assert.match(text, words);
      assert.match(text, /^Cost: none\. Nothing was sent\.\nWhat to do: correct the arguments/mu);
    }
    assert.equal(world.service.count(generations), 0);
  });

  it('send nothing for a file that is too large to be kept, which what is replaced is', async () => {
    const calls = callsOf(hostOf({ sizeOf: async () => Promise.resolve(401 * 1024 * 1024) }));
    const { text } = await make(calls, overwriting);
    assert.match(text, /^The path "fox\.png" can't be used: It has 401 MB, and at most 400 MB are read\.$/mu);
    assert.equal(world.service.count(generations), 0);
  });

  it('keep a file that the image is not fit to replace', async () => {
    await mkdir(file('images'));
    await writeFile(file('images/hero.webp'), 'the good original');
    more = { finish: { encoding: { format: 'webp' } } };
    // Images with 16 bits per channel are left alone.
    const deep = await sharp(await square('#336699'))
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    world.service.on(generations, answer(deep));
    const { text } = await make(callsOf(), { ...overwriting, path: 'images/hero.webp' });
    assert.match(text, /^Saved images\/hero\.png /mu);
    assert.match(text, /^Note: images\/hero\.webp was not replaced: The image could not be made/mu);
    assert.equal(await readFile(file('images/hero.webp'), 'utf8'), 'the good original');
    await writeFile(file('logo.png'), 'the good logo');
    more = { finish: { encoding: { format: 'png' }, cutout: { by: 'key' } } };
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const scene = sharp({ create: { width: 64, height: 64, channels: 3, background: '#808080', noise } });
    world.service.on(generations, answer(await scene.png().toBuffer()));
    const logo = await make(callsOf(), { ...overwriting, path: 'logo.png', transparent: true });
    assert.match(logo.text, /^Note: logo\.png was not replaced: The image could not be made/mu);
    assert.equal(await readFile(file('logo.png'), 'utf8'), 'the good logo');
  });
});
