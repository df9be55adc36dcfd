import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from '../../../src/demo/faults/faultCatalog.ts';
import type { Task } from '../../../src/engine/task/task.ts';
import { trialFile } from '../../../src/engine/files/targetFolder.ts';
import { isTerminal } from '../../../src/common/taskStatus.ts';
import type { Dice } from './dice.ts';
import { drawKillPoint, type KillPoint, type Work } from './killPoint.ts';
import type { Lane } from './lane.ts';
import { type Ended, type Place, run } from './mortal.ts';
import { fromRow, taskColumns } from '../../../src/engine/store/taskRow.ts';
import { readByLibsql } from '../../readers/database.ts';
import { readBySharp } from '../../readers/images.ts';
import { isWhole, namesIn, type Phase, phaseOf } from './phase.ts';
import { readRows } from './rows.ts';

/** How a task calls the service. */
export type Style = 'async' | 'sync' | 'native' | 'nativeStream' | 'editAsync' | 'editSync';

/** One process that was killed. */
export interface Kill {
  killPoint: KillPoint['when'];
  /** The step that it began last; none when it had not come so far. */
  step: string;
  /** Where its tasks were. */
  phases: Phase[];
}

/** What came of one life. */
export interface Report {
  kills: Kill[];
  /** How tasks ended, by status. */
  ends: Task['status'][];
  /** Of processes that went on with something: see `Ended`. */
  latencies: number[];
  /** How many steps the process of the last task took; it may have been killed. */
  steps: number;
}

/** What a life is like. */
export interface LifeOptions {
  styles: readonly Style[];
  /** Absent: nobody dies. */
  dice?: Dice;
  /** About how many steps a process of each style takes. */
  steps: ReadonlyMap<Style, number>;
  /** Whether the file system has links. */
  links: boolean;
  /** Whether results are so large that they come in pieces. */
  large: boolean;
}

type News = Ended & { posts: number; entries: number };

/** Below the folder in which `limner` runs. */
const output = 'images';
const maxResumes = 6;
const large: Partial<Fault> = { kind: 'pad', on: 'image', times: 0, bytes: 1_300_000 };

/**
 * Some tasks in a home of their own: each is started by a process that is killed, others go on and are killed, too,
 * until one is left alone. Then the disk must agree with what the service says it did.
 *
 * @param lane where nothing else runs meanwhile
 */
export async function live(lane: Lane, options: LifeOptions): Promise<Report> {
  const folder = await lane.folder();
  const { links } = options;
  const faults = options.large ? [large] : [];
  const place = { lane, home: join(folder, 'home'), folder, links, faults };
  const report = await new Life(place, options).live();
  await rm(folder, { recursive: true });
  return report;
}

class Life {
  readonly #place: Place;
  readonly #options: LifeOptions;
  readonly #report: Report = { kills: [], ends: [], latencies: [], steps: 0 };
  /** Pictures that were whole on disk at some time, as task and index. */
  readonly #arrived = new Set<string>();
  #posts = 0;
  #entries = 0;

  constructor(place: Place, options: LifeOptions) {
    this.#place = place;
    this.#options = options;
  }

  async live(): Promise<Report> {
    const { styles, dice } = this.#options;
    for (const [number, style] of styles.entries()) {
      await this.#start(style, `a fox ${number}`);
    }
    if (!dice?.chance(15)) {
      await this.#place.lane.idle();
    }
    if (dice) {
      await this.#resumeAndDie(dice);
    }
    if (this.#rows().some(isLive) || this.#report.kills.length > 0) {
      // Also where all was done already: what the last one left is swept up.
      await this.#resume(false);
    }
    assert.deepEqual(this.#rows().filter(isLive), [], 'everything is decided');
    if (this.#rows().some(({ held }) => held)) {
      await this.#resume(true);
    }
    await this.#judge();
    return this.#report;
  }

  async #resumeAndDie(dice: Dice): Promise<void> {
    for (let resumed = 0; resumed < maxResumes && this.#rows().some(isLive); resumed++) {
      const rows = this.#rows().filter(isLive);
      const prospects = { steps: stepsLeft(rows), works: worksLeft(rows), links: this.#options.links };
      await this.#resume(dice.chance(15), drawKillPoint(dice, prospects));
    }
  }

  /** Starts a task in a process of its own. */
  async #start(style: Style, prompt: string): Promise<void> {
    const { dice, steps, links } = this.#options;
    const killPoint =
      dice && drawKillPoint(dice, { steps: steps.get(style) ?? 0, works: worksOf(style), links });
    const before = this.#rows();
    const ended = await this.#run(this.#parametersOf(style, prompt), killPoint);
    const task = this.#rows().find(({ id }) => before.every((other) => other.id !== id));
    const mayBeSent = task && task.status !== 'waiting' ? 1 : 0;
    assert.ok(ended.posts <= mayBeSent, `${ended.posts} POSTs for ${JSON.stringify(task)}`);
    if (!ended.killed) {
      assert.equal(ended.code, 0, ended.stderr);
    }
    this.#report.steps = ended.steps.length;
    this.#note(ended, killPoint, [task]);
  }

