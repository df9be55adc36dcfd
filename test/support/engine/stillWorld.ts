import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileUri } from '../../../src/common/fileUris.ts';
import { Semaphore } from '../../../src/common/semaphore.ts';
import type { ImageService } from '../../../src/service/wire/imageService.ts';
import type { RemoteTask, Submission } from '../../../src/service/terms/messages.ts';
import type { ResultDownloader } from '../../../src/service/http/download.ts';
import { KeptFiles } from '../../../src/engine/files/keptFiles.ts';
import { OriginalOutputs } from '../../../src/engine/files/originalOutputs.ts';
import { StagingStore } from '../../../src/engine/files/stagingStore.ts';
import { defaultSettings, type EngineSettings, type Publisher } from '../../../src/engine/task/ports.ts';
import { TaskRunner } from '../../../src/engine/run/taskRunner.ts';
import { TaskStore } from '../../../src/engine/store/taskStore.ts';
import type { Task, TaskRequest } from '../../../src/engine/task/task.ts';
import { newTaskId } from '../../../src/engine/task/taskId.ts';
import { ManualClock } from '../manualClock.ts';
import { memoryFolder } from '../memoryFolder.ts';
import { picture } from '../service/loopbackService.ts';
import { aRequest, aTask } from './taskBuilders.ts';
import { apiKey, TestKeys, TestLog } from './world.ts';

type Query = ImageService['query'];
type Submit = ImageService['submit'];
type Download = ResultDownloader['download'];

/** A task runner on time that stands still until a test moves it, and a service that is three functions. */
export class StillWorld {
  readonly clock = new ManualClock();
  readonly keys = new TestKeys();
  readonly log = new TestLog();
  readonly settings: EngineSettings = { ...defaultSettings };
  readonly origin = 'https://service.example';
  /** Where pictures arrive, and where those are kept that can't be saved. */
  readonly incoming: string;
  readonly inbox: string;
  readonly workspace: string;
  readonly store: TaskStore;
  readonly staging: StagingStore;
  readonly runner: TaskRunner;
  /** When the service was asked about a task, was sent one, and had an image fetched. */
  readonly asked: number[] = [];
  readonly sent: number[] = [];
  readonly fetched: number[] = [];
  /** The keys that it was asked and sent with. */
  readonly keysSeen = new Set<string>();
  query: Query = async () => ({ id: 'task_1', status: 'in_progress' });
  submit: Submit = async () => accepted();
  download: Download = async (_service, url, sink) => {
    // Each image has bytes of its own.
    await sink.write(picture(url.endsWith('/0.png') ? '' : url));
    await sink.close();
    return 'image/png';
  };
  findFlaw: (path: string) => Promise<string | undefined> = async () => undefined;
  publisher: Publisher | undefined;
  readonly #folder: string;

  /** @param isUnattended as in `EngineOptions` */
  static async create(isUnattended = false): Promise<StillWorld> {
    const folder = await mkdtemp(join(memoryFolder, 'limner-still-'));
    await mkdir(join(folder, 'workspace'));
    return new StillWorld(folder, await openStore(folder), isUnattended);
  }

  private constructor(folder: string, store: TaskStore, isUnattended: boolean) {
    this.#folder = folder;
    this.incoming = join(folder, 'incoming');
    this.inbox = join(folder, 'inbox');
    this.workspace = join(folder, 'workspace');
    this.store = store;
    this.staging = new StagingStore(this.incoming);
    this.runner = new TaskRunner({
      store,
      staging: this.staging,
      inbox: this.inbox,
      originalOutputs: new OriginalOutputs(join(folder, 'inbox', 'answers')),
      keptFiles: new KeptFiles(join(folder, 'replaced')),
      clock: this.clock,
      log: this.log,
      keys: this.keys,
      requests: new Semaphore(() => this.settings.maxConcurrentTasks),
      downloads: new Semaphore(() => 4),
      codecs: new Semaphore(() => 1),
      isUnattended,
      connect: (_baseUrl, key) => {
        this.keysSeen.add(key);
        return {
          query: async (...given) => {
            this.asked.push(this.clock.now());
            return this.query(...given);
          },
          submit: async (...given) => {
            this.sent.push(this.clock.now());
            return this.submit(...given);
          },
        };
      },
      downloader: {
        download: async (...given) => {
          this.fetched.push(this.clock.now());
          return this.download(...given);
        },
      },
      compositeMasked: noCodecs,
      finish: noCodecs,
      fileColors: noCodecs,
      backgroundOf: noCodecs,
      findFlaw: async (path) => this.findFlaw(path),
      settings: () => this.settings,
      publisher: async () => this.publisher,
    });
  }

