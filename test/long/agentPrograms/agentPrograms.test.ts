import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import type { DemoServiceOptions } from '../../../src/demo/endpoints/options.ts';
import { World } from '../../support/cli/limner.ts';
import { McpSession, textOf } from '../../support/cli/mcpSession.ts';
import { eventually } from '../../support/eventually.ts';
import { projectFolder } from '../../support/folders.ts';
import { fetchPrograms } from './fetchPrograms.ts';
import { type Program, programs, type RunningProgram, start } from './programs.ts';
import { type Move, ScriptedModel, type Turn } from './scriptedModel.ts';

/** Made by `npm run package`. */
const limner = join(projectFolder, 'dist/limner.js');

const minute = 60_000;
const fox = { tool: 'limner_generate_image', input: { prompt: 'a fox', path: 'fox.png', size: '64x64' } };
/** An image that is done only when the clock of the service is moved. */
const slow: DemoServiceOptions = { clock: 'frozen', taskDuration: 90_000 };
const requestLog = v.object({ requests: v.array(v.object({ method: v.string(), path: v.string() })) });

/** A program at work in a world of its own. */
class Scene implements AsyncDisposable {
  readonly world: World;
  readonly model: ScriptedModel;
  readonly run: RunningProgram;

  private constructor(world: World, model: ScriptedModel, run: RunningProgram) {
    this.world = world;
    this.model = model;
    this.run = run;
  }

  static async open(
    program: Program,
    options: DemoServiceOptions,
    moves: (world: World) => Move[],
    timeout?: number,
  ): Promise<Scene> {
    const packages = await fetchPrograms();
    const world = await World.open(options, limner);
    const model = await ScriptedModel.open(program.dialect, moves(world));
    const place = {
      packages,
      home: dirname(world.home),
      model: model.origin,
      server: world.mcp({}),
      timeout,
    };
    return new Scene(world, model, await start(program, world, place));
  }

  /** Waits until the program has ended by itself. @returns what its model was given after its first turn */
  async turns(): Promise<Turn[]> {
    const code = await this.run.ended;
    assert.equal(code, 0, this.run.output);
    return this.model.turns.slice(1);
  }

  /** Asserts that one image was paid and is a file. */
  async hasOne(): Promise<void> {
    assert.deepEqual(await this.world.files(), ['fox.png']);
    assert.deepEqual(await this.world.ledger(), ['settled']);
    assert.equal((await this.world.posts()).length, 1);
  }

  /** Waits until the service was asked how far the image is: it is known by its ID then. */
  async isWatched(): Promise<void> {
    await eventually(
      'Limner watches the task',
      async () => v.parse(requestLog, await this.world.ask('requests')).requests,
      (requests) => requests.some(({ method, path }) => method === 'GET' && path.includes('/task_')),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run.kill();
    this.model[Symbol.dispose]();
    await this.world[Symbol.asyncDispose]();
  }
}

/** Asserts that a model reads of the file, and is shown the picture as a picture. */
function shows({ words, pictures }: Turn = { words: '', pictures: [] }): void {
  assert.match(words, /^Saved fox\.png \(PNG, /mu);
  // Base64 as text would cost thousands of tokens.
  assert.doesNotMatch(words, /[\w+/]{400}/u);
  assert.deepEqual(pictures, ['image/jpeg']);
}

/** Calls for what a model was told is still running. */
function resume({ words }: Turn): Exclude<Move, Function> {
  assert.match(words, /^The task is still running\./mu);
  const [, taskId = ''] = /^Task: (\S+)$/mu.exec(words) ?? [];
  return { tool: 'limner_resume_task', input: { taskId } };
}

describe('agent programs of others', { concurrency: 3 }, () => {
  for (const [name, program] of Object.entries(programs)) {
    const skip = program.skip ?? false;
    describe(name, { skip, concurrency: 1 }, () => {
      it('shows the image to its model, and pays once for a call repeated minutes later', async () => {
        await using scene = await Scene.open(program, {}, (world) => [
          fox,
          () => {
            world.edit(
              `UPDATE tasks SET state = json_set(state, '$.finishedAt', state ->> '$.finishedAt' - ?1,
               '$.deliveredAt', state ->> '$.deliveredAt' - ?1)`,
              2 * minute,
            );
            return fox;
          },
          'Done.',
        ]);
        const [first, second] = await scene.turns();
        shows(first);
        assert.match(second?.words ?? '', /This call was made already\..*fox\.png/su);
        await scene.hasOne();
      });

      it('gets an image that takes longer than a minute', async () => {
        const options = program.listens ? { taskDuration: 65_000 } : slow;
        await using scene = await Scene.open(program, options, ({ demo }) =>
          program.listens
            ? [fox, 'Done.']
            : [
                fox,
                async (turn) => {
                  await demo.advance(2 * minute);
                  return resume(turn);
                },
                'Done.',
              ],
        );
        shows((await scene.turns()).at(-1));
        await scene.hasOne();
      });

      it('is killed, and loses nothing', async () => {
        const called = Promise.withResolvers<void>();
        const move = (): typeof fox => {
          called.resolve();
          return fox;
        };
        await using scene = await Scene.open(program, slow, () => [move]);
        const { world, run } = scene;
        await Promise.race([called.promise, run.ended]);
        await scene.isWatched();
        await run.kill();
        await world.demo.advance(2 * minute);
        await using session = await McpSession.open(world);
        const [task] = await world.tasks();
        const result = await session.call('limner_resume_task', { taskId: task?.taskId });
        assert.match(textOf(result), /^Saved fox\.png /mu);
        await scene.hasOne();
      });

      it('gives up, and gets the file nevertheless', { skip: !program.givesUp }, async () => {
        await using scene = await Scene.open(
          program,
          slow,
          (world) => [
            fox,
            async () => {
              await world.demo.advance(2 * minute);
              await eventually(
                'the file comes',
                async () => Promise.resolve(existsSync(world.path('fox.png'))),
                (isThere) => isThere,
              );
              return 'Done.';
            },
          ],
          10_000,
        );
        const [turn] = await scene.turns();
        assert.doesNotMatch(turn?.words ?? '', /Saved/u);
        await scene.hasOne();
      });
    });
  }
});
