import assert from 'node:assert/strict';
import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { fileUri } from '../../../src/common/fileUris.ts';
import { startDemoService, type DemoService } from '../../../src/demo/endpoints/demoService.ts';
import type { TaskRequest } from '../../../src/engine/task/task.ts';
import { eventually } from '../eventually.ts';
import { memoryFolder } from '../memoryFolder.ts';
import { beginning } from '../manualClock.ts';
import type { WindowOrder, WindowState } from './windowMessages.ts';

const loggedRequests = v.object({ requests: v.array(v.object({ method: v.string(), path: v.string() })) });

const script = fileURLToPath(new URL('windowProcess.ts', import.meta.url));

/** How long the service works on a task, in milliseconds of its clock. */
export const taskDuration = 20_000;

/** The step in which time passes everywhere, in milliseconds. */
const step = 1000;

/** One window as a process of its own. */
export class WindowProcess {
  readonly process: ChildProcess;
  #answer: Promise<WindowState>;

  private constructor(process: ChildProcess) {
    this.process = process;
    this.#answer = this.#next();
  }

  /** Starts it at this time; it has taken up what there was once this resolves. */
  static async start(home: string, key: string, now = beginning): Promise<WindowProcess> {
    const window = new WindowProcess(fork(script, [home, key, String(now)]));
    await window.#answer;
    return window;
  }

  /** Has it do something, after what it was told before; resolves when that is done. */
  order(order: WindowOrder): Promise<WindowState> {
    this.#answer = this.#answer.then(() => {
      const answer = this.#next();
      this.process.send(order);
      return answer;
    });
    // One that is killed owes no answer.
    this.#answer.catch(() => {});
    return this.#answer;
  }

  /** Closes it as a user would. */
  async close(): Promise<void> {
    const exit = once(this.process, 'exit');
    this.process.send({ type: 'close' } satisfies WindowOrder);
    await exit;
    assert.equal(this.process.exitCode, 0);
  }

  /** Ends it at once, where it stands. */
  async kill(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, 'exit');
      this.process.kill('SIGKILL');
      await exit;
    }
  }

  #next(): Promise<WindowState> {
    const { promise, resolve, reject } = Promise.withResolvers<WindowState>();
    const exited = (): void => reject(new Error(`The window ended with ${this.process.exitCode}.`));
    this.process.once('exit', exited);
    this.process.once('message', (state: WindowState) => {
      this.process.off('exit', exited);
      resolve(state);
    });
    return promise;
  }
}

/** A demo service and windows on one store and one workspace, all in step: time passes in all of them alike. */
export class WindowProcesses {
  readonly service: DemoService;
  readonly images: string;
  readonly windows: WindowProcess[] = [];
  readonly #folder: string;
  #prompts = 0;

  static async open(count: number): Promise<WindowProcesses> {
    const folder = await mkdtemp(join(memoryFolder, 'limner-windows-'));
    const service = await startDemoService({ clock: 'frozen', taskDuration, workers: 50 });
    const all = new WindowProcesses(folder, service);
    await mkdir(all.images, { recursive: true });
    const windows = Array.from({ length: count }, async () => all.openWindow());
    await Promise.allSettled(windows);
    try {
      await Promise.all(windows);
    } catch (error) {
      await all.dispose();
      throw error;
    }
    return all;
  }

  private constructor(folder: string, service: DemoService) {
    this.#folder = folder;
    this.service = service;
    this.images = join(folder, 'workspace', 'images');
  }

