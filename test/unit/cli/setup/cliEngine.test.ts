import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openCliEngine } from '../../../../src/cli/setup/cliEngine.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';
import type { Engine } from '../../../../src/engine/run/engine.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { aTask } from '../../../support/engine/taskBuilders.ts';
import { World } from '../../../support/engine/world.ts';
import { json, LoopbackService } from '../../../support/service/loopbackService.ts';

const query = 'GET /v1/images/generations/r1';

describe('the engine of the command line', () => {
  let world: World;
  let other: LoopbackService;
  let output: Collected;
  const opened = new Set<Engine>();
  beforeEach(async () => {
    world = await World.create();
    other = await LoopbackService.start();
    output = new Collected();
    for (const service of [world.service, other]) {
      service.on(query, json(200, { id: 'r1', status: 'in_progress' }));
    }
  });
  afterEach(async () => {
    await Promise.all([...opened].map((engine) => engine.dispose()));
    opened.clear();
    await other.stop();
    await world.dispose();
  });

  async function open(variables: Record<string, string>, isGuest?: boolean): Promise<Engine> {
    const environment = readEnvironment({ LIMNER_HOME: world.home, ...variables }, 'linux');
    const engine = await openCliEngine(() => environment, output, isGuest);
    opened.add(engine);
    return engine;
  }

  /** Leaves a task at each of the two services, as a process does that is gone, and returns their IDs. */
  async function abandoned(): Promise<[string, string]> {
    const gone = await world.open();
    const ids: string[] = [];
    for (const { baseUrl } of [world.service, other]) {
      const createdAt = Date.now();
      const task = aTask({
        status: 'in_progress',
        remoteId: 'r1',
        createdAt,
        submittedAt: createdAt,
        origin: baseUrl,
        request: world.request({ baseUrl }),
      });
      await gone.store.add(task);
      ids.push(task.id);
    }
    await world.close(gone);
    const [here = '', there = ''] = ids;
    return [here, there];
  }

  it('tells the key to no other service than the one that it is for', async () => {
    const [, there] = await abandoned();
    const engine = await open({ LIMNER_BASE_URL: `${world.service.baseUrl}/v1`, LIMNER_API_KEY: 'a-key' });
    await engine.runner.resumeUnfinished();
    await world.until(engine, there, 'needs_key');
    await world.service.got(query);
    assert.equal(world.service.seen[0]?.authorization, 'Bearer a-key');
    assert.deepEqual(other.seen, []);
  });

  it('tells the key to nobody where no service is named, or none that can be', async () => {
    const ids = await abandoned();
    for (const variables of [{}, { LIMNER_BASE_URL: 'ftp://images' }]) {
      const engine = await open({ ...variables, LIMNER_API_KEY: 'a-key' });
      await engine.runner.resumeUnfinished();
      for (const id of ids) {
        await world.until(engine, id, 'needs_key');
      }
    }
    assert.deepEqual([...world.service.seen, ...other.seen], []);
  });

  it('leaves to the windows of an editor, as their guest, what is at services whose keys they have', async () => {
    const [, there] = await abandoned();
    const engine = await open({ LIMNER_BASE_URL: other.baseUrl, LIMNER_API_KEY: 'a-key' }, true);
    await engine.runner.resumeUnfinished();
    await other.got(query);
    assert.equal(engine.store.get(there)?.status, 'in_progress');
    assert.deepEqual(world.service.seen, []);
    assert.deepEqual(
      engine.store.list({ limit: 9 }).map(({ status }) => status),
      ['in_progress', 'in_progress'],
    );
    const lost = await open({}, true);
    await lost.runner.resumeUnfinished();
    assert.deepEqual(world.service.seen, []);
  });

  it('trims a history of its own, and none that is that of an editor', async () => {
    const first = await open({});
    await first.store.add(aTask({ status: 'stopped', finishedAt: 1 }));
    await first.dispose();
    opened.delete(first);
    const list = new DatabaseSync(join(world.home, 'limner.db'));
    list.exec(
      `INSERT INTO tasks (id, status, live, unsaved, prompt, request, state, revision, owner, fence)
       WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 5010)
       SELECT id || number, status, live, unsaved, prompt, request, state, revision, NULL, fence FROM tasks, numbers`,
    );
    const count = list.prepare('SELECT count(*) AS count FROM tasks');
    await (await open({}, true)).runner.resumeUnfinished();
    assert.equal(count.get()?.['count'], 5011);
    await (await open({})).runner.resumeUnfinished();
    assert.equal(count.get()?.['count'], 5000);
    list.close();
  });

  it('says once what became of a list that it cannot read', async () => {
    await mkdir(world.home, { recursive: true });
    const file = join(world.home, 'limner.db');
    await writeFile(file, 'no list of tasks'.repeat(999));
    await (await open({})).dispose();
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    await open({});
    const kept = (await readdir(world.home)).filter((name) => /\.(?:damaged|newer)-/u.test(name)).toSorted();
    const [damaged = '', tooNew = ''] = kept.map((name) => join(world.home, name));
    assert.deepEqual(output.said, [
      `The task list was damaged and is kept as ${damaged}. Tasks recovered from it: 0.`,
      `The task list was created by a newer version of Limner. It is kept as ${tooNew}.`,
    ]);
  });
});