  request(changes: Partial<TaskRequest> = {}): TaskRequest {
    const root = fileUri(this.workspace);
    return aRequest({
      baseUrl: `${this.origin}/v1`,
      target: { folder: `${root}/images`, root, fileName: '{prompt}' },
      ...changes,
    });
  }

  /** Has a task that the service accepted go on from where another window left it. */
  async goOn(changes: Partial<Task> = {}): Promise<string> {
    const other = await this.otherWindow();
    const task = aTask({
      id: newTaskId(this.clock.now()),
      request: this.request(),
      status: 'queued',
      createdAt: this.clock.now(),
      origin: this.origin,
      remoteId: 'task_1',
      keyFingerprint: other.fingerprint(apiKey),
      ...changes,
    });
    await other.add(task);
    await other.close();
    await this.runner.resumeUnfinished();
    await quiet();
    return task.id;
  }

  /** Opens the task list in another window, which is to be closed. */
  async otherWindow(): Promise<TaskStore> {
    return openStore(this.#folder);
  }

  /** Has another window take a task over that is worked on here. */
  async overtake(id: string): Promise<void> {
    const other = await this.otherWindow();
    await other.apply(id, { type: 'starred', index: 0, starred: false }, { take: true });
    await other.close();
  }

  async start(changes: Partial<TaskRequest> = {}): Promise<string> {
    const { id } = await this.runner.start(this.request(changes));
    await quiet();
    return id;
  }

  task(id: string): Task {
    return this.store.get(id) ?? assert.fail();
  }

  /** Moves time on, timer by timer; whatever each sets off is done before the next one, on disk as well. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    await quiet();
    while (this.clock.nextDue <= end) {
      await this.clock.pass(Math.max(0, this.clock.nextDue - this.clock.now()));
      await quiet();
    }
    await this.clock.pass(end - this.clock.now());
  }

  /** Ends it, and asserts that nothing failed unexpectedly, or waits for a time that never comes. */
  async dispose(): Promise<void> {
    const closing = this.runner.dispose();
    await quiet();
    await this.pass(3000);
    await closing;
    assert.equal(this.clock.pending, 0, 'no timer is left behind');
    assert.deepEqual(
      this.log.lines.filter((line) => line.startsWith('error')),
      [],
    );
    await this.store.close();
    await rm(this.#folder, { recursive: true });
  }
}

function noCodecs(): never {
  return assert.fail('No pixels are needed.');
}

export function accepted(more: Partial<RemoteTask> = {}): Submission {
  return { kind: 'accepted', task: { id: 'task_1', status: 'queued', ...more } };
}

/** The store's own heartbeat is of no interest. */
async function openStore(folder: string): Promise<TaskStore> {
  return TaskStore.open({
    file: join(folder, 'limner.db'),
    clock: new ManualClock(),
    log: new TestLog(),
    notice: (notice) => assert.fail(notice.code),
  });
}

/** Lets everything that can go on do so, until nothing is read or written any more. */
export async function quiet(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) {
    await setImmediate();
    if (process.getActiveResourcesInfo().some((name) => /^(?:FSReq.*|CloseReq)$/u.test(name))) {
      turns = -1;
    }
  }
}