  get home(): string {
    return join(this.#folder, 'home');
  }

  async openWindow(): Promise<WindowProcess> {
    const window = await WindowProcess.start(this.home, this.service.apiKeys[0] ?? '');
    this.windows.push(window);
    return window;
  }

  /** Starts so many tasks in a window; the service has taken them all once this resolves. */
  async start(window: WindowProcess, count: number): Promise<void> {
    const root = fileUri(join(this.#folder, 'workspace'));
    const requests = Array.from({ length: count }, (): TaskRequest => ({
      kind: 'generate',
      prompt: `picture ${this.#prompts++}`,
      model: 'demo-painter',
      family: 'image',
      callStyle: 'async',
      size: '64x64',
      n: 1,
      baseUrl: this.service.baseUrl,
      target: { folder: `${root}/images`, root, fileName: '{prompt}' },
    }));
    await window.order({ type: 'start', requests });
  }

  /** Lets time pass at the service and in these windows; gives how many tasks are still on their way. */
  async pass(milliseconds: number, windows = this.windows): Promise<number> {
    let running = 0;
    for (let passed = 0; passed < milliseconds; passed += step) {
      await this.service.advance(step);
      const states = await Promise.all(
        windows.map((window) => window.order({ type: 'pass', milliseconds: step })),
      );
      running = Math.max(0, ...states.map((state) => state.running));
    }
    return running;
  }

  /** Lets time pass until every task has ended. */
  async finish(windows = this.windows): Promise<void> {
    for (let passed = 0; (await this.pass(step, windows)) > 0; passed += step) {
      assert.ok(passed < 10 * 60_000, `still running after ten minutes: ${JSON.stringify(this.rows())}`);
    }
  }

  /** What the store holds about every task, in order: its state, the number of its lease, whose it is. */
  rows(): { status: string; fence: number; pid: number | undefined }[] {
    const database = new DatabaseSync(join(this.home, 'limner.db'), { readOnly: true });
    try {
      return database
        .prepare('SELECT status, fence, pid FROM tasks LEFT JOIN owners USING (owner) ORDER BY id')
        .all()
        .map(({ status, fence, pid }) => ({
          status: String(status),
          fence: Number(fence),
          pid: typeof pid === 'number' ? pid : undefined,
        }));
    } finally {
      database.close();
    }
  }

  /**
   * Lets a window stand still as long as the test likes, at a moment when it does not hold the store against all
   * others.
   */
  async stopOutsideOfTransaction(window: WindowProcess): Promise<void> {
    await eventually(
      'a window stands still and does not hold the store',
      async () => {
        window.process.kill('SIGSTOP');
        await eventually(
          'a window stands still',
          async () => Promise.resolve(stateOf(window.process)),
          (state) => state.startsWith('T'),
        );
        const canBeWritten = this.#canBeWritten();
        if (!canBeWritten) {
          window.process.kill('SIGCONT');
        }
        return canBeWritten;
      },
      (canBeWritten) => canBeWritten,
    );
  }

  /** The files that were published, and which ones they are. */
  async files(): Promise<Map<string, string>> {
    const names = (await readdir(this.images)).toSorted();
    const stats = await Promise.all(names.map((name) => stat(join(this.images, name))));
    return new Map(
      names.map((name, index) => [
        name,
        `${stats[index]?.ino} ${stats[index]?.size} ${stats[index]?.mtimeMs}`,
      ]),
    );
  }

  #canBeWritten(): boolean {
    const database = new DatabaseSync(join(this.home, 'limner.db'));
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
      return true;
    } catch {
      return false;
    } finally {
      database.close();
    }
  }

  /** How often each request came, by method and path; ids of tasks and images stand as they are. */
  async requests(): Promise<Map<string, number>> {
    const response = await fetch(`${this.service.baseUrl}/demo/requests`);
    const { requests } = v.parse(loggedRequests, await response.json());
    const counts = new Map<string, number>();
    for (const { method, path } of requests) {
      counts.set(`${method} ${path}`, (counts.get(`${method} ${path}`) ?? 0) + 1);
    }
    return counts;
  }

  async polls(): Promise<number> {
    return sum(await this.requests(), 'GET /v1/images/generations/');
  }

  /** Asserts that each task was sent once and that each is one file, whole and with nothing beside it. */
  async assertEachOnce(count: number): Promise<void> {
    const rows = this.rows();
    assert.deepEqual(
      rows.map(({ status }) => status),
      Array.from({ length: count }, () => 'completed'),
    );
    assert.equal(sum(await this.requests(), 'POST '), count);
    assert.deepEqual(
      (await readdir(this.images)).toSorted(),
      Array.from({ length: count }, (_, index) => `picture-${index}.png`).toSorted(),
    );
  }

  async dispose(): Promise<void> {
    await Promise.all(this.windows.map((window) => window.kill()));
    await this.service.dispose();
    await rm(this.#folder, { recursive: true });
  }
}

/** As `ps` says it: `T` for one that is stopped. */
function stateOf({ pid }: ChildProcess): string {
  return spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

function sum(requests: ReadonlyMap<string, number>, prefix: string): number {
  return [...requests].reduce((total, [path, count]) => total + (path.startsWith(prefix) ? count : 0), 0);
}