  /** Takes up what there is; only what was held back is sent, and only when that is asked for. */
  async #resume(isSend: boolean, killPoint?: KillPoint): Promise<void> {
    const before = this.#rows();
    const due = before.filter(({ status }) => isSend && status === 'waiting');
    const ended = await this.#run(['tasks', isSend ? '--send' : '--resume'], killPoint);
    assert.ok(ended.posts <= due.length, `${ended.posts} POSTs where ${due.length} were due`);
    const meant = new Set([...before.filter(isLive), ...due].map(({ id }) => id));
    const worked = this.#rows().filter(({ id }) => meant.has(id));
    if (!ended.killed && worked.some(({ status }) => status === 'unknown')) {
      assert.equal(ended.code, 3, ended.stderr);
      assert.match(ended.stderr, /May have been billed\./);
    }
    if (ended.latency !== undefined) {
      this.#report.latencies.push(ended.latency);
    }
    this.#note(ended, killPoint, worked);
  }

  async #run(parameters: readonly string[], killPoint: KillPoint | undefined): Promise<News> {
    const { lane } = this.#place;
    const before = await lane.count();
    const ended = await run(this.#place, parameters, killPoint);
    const after = await lane.count();
    const posts = after.posts - before.posts;
    const entries = after.entries - before.entries;
    this.#posts += posts;
    this.#entries += entries;
    assert.ok(ended.killed || [0, 1, 3].includes(ended.code ?? -1), JSON.stringify(ended));
    return { ...ended, posts, entries };
  }

  /** What holds whenever a process has ended, and what is counted then. */
  #note(ended: News, killPoint: KillPoint | undefined, tasks: readonly (Task | undefined)[]): void {
    const { home, links } = this.#place;
    const rows = this.#rows();
    const hashes = new Set(rows.flatMap(({ results }) => results.map(({ sha256 }) => sha256)));
    for (const [name, bytes] of this.#published()) {
      const isReserved = !links && bytes.length === 0 && rows.some(isLive);
      assert.ok(isReserved || hashes.has(sha256(bytes)), `${name} is not whole: ${bytes.length} bytes`);
    }
    for (const { id } of rows) {
      for (const name of namesIn(join(home, 'incoming', id)).filter(isWhole)) {
        this.#arrived.add(`${id} ${Number.parseInt(name, 10)}`);
      }
    }
    if (ended.killed && killPoint) {
      this.#report.kills.push({
        killPoint: killPoint.when,
        step: ended.steps.at(-1)?.split(' /')[0] ?? 'none',
        phases: tasks.map((task) => phaseOf(task, { home, ...ended })),
      });
    }
  }

  /** At the end: nothing lost, nothing twice, nothing half, nothing left behind. */
  async #judge(): Promise<void> {
    const { lane, home, folder } = this.#place;
    const rows = this.#rows();
    const published = this.#published();
    const claimed: string[] = [];
    for (const task of rows) {
      this.#report.ends.push(task.status);
      if (task.status === 'unknown') {
        assertUnknown(task);
      } else {
        claimed.push(...(await this.#judgeCompleted(task, published)));
      }
    }
    assert.deepEqual(
      [...published.keys()].toSorted(),
      claimed.toSorted(),
      'a file is one picture of one task',
    );
    assert.equal(
      new Set([...published.values()].map(sha256)).size,
      published.size,
      'no picture is there twice',
    );
    for (const bytes of published.values()) {
      await lane.decode(bytes);
      await readBySharp(bytes);
    }
    const database = readByLibsql(join(home, 'limner.db'), `SELECT ${taskColumns} FROM tasks ORDER BY id`);
    assert.deepEqual([database.integrity, database.rows.map(fromRow)], ['ok', rows]);
    const saved = new Set(rows.flatMap(({ id, results }) => results.map(({ index }) => `${id} ${index}`)));
    assert.deepEqual(
      [...this.#arrived].filter((picture) => !saved.has(picture)),
      [],
      'what came is kept',
    );
    // A process that died while it tried the folder leaves its trial to the next one.
    const hidden = namesIn(join(folder, output)).filter((name) => name.startsWith('.') && name !== trialFile);
    assert.deepEqual([hidden, namesIn(join(home, 'incoming')), namesIn(join(home, 'inbox'))], [[], [], []]);
    // The service's books: an entry belongs to a picture that is here, or to a task that is said to be unknown.
    const completed = rows.filter(({ status }) => status === 'completed').length;
    assert.ok(this.#posts <= rows.length, 'no prompt was sent twice');
    assert.ok(completed <= this.#entries && this.#entries <= this.#posts, `${this.#entries} entries`);
  }

  /** @returns the paths of its files */
  async #judgeCompleted(task: Task, published: ReadonlyMap<string, Buffer>): Promise<string[]> {
    const { status, request, results, remoteId, error } = task;
    const description = JSON.stringify(task);
    assert.equal(status, 'completed', description);
    const made = remoteId === undefined ? undefined : await this.#place.lane.made(remoteId);
    assert.equal(results.length, made?.length ?? results.length, 'all that the service made is here');
    if (results.length < request.n) {
      assert.deepEqual([remoteId, error?.code, error?.billing], [undefined, 'outcome_unknown', 'maybe']);
    }
    return results.map(({ index, state, uri = '', sha256: hash }) => {
      assert.equal(state, 'saved', description);
      const path = fileURLToPath(uri);
      const bytes = published.get(path);
      assert.ok(bytes && sha256(bytes) === hash, `${path} is not what was saved`);
      const original = made?.[index];
      assert.ok(
        !original || bytes.subarray(0, original.length).equals(original),
        'it is what the service made',
      );
      return path;
    });
  }

  #rows(): Task[] {
    return readRows(this.#place.home);
  }

  /** The files that a user sees, by path. */
  #published(): Map<string, Buffer> {
    const folder = join(this.#place.folder, output);
    const paths = namesIn(folder).filter((name) => !name.startsWith('.'));
    return new Map(paths.map((name) => [join(folder, name), readFileSync(join(folder, name))]));
  }

  #parametersOf(style: Style, prompt: string): string[] {
    const isOne = this.#options.dice?.chance(50) ?? false;
    const common = [prompt, '--folder', output];
    const several = ['--n', isOne ? '1' : '2', '--size', '64x64'];
    const original = ['--image', join(this.#place.folder, '../original.png')];
    switch (style) {
      case 'async':
        return ['generate', ...common, ...several];
      case 'sync':
        return ['generate', ...common, ...several, '--call-style', 'sync'];
      case 'native':
      case 'nativeStream':
        return ['generate', ...common, '--call-style', style, '--model', 'demo-sketch-a'];
      case 'editAsync':
        return ['edit', ...common, ...several, ...original];
      case 'editSync':
        return ['edit', ...common, ...several, ...original, '--call-style', 'sync'];
    }
  }
}

function assertUnknown(task: Task): void {
  const description = JSON.stringify(task);
  assert.equal(task.remoteId, undefined, `it could be asked for: ${description}`);
  assert.deepEqual([task.error?.billing, task.results], ['maybe', []], description);
}

function worksOf(style: Style): Set<Work> {
  return new Set(
    style === 'async' || style === 'editAsync' ? ['post', 'poll', 'fetch', 'publish'] : ['post', 'publish'],
  );
}

/** What is still to be done for these tasks. */
function worksLeft(tasks: readonly Task[]): Set<Work> {
  const works = tasks.flatMap(({ status, remoteId, results }): Work[] =>
    remoteId !== undefined && status !== 'saving'
      ? ['poll', 'fetch', 'publish']
      : results.some(({ state }) => state === 'remote')
        ? ['fetch', 'publish']
        : results.length > 0
          ? ['publish']
          : [],
  );
  return new Set(works);
}

/** About how many steps a process takes for that. */
function stepsLeft(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { status, remoteId, request, results }) => {
    const unsaved = results.filter(({ state }) => state !== 'saved').length;
    return sum + (status === 'saving' ? 3 + 9 * unsaved : remoteId === undefined ? 1 : 8 + 16 * request.n);
  }, 3);
}

/** Whether something is done for a task without a user. */
function isLive({ status, held }: Task): boolean {
  return !isTerminal(status) && held !== true;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
