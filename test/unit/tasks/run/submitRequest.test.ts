import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { fileUri } from '../../../../src/common/disk/fileUris.ts';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import type { ImageService } from '../../../../src/service/imageService.ts';
import type { ImageRequest } from '../../../../src/service/messages.ts';
import { hashOf } from '../../../../src/tasks/files/stagingStore.ts';
import type { Task, TaskInput, TaskRequest } from '../../../../src/tasks/task.ts';
import { accepted, quiet, StillWorld } from '../../../support/engine/stillWorld.ts';
import { apiKey } from '../../../support/engine/world.ts';
import { picture } from '../../../support/service/loopbackService.ts';

type Submit = ImageService['submit'];

const minute = 60_000;

function busy(seconds: number): LimnerError {
  return new LimnerError('queue_full', 'It is busy.', {
    status: 503,
    sent: true,
    billing: 'no',
    retryAfter: seconds * 1000,
  });
}

describe('submitRequest', () => {
  let world: StillWorld;
  /** When the call was broken off. */
  let brokenOff: number | undefined;

  beforeEach(async () => {
    world = await StillWorld.create();
    brokenOff = undefined;
  });

  afterEach(async () => world.dispose());

  /** Goes on until it is broken off. */
  const endless: Submit = async (_request, _style, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        brokenOff = world.clock.now();
        reject(signal.reason);
      });
    });

  /** Takes one picture of two, and goes on until it is broken off. */
  const halfDone: Submit = async (request, style, options) => {
    const sink = options.openSink(0);
    await sink.write(picture());
    await sink.close();
    return endless(request, style, options);
  };

  it('lets input through between the list and the request', async () => {
    const { port1, port2 } = new MessageChannel();
    let isInput = false;
    port2.once('message', () => {
      isInput = true;
      port2.close();
    });
    world.store.onDidChange(() => port1.postMessage('Enter'));
    const sent: boolean[] = [];
    world.submit = async () => {
      sent.push(isInput);
      return accepted();
    };
    await world.start();
    assert.deepEqual(sent, [true]);
  });

  it('waits as long as a busy service asks, holds up no other task, and tells why', async () => {
    world.settings.maxConcurrentTasks = 1;
    const replies = [busy(600)];
    world.submit = async () => {
      const error = replies.shift();
      return error ? Promise.reject(error) : accepted();
    };
    const [first, second] = [await world.start(), await world.start()];
    const { status, error, retryAt } = world.task(first);
    assert.deepEqual([status, error?.code, error?.phase], ['waiting', 'queue_full', 'submit']);
    assert.equal(retryAt, world.clock.now() + 10 * minute);
    assert.deepEqual([world.task(second).status, world.sent.length], ['queued', 2]);
    await world.pass(10 * minute - 1);
    assert.equal(world.sent.length, 2);
    await world.pass(1);
    assert.deepEqual([world.task(first).status, world.sent.length], ['queued', 3]);
  });

  it('sends one task after the other where one call may be open, and none that was stopped before', async () => {
    world.settings.maxConcurrentTasks = 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    world.submit = async () => {
      await promise;
      return accepted();
    };
    const ids = [await world.start(), await world.start(), await world.start()];
    assert.deepEqual(
      ids.map((id) => world.task(id).status),
      ['submitting', 'waiting', 'waiting'],
    );
    await world.runner.stop(ids[1] ?? '');
    resolve();
    await world.pass(minute);
    assert.deepEqual(
      ids.map((id) => world.task(id).status),
      ['in_progress', 'stopped', 'in_progress'],
    );
    assert.equal(world.sent.length, 2);
  });

  it('breaks a synchronous call off at once when a person stops its task', async () => {
    world.submit = endless;
    const id = await world.start({ callStyle: 'sync' });
    await world.pass(minute);
    await world.runner.stop(id);
    await quiet();
    assert.deepEqual([world.task(id).status, brokenOff], ['stopped', world.clock.now()]);
    assert.equal(world.clock.nextDue, Infinity);
  });

  it('waits two seconds for the id of a task that is stopped while it is sent, and no longer', async () => {
    world.submit = endless;
    const id = await world.start();
    await world.pass(minute);
    await world.runner.stop(id);
    await world.pass(1999);
    assert.equal(brokenOff, undefined);
    await world.pass(1);
    assert.deepEqual([world.task(id).status, brokenOff], ['stopped', world.clock.now()]);
    assert.equal(world.clock.nextDue, Infinity);
  });

  it('keeps the id that comes within that time, and asks nothing about a task that is stopped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.submit = async () => {
      await promise;
      return accepted({ progress: 5 });
    };
    const id = await world.start();
    await world.runner.stop(id);
    await world.pass(1000);
    resolve();
    await quiet();
    const { status, remoteId, progress } = world.task(id);
    assert.deepEqual([status, remoteId, progress], ['stopped', 'task_1', 5]);
    assert.equal(world.clock.nextDue, Infinity);
    await world.runner.resume(id);
    await world.pass(minute);
    assert.deepEqual([world.task(id).status, world.sent.length], ['in_progress', 1]);
  });

  it('leaves nothing of a call behind once it is answered', async () => {
    world.query = async () => ({ id: 'task_1', status: 'in_progress', retryAfter: 10 * minute });
    const id = await world.start();
    await world.pass(minute);
    await world.runner.stop(id);
    await quiet();
    assert.equal(world.clock.nextDue, Infinity);
  });

  it('waits for no id of a task that is removed', async () => {
    world.submit = endless;
    const id = await world.start();
    await world.runner.stop(id);
    await world.store.remove(id);
    await quiet();
    assert.equal(brokenOff, world.clock.now());
  });

  it('saves what came whole before a person stopped the call', async () => {
    world.submit = halfDone;
    const id = await world.start({ callStyle: 'sync', n: 2 });
    assert.equal(world.task(id).results[0]?.state, 'staged');
    await world.pass(minute);
    await world.runner.stop(id);
    await world.pass(minute);
    const { status, error, results } = world.task(id);
    assert.deepEqual([status, error?.code, results.length], ['completed', 'stopped', 1]);
    assert.equal(results[0]?.state, 'saved');
    assert.equal(brokenOff, world.clock.now() - minute);
  });

  it('lets an answer come to its end when the window closes, for two and a half seconds', async () => {
    world.submit = halfDone;
    const id = await world.start({ callStyle: 'sync', n: 2 });
    const closed = world.clock.now();
    await world.dispose();
    assert.equal(brokenOff, closed + 2500);
    world = await StillWorld.create();
    assert.notEqual(id, '');
  });

  it('knows when an answer began, what it said, and which pictures came with it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.submit = async (_request, _style, { openSink }) => {
      const [first, second] = [openSink(0), openSink(1)];
      await first.write(picture('one'));
      await promise;
      await second.write(picture('two'));
      await second.close();
      await first.close();
      return {
        kind: 'answered',
        answer: {
          images: [
            { kind: 'inline', sink: 0, revisedPrompt: 'a fox, red' },
            { kind: 'inline', sink: 1 },
          ],
          remark: 'Two foxes.',
          usage: { totalTokenCount: 7 },
          incomplete: new LimnerError('rate_limited', 'A third is missing.', { status: 429, billing: 'no' }),
        },
      };
    };
    const id = await world.start({ callStyle: 'sync', n: 3 });
    const began = world.clock.now();
    assert.deepEqual([world.task(id).status, world.task(id).submittedAt], ['in_progress', began]);
    await world.pass(minute);
    resolve();
    await world.pass(minute);
    const { status, submittedAt, completedAt, remark, usage, error, results } = world.task(id);
    assert.deepEqual([status, submittedAt, completedAt], ['completed', began, began + minute]);
    assert.deepEqual([remark, usage], ['Two foxes.', { totalTokenCount: 7 }]);
    assert.deepEqual(error, {
      code: 'rate_limited',
      message: 'A third is missing.',
      status: 429,
      billing: 'no',
    });
    assert.deepEqual(
      results.map(({ state, size, revisedPrompt }) => [state, size, revisedPrompt]),
      [
        ['saved', picture('one').length, 'a fox, red'],
        ['saved', picture('two').length, undefined],
      ],
    );
  });

  it('drops a picture that broke off', async () => {
    world.submit = async (_request, _style, { openSink }) => {
      const sink = openSink(0);
      await sink.write(picture());
      await sink.discard();
      throw new LimnerError('network', 'It was cut.', { sent: true });
    };
    const id = await world.start({ callStyle: 'sync' });
    const { status, error, results } = world.task(id);
    assert.deepEqual([status, error?.code, error?.phase, results], ['unknown', 'network', 'submit', []]);
    assert.equal(existsSync(`${world.incoming}/${id}/0-1.image`), false);
  });

  it('logs the refusal of a key once, in the words of the service, and fails', async () => {
    world.submit = async () =>
      Promise.reject(
        new LimnerError('unauthorized', 'No.', {
          status: 401,
          billing: 'no',
          service: { code: 'bad_key' },
        }),
      );
    const id = await world.start();
    await world.pass(minute);
    assert.deepEqual([world.task(id).status, world.sent.length], ['failed', 1]);
    assert.deepEqual(
      world.log.lines.filter((line) => line.startsWith('warn')),
      [`warn Task ${id}: bad_key (HTTP 401)`],
    );
    world.submit = async () =>
      Promise.reject(new LimnerError('invalid_request', 'No.', { status: 400, billing: 'no' }));
    await world.start();
    assert.equal(world.log.lines.filter((line) => line.startsWith('warn')).length, 1);
  });

  it('says that there is no key, and connects to nobody', async () => {
    world.keys.key = undefined;
    const id = await world.start();
    const { status, error } = world.task(id);
    assert.equal(status, 'failed');
    assert.deepEqual(error, {
      code: 'no_key',
      message: `No API key is set for ${world.origin}.`,
      phase: 'submit',
      billing: 'no',
      sent: false,
    });
    assert.deepEqual([...world.keysSeen], []);
  });

  it('remembers with which key a task was sent, without the key', async () => {
    const id = await world.start();
    const { keyFingerprint, submittedAt } = world.task(id);
    assert.equal(keyFingerprint, world.store.fingerprint(apiKey));
    assert.equal(submittedAt, world.clock.now());
  });

  describe('of an edit', () => {
    const bytes = { fox: Buffer.from('a fox'), hen: Buffer.from('a hen'), mask: picture('mask') };
    let sent: ImageRequest[];
    let inputs: Record<keyof typeof bytes, TaskInput>;

    beforeEach(() => {
      sent = [];
      world.submit = async (request) => {
        sent.push(request);
        return accepted();
      };
      const input = (name: keyof typeof bytes, mediaType: string): TaskInput => {
        const path = join(world.workspace, name);
        writeFileSync(path, bytes[name]);
        return {
          uri: fileUri(path),
          path,
          name,
          size: bytes[name].length,
          mediaType,
          sha256: hashOf(bytes[name]),
        };
      };
      inputs = {
        fox: input('fox', 'image/jpeg'),
        hen: input('hen', 'image/webp'),
        mask: input('mask', 'image/png'),
      };
    });

    async function edit(changes: Partial<TaskRequest> = {}): Promise<Task> {
      const { fox, hen, mask } = inputs;
      return world.task(await world.start({ kind: 'edit', images: [fox, hen], mask, ...changes }));
    }

    it('sends the files in their order, with the mask, and nothing that only Limner knows', async () => {
      await edit({ keepOutside: true });
      const [{ images = [], mask, ...others } = assert.fail()] = sent;
      for (const [file, name] of [
        [images[0], 'fox'],
        [images[1], 'hen'],
        [mask, 'mask'],
      ] as const) {
        const { size, mediaType } = inputs[name];
        assert.deepEqual([file?.name, file?.size, file?.mediaType], [name, size, mediaType]);
        assert.deepEqual(await buffer(file?.open() ?? assert.fail()), bytes[name]);
      }
      assert.equal(images.length, 2);
      assert.deepEqual([others.prompt, 'instruction' in others], ['a red fox', false]);
    });

    it('sends none where there is none', async () => {
      await world.start({ kind: 'edit', images: [inputs.fox] });
      assert.equal(sent.length, 1);
      assert.equal('mask' in (sent[0] ?? {}), false);
    });

    for (const name of ['hen', 'mask'] as const) {
      for (const [what, change] of [
        ['changed', (path: string) => writeFileSync(path, 'another')],
        ['removed', (path: string) => rmSync(path)],
      ] as const) {
        it(`sends nothing, and says why, when a file was ${what}: ${name}`, async () => {
          change(inputs[name].path);
          const { status, error } = await edit();
          assert.deepEqual([status, sent], ['failed', []]);
          assert.deepEqual(error, {
            code: 'invalid_request',
            message: `The file ${name} was changed or removed after it was chosen.`,
            phase: 'submit',
            billing: 'no',
            sent: false,
          });
        });
      }
    }

    it('keeps the files that pixels are taken from later as they were sent, and no others', async () => {
      const { id } = await edit({ keepOutside: true });
      const copy = ({ sha256 }: TaskInput): string => join(world.incoming, id, `input-${sha256}`);
      assert.deepEqual(readFileSync(copy(inputs.fox)), bytes.fox);
      assert.deepEqual(readFileSync(copy(inputs.mask)), bytes.mask);
      assert.equal(existsSync(copy(inputs.hen)), false);
    });

    it('sends the words by which the subject is cut out after those of the person', async () => {
      await world.start({ finish: { cutout: { by: 'key' } } });
      const [{ prompt } = assert.fail()] = sent;
      assert.match(prompt, /^a red fox\n\n\S.+$/u);
    });
  });
});
