import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import type { StartOptions } from '../../../../src/engine/run/taskRunner.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { World } from '../../../support/engine/world.ts';
import { picture } from '../../../support/service/loopbackService.ts';
import { arranged, Document, Uri } from '../documents/windowStub.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { MakeWanted, missingTexts } = await import('../../../../src/vscode/pages/makeWanted.ts');
const { Painting } = await import('../../../../src/vscode/generate/painting.ts');
hooks.deregister();

const post = 'POST /v1/images/generations';

/** As much of an order as is looked at. */
interface Order {
  prompt: string;
  folder: Uri;
  fileName: string;
}

describe('two windows that are told at once to make the same image', () => {
  let world: World;
  let page: Uri;
  /** What each window said of a task that it did not start. */
  let refused: string[];
  /** Resolves once both windows have looked at the task list for the last time. */
  let haveLooked: Promise<void>;
  let looked: () => void;

  beforeEach(async () => {
    world = await World.create();
    world.service.delivers(picture());
    arranged.root = world.workspace;
    page = Uri.file(join(world.workspace, 'page.md'));
    arranged.documents.set(page.toString(), new Document(page, '![A fox](fox.png)'));
    refused = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    haveLooked = promise;
    let left = 2;
    looked = () => {
      left--;
      if (left === 0) {
        resolve();
      }
    };
  });

  afterEach(async () => world.dispose());

  /** Has a window make the image: by its quick fix, or with all images of its document. */
  async function make(engine: Engine, id: string | undefined): Promise<void> {
    const { store, runner } = engine;
    const start = async (request: TaskRequest, options: StartOptions): Promise<Task> => {
      looked();
      await haveLooked;
      return runner.start(request, options);
    };
    const follow = async (starting: Promise<Task>): Promise<void> => {
      await starting.then(
        async (task) => runner.outcome(task.id),
        (error: unknown) => refused.push(String(error)),
      );
    };
    const opened = { get: async () => ({ store, runner: { start } }) };
    const painting: unknown = {
      engine: opened,
      service: { readyOrSetUp: async () => world.service.baseUrl },
      models: { choose: () => ({}) },
      styles: { choose: async () => undefined },
      questions: {
        runText: () => undefined,
        wasSent() {},
        ask: async (baseUrl: string, given: Order) => ({ ...given, baseUrl, model: {} }),
      },
      requests: {
        requireOneAtATime() {},
        inputs: async () => ({}),
        build: async (_: string, { prompt, folder, fileName }: Order) =>
          world.request({ prompt, target: { folder: folder.toString(), root: folder.toString(), fileName } }),
      },
      limits: {
        confirm: async () => ({}),
        confirmRepeat: async () => {},
        send: async (_: TaskRequest, options: StartOptions, start: (how: StartOptions) => Promise<Task>) =>
          start(options),
      },
      runs: {
        follow,
        followTogether: async (starting: readonly Promise<Task>[]) => Promise.all(starting.map(follow)),
      },
    };
    assert.ok(arePaintingServices(painting));
    const fox = {
      id: 'fox',
      label: 'fox.png',
      prompt: 'A fox',
      folder: Uri.file(world.workspace),
      fileName: 'fox.png',
    };
    const services: unknown = [
      async () => ({ wantedIn: async () => [fox] }),
      opened,
      new Painting(painting),
      { resume: assert.fail },
      { error: assert.fail, warn() {}, info() {}, debug() {} },
    ];
    assert.ok(areServices(services));
    await new MakeWanted(...services).inFile(missingTexts, page, id);
  }

  for (const id of ['fox', undefined]) {
    it(`have it sent and billed once: ${id ? 'by its quick fix' : 'with all of a document'}`, async () => {
      const windows = [await world.open(), await world.open()];
      await Promise.all(windows.map(async (engine) => make(engine, id)));
      assert.equal(world.service.count(post), 1);
      assert.equal(windows[0]?.store.count(), 1);
      assert.equal(refused.length, 1);
      assert.match(refused[0] ?? '', /Another window makes this image already/u);
    });
  }
});

/** They are as much of the window's as this needs. */
function areServices(value: unknown): value is ConstructorParameters<typeof MakeWanted> {
  return Array.isArray(value);
}

function arePaintingServices(value: unknown): value is ConstructorParameters<typeof Painting>[0] {
  return typeof value === 'object';
}
