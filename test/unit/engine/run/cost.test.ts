import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { Database, type Durability } from '../../../../src/engine/store/database.ts';
import { fastClock, World } from '../../../support/engine/world.ts';
import { json, picture } from '../../../support/service/loopbackService.ts';

/** What a task cost the disk. */
interface Cost {
  /** Transactions by how soon they have to be on disk. */
  commits: Record<Durability, number>;
  /** Files and folders that were synced. */
  syncs: number;
}

/** Counts what work asks of the disk. */
async function costOf(world: World, work: () => Promise<void>): Promise<Cost> {
  const cost: Cost = { commits: { full: 0, normal: 0 }, syncs: 0 };
  const transaction = mock.method(Database.prototype, 'transaction');
  const handle = await fs.open(join(world.home, 'any'), 'w');
  await handle.close();
  const kind: unknown = Object.getPrototypeOf(handle);
  assert.ok(canSync(kind));
  const sync = mock.method(kind, 'sync');
  try {
    await work();
    for (const {
      arguments: [durability],
    } of transaction.mock.calls) {
      cost.commits[durability] += 1;
    }
    cost.syncs = sync.mock.callCount();
    return cost;
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
}

function canSync(value: unknown): value is Pick<fs.FileHandle, 'sync'> {
  return typeof value === 'object' && value !== null && 'sync' in value;
}

const images = 4;
const pictures = Array.from({ length: images }, (_, index) => picture(String(index)));

describe('a task of four images', () => {
  async function run(reply: (world: World) => void, callStyle: 'async' | 'sync'): Promise<Cost> {
    const world = await World.create();
    try {
      reply(world);
      const { runner } = await world.open({ clock: fastClock() });
      return await costOf(world, async () => {
        const { id } = await runner.start(world.request({ n: images, callStyle }));
        const task = await runner.outcome(id);
        assert.deepEqual(
          task.results.map(({ state }) => state),
          Array.from({ length: images }, () => 'saved'),
        );
      });
    } finally {
      await world.dispose();
    }
  }

  // The task, that it is sent, its answer, and the name of each image before it is taken: the rest tells itself.
  const durable = 3 + images;
  // Each image, its name in the folder where it arrives and that folder's own, and its name in the workspace.
  // Windows syncs no folders.
  const syncs = images * (process.platform === 'win32' ? 2 : 4);

  it('waits for the disk only where nothing else tells, in a synchronous call', async () => {
    const data = pictures.map((bytes) => ({ b64_json: bytes.toString('base64') }));
    const cost = await run(
      ({ service }) => service.on('POST /v1/images/generations', json(200, { created: 1, data })),
      'sync',
    );
    assert.equal(cost.commits.full, durable);
    assert.equal(cost.syncs, syncs);
  });

  it('waits for the disk only where nothing else tells, in an asynchronous one', async () => {
    const cost = await run(({ service }) => service.delivers(...pictures), 'async');
    // The service took it, and it is done.
    assert.equal(cost.commits.full, durable + 1);
    assert.equal(cost.syncs, syncs);
  });
});
