import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import sharp from 'sharp';
import { type CallToolResult, Client, type Transport } from '@modelcontextprotocol/client';
import { AgentCalls } from '../../../../src/agents/tools/agentCalls.ts';
import { McpHost } from '../../../../src/cli/commands/mcpHost.ts';
import { serveTools } from '../../../../src/agents/mcp/mcpServer.ts';
import type { ConfirmRule } from '../../../../src/agents/tools/agreement.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { type Answer, textOf } from '../../../support/cli/mcpSession.ts';
import { apiKey, World } from '../../../support/engine/world.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { json, type Reply } from '../../../support/service/loopbackService.ts';

const submission = 'POST /v1/images/generations';
const query = 'GET /v1/images/generations/task_1';
const png = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 2, lines: [0, 1, 2, 3] });

/** The client's end of two streams. */
class Streams implements Transport {
  readonly toServer = new PassThrough();
  readonly fromServer = new PassThrough();
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly #lines: string[] = [];

  /** Returns how many messages of the server have a method. */
  count(method: string): number {
    return this.#lines.filter((line) => line.includes(`"method":"${method}"`)).length;
  }

  async start(): Promise<void> {
    createInterface(this.fromServer).on('line', (line) => {
      this.#lines.push(line);
      this.onmessage?.(JSON.parse(line));
    });
    return Promise.resolve();
  }

  async send(message: unknown): Promise<void> {
    this.toServer.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.toServer.end();
    this.onclose?.();
    return Promise.resolve();
  }
}

async function call(
  client: Client,
  name: 'generate' | 'finish',
  input: Record<string, unknown>,
): Promise<CallToolResult> {
  return client.callTool({ name: `limner_${name}_image`, arguments: input });
}

/** Generates images, and returns what the client is told. */
async function generate(client: Client, input: Record<string, unknown> = {}): Promise<string> {
  return textOf(await call(client, 'generate', { prompt: 'a fox', path: 'fox.png', ...input }));
}

/** Returns a reply that says how far a task is. */
function going(progress: string): Reply {
  return json(200, { id: 'task_1', status: 'in_progress', progress });
}

function ping(id: number): object {
  return { jsonrpc: '2.0', id, method: 'ping' };
}

function refusal(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message } };
}

interface Served {
  client: Client;
  host: McpHost;
  ended: Promise<unknown>;
  sent: (method: string) => number;
  /** Sends a line as it is. @returns the next line of the server */
  say: (line: string) => Promise<unknown>;
}

