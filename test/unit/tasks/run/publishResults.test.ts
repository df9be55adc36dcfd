import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathOfUri } from '../../../../src/common/disk/fileUris.ts';
import type { Publisher } from '../../../../src/tasks/ports.ts';
import type { SaveTarget, Task, TaskRequest } from '../../../../src/tasks/task.ts';
import { newTaskId } from '../../../../src/tasks/taskId.ts';
import { aResult } from '../../../support/engine/taskBuilders.ts';
import { quiet, StillWorld } from '../../../support/engine/stillWorld.ts';
import { picture } from '../../../support/service/loopbackService.ts';

const root = 'vscode-vfs://github/o/r';
const remote: SaveTarget = { folder: `${root}/new images/`, root, fileName: 'a fox #{index}' };

describe('publishResults', () => {
  let world: StillWorld;

  beforeEach(async () => {
    world = await StillWorld.create();
  });

  afterEach(async () => world.dispose());

  async function save(request: Partial<TaskRequest> = {}, changes: Partial<Task> = {}): Promise<Task> {
    const id = await world.goOn({
      status: 'saving',
      results: [aResult()],
      request: world.request(request),
      ...changes,
    });
    return world.task(id);
  }

  /** Keeps what it is given, and tells what the row said by then. */
  class Memory implements Publisher {
    readonly stored: [name: string, bytes: string][] = [];
    readonly intended: (string | undefined)[] = [];
    readonly keys: string[] = [];

    async publish(path: string, { folder }: SaveTarget, name: string, key: string): Promise<string> {
      this.intended.push(world.store.list({ limit: 1 })[0]?.results[0]?.publishing);
      this.keys.push(key);
      this.stored.push([name, readFileSync(path, 'latin1')]);
      return `${folder}${name}`;
    }
  }

  it('says in the row where a picture goes before it goes there, and removes its bytes here after', async () => {
    const memory = new Memory();
    world.publisher = memory;
    const { id, status, results } = await save({ target: remote });
    assert.deepEqual([status, results[0]?.state], ['completed', 'saved']);
    assert.deepEqual(memory.intended, [`${root}/new images/a%20fox%20%231.png`]);
    assert.deepEqual(memory.stored, [['a fox #1.png', picture().toString('latin1')]]);
    assert.deepEqual(memory.keys, [`${id}-0`]);
    assert.equal(results[0]?.uri, `${remote.folder}a fox #1.png`);
    assert.deepEqual([results[0].publishing, results[0].stagedPath], [undefined, undefined]);
    assert.equal(existsSync(join(world.incoming, id)), false);
  });

  it('finds a picture that was published just before a crash, and looks for no other one', async () => {
    const asked: unknown[] = [];
    const memory: Publisher = Object.assign(new Memory(), {
      find: async (...given: unknown[]) => {
        asked.push(given);
        return asked.length === 1 ? `${root}/found.png` : undefined;
      },
    });
    world.publisher = memory;
    const publishing = `${root}/new images/fox.png`;
    const found = await save({ target: remote }, { results: [aResult({ publishing })] });
    assert.deepEqual([found.results[0]?.state, found.results[0]?.uri], ['saved', `${root}/found.png`]);
    const { sha256 } = found.results[0] ?? {};
    assert.deepEqual(asked, [[remote, 'a fox #1.png', sha256]]);
    const other = await save({ target: remote }, { results: [aResult({ publishing })] });
    assert.equal(other.results[0]?.uri, `${remote.folder}a fox #1.png`);
    await save({ target: remote });
    assert.equal(asked.length, 2);
  });

  it('says of a picture in the inbox which folder is not available, on disk and elsewhere', async () => {
    const id = await world.goOn();
    world.query = async () => ({
      id: 'task_1',
      status: 'completed',
      images: [{ kind: 'url', url: 'https://r.example/0.png' }],
    });
    renameSync(world.workspace, `${world.workspace}-away`);
    await world.pass(5000);
    const { status, results } = world.task(id);
    assert.deepEqual([status, results[0]?.state], ['completed', 'staged']);
    assert.deepEqual(results[0]?.error, {
      code: 'save_failed',
      message: `The folder ${join(world.workspace, 'images')} isn't available.`,
      phase: 'save',
      billing: 'yes',
    });
    const path = join(world.inbox, 'a-red-fox.png');
    assert.deepEqual([results[0].stagedPath, readFileSync(path)], [path, picture()]);
    assert.deepEqual([results[0].publishing, await readdir(world.inbox)], [undefined, ['a-red-fox.png']]);
    assert.equal(existsSync(join(world.incoming, id)), false);
    // Still: it stays there, under its one name.
    await world.runner.saveAgain(id);
    await quiet();
    assert.deepEqual(world.task(id).results, results);
    renameSync(`${world.workspace}-away`, world.workspace);
    await world.runner.emptyInbox();
    await quiet();
    assert.equal(world.task(id).results[0]?.state, 'saved');
    assert.deepEqual(await readdir(world.inbox), []);
    const elsewhere = await save({ target: remote });
    assert.equal(elsewhere.results[0]?.error?.message, `The folder ${remote.folder} isn't available.`);
  });

  it('keeps what is no picture under the number of the picture, and says what it is', async () => {
    world.query = async (_id, { openSink }) => {
      const [first, second] = [openSink(0), openSink(1)];
      await first.write(Buffer.from('BM, and no bitmap'));
      await first.close();
      await second.write(Buffer.from('no'));
      await second.toText();
      await second.write(Buffer.from('*'));
      await second.close();
      return {
        id: 'task_1',
        status: 'completed',
        images: [0, 1].map((sink) => ({ kind: 'inline' as const, sink })),
      };
    };
    const id = await world.goOn({ request: world.request({ n: 2 }) });
    const { status, results } = world.task(id);
    assert.equal(status, 'failed');
    assert.deepEqual(
      results.map(({ error }) => error),
      ["The received data isn't a PNG, JPEG, or WebP image.", "The received data isn't valid base64."].map(
        (message) => ({ code: 'unsupported_image', message, phase: 'save', billing: 'yes' }),
      ),
    );
    assert.deepEqual(
      results.map(({ stagedPath = '' }) => [stagedPath, readFileSync(stagedPath, 'latin1')]),
      [
        [join(world.inbox, `${id}-1.bin`), 'BM, and no bitmap'],
        [join(world.inbox, `${id}-2.txt`), `${Buffer.from('no').toString('base64')}*`],
      ],
    );
  });

  it('names a picture after the time of its task, its model, its number and the file that was edited', async () => {
    const createdAt = new Date(2026, 1, 3, 4, 5, 6).getTime();
    const { results } = await save(
      { n: 2, target: { ...world.request().target, fileName: '{model}-{date}-{index}' } },
      { createdAt, results: [aResult({ index: 1 })] },
    );
    assert.match(results[0]?.uri ?? '', /\/painter-1-2026-02-03-2\.png$/u);
    assert.ok(world.log.lines.some((line) => line.endsWith(': saved image 2.')));
    const fox = {
      uri: 'file:///fox.old.png',
      path: '/fox.old.png',
      name: 'fox.old.png',
      size: 1,
      mediaType: 'image/png',
      sha256: 'a',
    };
    const edited = await save({
      kind: 'edit',
      images: [fox],
      target: { ...world.request().target, fileName: '{name}-edited' },
    });
    assert.match(edited.results[0]?.uri ?? '', /\/fox\.old-edited\.png$/u);
  });

  it('gives a picture the extension of the format that came, however a person spells it', async () => {
    for (const [fileName, name] of [
      ['one.png', 'one.png'],
      ['two.PNG', 'two.PNG'],
      ['three.jpg', 'three.png'],
    ]) {
      const { results } = await save({ target: { ...world.request().target, fileName: fileName ?? '' } });
      assert.equal(pathOfUri(results[0]?.uri ?? ''), join(world.workspace, 'images', name ?? ''));
    }
  });

  it('tries a file again six times that another program holds, ever more patiently, and then says so', async () => {
    const tries: number[] = [];
    let failures = 3;
    world.publisher = {
      publish: async () => {
        tries.push(world.clock.now());
        if (failures-- > 0) {
          throw Object.assign(new Error('EBUSY: it is held'), { code: 'EBUSY', syscall: 'open', errno: -16 });
        }
        return `${root}/fox.png`;
      },
    };
    const { id } = await save({ target: remote });
    await world.pass(10_000);
    assert.equal(world.task(id).results[0]?.state, 'saved');
    assert.deepEqual(
      tries.map((at) => at - (tries[0] ?? 0)),
      [0, 100, 300, 700],
    );
    failures = Infinity;
    tries.length = 0;
    const { id: other } = await save({ target: remote });
    await world.pass(60_000);
    const { status, error, results } = world.task(other);
    assert.deepEqual(
      [status, error?.code, error?.phase, error?.billing],
      ['failed', 'save_failed', 'save', 'yes'],
    );
    assert.equal(tries.length, 6);
    assert.equal(results[0]?.publishing, `${root}/new images/a%20fox%20%231.png`);
    assert.deepEqual(readFileSync(results[0].stagedPath ?? ''), picture());
    assert.ok(world.log.lines.some((line) => line === `warn Task ${other}: ${error?.message}`));
    tries.length = 0;
    world.publisher = {
      publish: async () => {
        tries.push(world.clock.now());
        throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC', syscall: 'write', errno: -28 });
      },
    };
    const { id: last } = await save({ target: remote });
    await world.pass(60_000);
    assert.equal(tries.length, 1, 'a full disk does not become empty by itself');
    // Should the file be there after all, it is found by its name.
    assert.equal(world.task(last).results[0]?.publishing, `${root}/new images/a%20fox%20%231.png`);
  });

  for (const code of ['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE']) {
    it(`tries a file again that cannot be written just now: ${code}`, async () => {
      let failures = 1;
      world.publisher = {
        publish: async () => {
          if (failures-- > 0) {
            throw Object.assign(new Error(code), { code, syscall: 'open', errno: -16 });
          }
          return `${root}/fox.png`;
        },
      };
      const { id } = await save({ target: remote });
      await world.pass(1000);
      assert.equal(world.task(id).results[0]?.state, 'saved');
    });
  }

  it('tries a file again that Windows opens for nobody just now', async ({ mock }) => {
    const error = Object.assign(new Error('EBUSY'), { code: 'EBUSY', syscall: 'open', errno: -16 });
    const publish = mock.fn(async () => Promise.resolve(`${root}/fox.png`));
    publish.mock.mockImplementationOnce(async () => Promise.reject(error));
    world.publisher = { publish };
    mock.property(process, 'platform', 'win32');
    const { id } = await save({ target: remote });
    await world.pass(1000);
    assert.equal(world.task(id).results[0]?.state, 'saved');
  });

  for (const [mediaType, extension] of [
    ['image/png', 'png'],
    ['image/jpeg', 'jpg'],
    ['image/webp', 'webp'],
  ]) {
    it(`names a file by what is in it: ${mediaType}`, async () => {
      const id = newTaskId(world.clock.now());
      const sink = world.staging.sink(id, 0, 1);
      await sink.write(picture());
      await sink.close();
      const results = [aResult({ state: 'staged', ...sink.file, mediaType: mediaType ?? '' })];
      const { status, results: saved } = await save({}, { id, results });
      assert.deepEqual(
        [status, pathOfUri(saved[0]?.uri ?? '')],
        ['completed', join(world.workspace, 'images', `a-red-fox.${extension}`)],
      );
    });
  }

  for (const [what, end] of [
    ['is put in its place', ({ resolve }: PromiseWithResolvers<string>) => resolve(`${root}/fox.png`)],
    ['cannot be', ({ reject }: PromiseWithResolvers<string>) => reject(new Error('It takes no files.'))],
  ] as const) {
    it(`leaves the rest to the next window when this one closes before a picture ${what}`, async () => {
      const publishing = Promise.withResolvers<string>();
      let count = 0;
      world.publisher = {
        publish: async () => {
          count++;
          return publishing.promise;
        },
      };
      const results = [aResult(), aResult({ index: 1, url: 'https://results.example/1.png' })];
      const { id } = await save({ n: 2, target: remote }, { results });
      const closing = world.runner.dispose();
      end(publishing);
      await quiet();
      await closing;
      const left = world.task(id);
      assert.deepEqual([left.status, left.results[1]?.state, count], ['saving', 'staged', 1]);
      assert.notEqual(left.results[0]?.state, 'failed');
      assert.deepEqual(
        world.log.lines.filter((line) => line.startsWith('warn')),
        [],
      );
    });
  }

  it('leaves a picture to the window that has taken its task over meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isOver = false;
    world.publisher = {
      find: async () => {
        await promise;
        return undefined;
      },
      publish: async () => {
        isOver = true;
        return `${root}/fox.png`;
      },
    };
    const publishing = `${root}/new images/fox.png`;
    const { id } = await save({ target: remote }, { results: [aResult({ publishing })] });
    assert.equal(world.task(id).results[0]?.state, 'staged');
    const before = world.task(id);
    await world.overtake(id);
    resolve();
    await world.pass(60_000);
    assert.deepEqual([isOver, world.task(id)], [false, before]);
  });
});