describe('the tools of limner for a client', () => {
  let world: World;
  let engine: Engine;
  let rule: ConfirmRule;
  let questions: string[];
  beforeEach(async () => {
    world = await World.create();
    engine = await world.open();
    rule = { when: 'above', above: 4 };
    questions = [];
    for (const name of ['hero.png', 'icon.png']) {
      await writeFile(join(world.workspace, name), png);
    }
  });
  afterEach(async () => world.dispose());

  /** Serves the tools to a client in which a user answers so; also returns the end of the server, and what it sent. */
  async function serve(test: TestContext, answer?: Answer | 'fail', name = 'test'): Promise<Served> {
    const variables = {
      LIMNER_BASE_URL: world.service.baseUrl,
      LIMNER_API_KEY: apiKey,
      LIMNER_MODEL: 'painter',
      LIMNER_HOME: world.home,
      LIMNER_WORKSPACE: world.workspace,
    };
    const host = new McpHost(engine, () => readEnvironment(variables, 'linux'));
    const streams = new Streams();
    const [stdin, stdout] = [
      test.mock.getter(process, 'stdin', () => streams.toServer),
      test.mock.getter(process, 'stdout', () => streams.fromServer),
    ];
    const ended = serveTools({
      calls: new AgentCalls(host),
      host,
      version: '1.2.3',
      confirm: () => rule,
      progressText: ({ status }) => `it is ${status}`,
      onError: () => undefined,
      end: new AbortController().signal,
    });
    stdin.mock.restore();
    stdout.mock.restore();
    const client = new Client(
      { name, version: '1.0.0' },
      { capabilities: answer ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode: 'legacy' } },
    );
    if (answer) {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        questions.push(params.message);
        if (answer === 'fail') {
          throw new Error('No window is open.');
        }
        return { action: answer, content: {} };
      });
    }
    await client.connect(streams);
    test.after(async () => client.close());
    return {
      client,
      host,
      ended,
      sent: (method) => streams.count(method),
      async say(line) {
        const reply = once(streams.fromServer, 'data');
        streams.toServer.write(line);
        const said: unknown = JSON.parse(String((await reply)[0]));
        return said;
      },
    };
  }

  /** Has the service refuse what is sent, which is enough to know that it was. */
  function refuseAll(): void {
    world.service.on(submission, json(400, { error: { code: 'content_policy_violation', message: 'No.' } }));
  }

  const replacing = { path: 'hero.png', overwrite: true };
  const asked: [string, ConfirmRule, Record<string, unknown>, boolean][] = [
    ['each image, where it is asked always', { when: 'always', above: 4 }, {}, true],
    ['an image, where more are asked about', { when: 'above', above: 1 }, {}, false],
    ['as many images as need no question', { when: 'above', above: 2 }, { n: 2 }, false],
    ['more images than that', { when: 'above', above: 2 }, { n: 3 }, true],
    ['any image, where none needs no question', { when: 'above', above: 0 }, {}, true],
    ['one that replaces a file', { when: 'above', above: 4 }, replacing, true],
    ['the first image of a session', { when: 'session', above: 4 }, {}, true],
  ];
  for (const [what, given, input, isAsked] of asked) {
    it(`${isAsked ? 'ask about' : 'send without a question'} ${what}`, async (test) => {
      rule = given;
      refuseAll();
      const { client } = await serve(test, 'decline');
      const text = await generate(client, input);
      assert.equal(text.startsWith('The user declined,'), isAsked, text);
      assert.deepEqual([questions.length, world.service.count(submission)], isAsked ? [1, 0] : [0, 1]);
    });
  }

  it('ask once in a session about images, and each time about a file that is replaced', async (test) => {
    rule = { when: 'session', above: 4 };
    refuseAll();
    const { client } = await serve(test, 'accept');
    const counts: number[] = [];
    for (const input of [{}, { prompt: 'a hen' }, replacing, { ...replacing, prompt: 'a cow' }]) {
      await generate(client, input);
      counts.push(questions.length);
    }
    assert.deepEqual([counts, world.service.count(submission)], [[1, 1, 2, 3], 4]);
  });

  it('ask about no file that is made for free, unless it replaces another one', async (test) => {
    for (const when of ['always', 'session'] as const) {
      rule = { when, above: 4 };
      const { client } = await serve(test, 'decline');
      const made = await call(client, 'finish', { image: 'icon.png', path: `${when}.webp` });
      assert.deepEqual([made.isError, questions], [false, []], textOf(made));
      const kept = await call(client, 'finish', { image: 'icon.png', ...replacing });
      assert.match(textOf(kept), /^The user declined,/u);
      assert.equal(kept.isError, true);
      questions = [];
    }
  });

  it('make an image in the style that is named, and another one once the style changes', async (test) => {
    refuseAll();
    const folder = join(world.workspace, '.limner/styles');
    await mkdir(folder, { recursive: true });
    const { client } = await serve(test, 'accept');
    rule = { when: 'always', above: 4 };
    for (const [after, style] of [
      ['flat', 'icons'],
      ['round', 'icons'],
      ['round', 'none'],
    ]) {
      await writeFile(join(folder, 'icons.json'), JSON.stringify({ after, size: '64x64' }));
      await generate(client, { style });
    }
    const prompts = world.service.seen.map(({ body }) => /"prompt":"([^"]*)"/u.exec(body)?.[1]);
    assert.deepEqual(prompts, [String.raw`a fox\nflat`, String.raw`a fox\nround`, 'a fox']);
    assert.match(questions[0] ?? '', /^Style: icons$/mu);
    assert.match(await generate(client, { style: 'icon' }), /There is no style "icon"\. .* has icons\./u);
    assert.match(textOf(await client.callTool({ name: 'limner_describe' })), /^Styles: icons\.$/mu);
  });

  it('say how to go on where nobody answers, or can', async (test) => {
    rule = { when: 'always', above: 4 };
    for (const answer of ['cancel', 'fail'] as const) {
      const { client } = await serve(test, answer);
      assert.match(await generate(client), /the question was closed without an answer\.\nCost: none\./u);
    }
    const { client: mute } = await serve(test);
    assert.match(await generate(mute), /this client can't ask for it\.\nCost: none\./u);
    assert.equal(world.service.count(submission), 0);
  });

  it('answer whatever is sent: several requests at once, and what is none', async (test) => {
    const { say } = await serve(test);
    const replies = [
      await say('{"jsonrpc": "2.0",\n'),
      await say(`${JSON.stringify({ ...ping(7), params: 'none' })}\n`),
      await say('[]\n'),
      await say(`\ufeff${JSON.stringify({ ...ping(9), params: null })}\n`),
      await say(`${JSON.stringify([ping(8)])}\n`),
    ];
    assert.deepEqual(replies, [
      refusal(-32700, 'This line is not JSON.'),
      { ...refusal(-32600, 'This is not a request of JSON-RPC 2.0.'), id: 7 },
      refusal(-32600, 'This is not a request of JSON-RPC 2.0.'),
      { jsonrpc: '2.0', id: 9, result: {} },
      { jsonrpc: '2.0', id: 8, result: {} },
    ]);
  });

  it('give back what they made: words, and a small picture that every client can show', async (test) => {
    world.service.delivers(png);
    const { client } = await serve(test);
    const { content, isError } = await call(client, 'generate', { prompt: 'a fox', path: 'fox.png' });
    assert.equal(isError, false);
    const [text, picture, ...others] = content;
    assert.ok(text?.type === 'text' && picture?.type === 'image');
    assert.deepEqual(others, []);
    assert.doesNotMatch(text.text, /a fox/u);
    assert.equal(picture.mimeType, 'image/jpeg');
    assert.equal((await sharp(Buffer.from(picture.data, 'base64')).metadata()).format, 'jpeg');
    const plain = await call(client, 'finish', { image: 'fox.png', path: 'plain.png', picture: false });
    assert.deepEqual(
      plain.content.map(({ type }) => type),
      ['text'],
    );
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer();
    await writeFile(join(world.workspace, 'clear.png'), clear);
    const cut = await call(client, 'finish', { image: 'clear.png', path: 'cut.webp' });
    assert.deepEqual(
      cut.content.map((part) => part.type === 'image' && part.mimeType),
      [false, 'image/png'],
    );
    const { resources } = await client.listResources();
    const [file] = resources;
    assert.ok(file);
    const { contents } = await client.readResource({ uri: file.uri });
    assert.deepEqual(
      contents.map((one) => ('blob' in one ? one.blob : '')),
      [png.toString('base64')],
    );
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations = {} }) => {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
      return [name.slice('limner_'.length), readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
    });
    assert.deepEqual(hints, [
      ['generate_image', false, true, false, true],
      ['generate_set', false, false, true, true],
      ['edit_image', false, true, false, true],
      ['list_tasks', true, false, true, false],
      ['resume_task', false, false, true, true],
      ['finish_image', false, true, false, false],
      ['find_missing_images', true, false, true, false],
      ['replace_placeholder', false, true, true, false],
      ['describe', true, false, true, false],
    ]);
    assert.deepEqual(client.getServerVersion(), { name: 'limner', title: 'Limner', version: '1.2.3' });
  });

  it('leave out the picture for a client that would show it to its model as text', async (test) => {
    world.service.delivers(png);
    const { client } = await serve(test, undefined, 'Cline');
    const { content } = await call(client, 'generate', { prompt: 'a fox', path: 'fox.png' });
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text'],
    );
  });

  it('answer a client that hears nothing within a minute, and bring the image by a free call', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] });
    const gate = Promise.withResolvers<void>();
    const done = world.service.delivers(png).reply(query, 1);
    world.service.on(query, going('40%'), async (request, response) => {
      await gate.promise;
      await done(request, response);
    });
    const { client } = await serve(test, 'accept');
    const first = generate(client, replacing);
    await world.service.got(query);
    test.mock.timers.tick(50_000);
    const text = await first;
    assert.match(text, /^The task is still running\. .* limner_resume_task with this taskId/mu);
    const [, taskId = ''] = /^Task: (\S+)$/mu.exec(text) ?? [];
    const resume = async (): Promise<CallToolResult> =>
      client.callTool(
        { name: 'limner_resume_task', arguments: { taskId } },
        { onprogress: () => heard.resolve() },
      );
    const heard = Promise.withResolvers<void>();
    const slice = resume();
    await heard.promise;
    test.mock.timers.tick(50_000);
    assert.match(textOf(await slice), /^The task is still running\./mu);
    const waits = resume();
    gate.resolve();
    assert.match(textOf(await waits), /^Saved hero\.png /u);
    assert.match(await generate(client, replacing), /^Saved hero\.png /mu);
    assert.equal(world.service.count(submission), 1);
  });

  it('tell a client that wants to know it how a call gets further, also while nothing happens', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] });
    world.service.delivers(png);
    const failed = json(200, { id: 'task_1', status: 'failed', error: { message: 'It is too dark.' } });
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const [calls, start] = [Promise.withResolvers<void>(), engine.runner.start.bind(engine.runner)];
    test.mock.method(engine.runner, 'start', async (...args: Parameters<typeof start>) => {
      calls.resolve();
      await gates[0].promise;
      return start(...args);
    });
    world.service.on(query, going('40%'), going('100%'), async (request, response) => {
      await gates[1].promise;
      await failed(request, response);
    });
    const { client, sent } = await serve(test);
    const seen: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const result = client.callTool(
      { name: 'limner_generate_image', arguments: { prompt: 'a fox', path: 'fox.png' } },
      { onprogress: (step) => seen.push(step) },
    );
    /** Has time pass, and returns how often the client hears of it. */
    async function heardIn(milliseconds: number): Promise<number> {
      await client.ping();
      const before = seen.length;
      test.mock.timers.tick(milliseconds);
      await client.ping();
      return seen.length - before;
    }
    await calls.promise;
    assert.deepEqual([await heardIn(9_999), await heardIn(1), await heardIn(10_000)], [0, 1, 1]);
    assert.deepEqual(new Set(seen.map(({ message }) => message)), new Set(['preparing']));
    gates[0].resolve();
    await world.service.got(query, 2);
    const [task] = engine.store.list({ limit: 1 });
    assert.ok(task);
    await world.when(engine, task.id, ({ progress }) => progress === 100);
    assert.deepEqual([await heardIn(10_000), seen.at(-1)?.message], [1, 'it is in_progress']);
    assert.equal(await heardIn(3_600_000), 360);
    gates[1].resolve();
    await result;
    const steps = seen.map(({ progress }) => progress);
    assert.ok(steps.includes(40) && seen.every(({ total }) => total === 100));
    for (const [index, step] of steps.entries()) {
      assert.ok(step > (steps[index - 1] ?? 0) && step < 100, steps.join());
    }
    const heard = sent('notifications/progress');
    assert.ok(heard >= seen.length);
    assert.equal(await heardIn(60_000), 0);
    // One that does not want to know it hears nothing.
    refuseAll();
    await generate(client, { prompt: 'a hen', path: 'hen.png' });
    assert.equal(sent('notifications/progress'), heard);
  });

  it('save what is canceled, replace nothing with it, and send nothing that is canceled before', async (test) => {
    const gate = Promise.withResolvers<void>();
    const done = world.service.delivers(png).reply(query, 1);
    world.service.on(query, going('40%'), async (request, response) => {
      await gate.promise;
      await done(request, response);
    });
    const { client, host } = await serve(test, 'accept');
    const cancel = new AbortController();
    const call = (signal: AbortSignal, input: object): Promise<unknown> =>
      client
        .callTool({ name: 'limner_generate_image', arguments: { prompt: 'a fox', ...input } }, { signal })
        .catch(() => undefined);
    const canceled = call(cancel.signal, replacing);
    await world.service.got(query);
    cancel.abort();
    await canceled;
    gate.resolve();
    const [task] = engine.store.list({ limit: 1 });
    assert.ok(task);
    await world.until(engine, task.id, 'completed');
    const text = await generate(client, replacing);
    assert.match(text, /^Saved hero-2\.png /mu);
    assert.match(text, /^Note: hero\.png was not replaced: .* limner_finish_image does it at no cost/mu);

    const [early, reached, held] = [
      new AbortController(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const preview = host.preview.bind(host);
    const slow = test.mock.method(host, 'preview', async (...args: Parameters<typeof preview>) => {
      reached.resolve();
      await held.promise;
      return preview(...args);
    });
    const never = call(early.signal, { prompt: 'a cow', path: 'cow.png' });
    await reached.promise;
    early.abort();
    await never;
    await client.ping();
    held.resolve();
    slow.mock.restore();
    refuseAll();
    await generate(client, { prompt: 'a hen', path: 'hen.png' });
    assert.deepEqual(
      engine.store.list({ limit: 9 }).map(({ request, status }) => [request.prompt, status]),
      [
        ['a hen', 'failed'],
        ['a fox', 'completed'],
      ],
    );
    assert.equal(world.service.count(submission), 2);
  });

  it('leave a task to the next process when the client goes', async (test) => {
    world.service.delivers(png).on(query, json(200, { id: 'task_1', status: 'queued' }));
    const { client, ended } = await serve(test);
    const lost = generate(client).catch(() => undefined);
    await world.service.got(query);
    await client.close();
    await Promise.all([lost, ended]);
    await world.service.got(query, 3);
    assert.deepEqual(
      engine.store.list({ limit: 1 }).map(({ status }) => status),
      ['queued'],
    );
  });
});
