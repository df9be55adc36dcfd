// Room: puts the engine together, and is what its bundle exports.
// Never: rules: they live in the rooms below.

import { join } from 'node:path';
import type { Codecs } from './images/codecs/codecs.ts';
import { findFlaw } from './images/findFlaw.ts';
import { LateCodecs } from './images/lateCodecs.ts';
import { Thumbnails } from './images/thumbnails.ts';
import { ResultDownloader } from './service/results/download.ts';
import { ImageService } from './service/imageService.ts';
import { KeptFiles } from './tasks/files/keptFiles.ts';
import { OriginalOutputs } from './tasks/files/originalOutputs.ts';
import { systemClock } from './common/clock.ts';
import { StagingStore } from './tasks/files/stagingStore.ts';
import type { EngineOptions, EngineSettings } from './tasks/ports.ts';
import { Semaphore } from './common/semaphore.ts';
import { TaskRunner } from './tasks/run/taskRunner.ts';
import { TaskStore } from './tasks/store/taskStore.ts';

export * from './images/formats/credentials.ts';
export * from './images/formats/dimensions.ts';
export * from './images/lateCodecs.ts';
export * from './images/formats/finish.ts';
export * from './images/formats/finishWishes.ts';
export * from './tasks/files/fileNames.ts';
export * from './tasks/files/inputFolder.ts';
export * from './tasks/files/onTwoGrounds.ts';
export * from './images/formats/orientation.ts';
export * from './images/damage/repairMaskFile.ts';
export * from './images/formats/pngColours.ts';
export * from './images/formats/provenance.ts';
export * from './images/formats/roundedUp.ts';
export * from './images/formats/sniff.ts';
export * from './tasks/files/publishOnDisk.ts';
export * from './tasks/files/stagingStore.ts';
export * from './service/endpoints.ts';
export * from './service/http/exchange.ts';
export * from './service/http/fetchTransport.ts';
export * from './service/http/hosts.ts';
export * from './service/http/httpsTransport.ts';
export * from './service/imageService.ts';
export * from './service/keyPolicy.ts';
export * from './service/modelOptions.ts';
export * from './service/price.ts';
export * from './service/http/pollTransport.ts';
export * from './tasks/store/databaseErrors.ts';
export * from './tasks/files/targetFolder.ts';
export * from './tasks/ports.ts';
export * from './tasks/requests/isFulfilled.ts';
export * from './tasks/requests/isAsAsked.ts';
export * from './tasks/requests/modelRules.ts';
export * from './tasks/requests/sentMask.ts';
export * from './tasks/files/taskInput.ts';
export * from './tasks/taskMachine.ts';
export * from './tasks/store/taskRow.ts';
export * from './tasks/spending/budget.ts';
export * from './tasks/spending/spending.ts';

/** Most downloads open at once. */
const maxDownloads = 4;

export type EngineModule = typeof import('./engine.ts');

export interface Engine {
  readonly store: TaskStore;
  readonly runner: TaskRunner;
  /** Returns the codecs; loaded when they are first needed, and closed with the engine. */
  codecs(): Promise<Codecs>;
  readonly thumbnails: Thumbnails;
  /** Copies of images that were replaced or discarded. */
  readonly keptFiles: KeptFiles;
  /**
   * Stops timers, releases leases and closes the database; unfinished tasks continue when they are next resumed.
   *
   * @param grace how long the responses to open requests are waited for, in milliseconds; a moment unless it is given
   */
  dispose(grace?: number): Promise<void>;
}

/**
 * Opens the engine on its home folder. Nothing is polled or sent before `runner.resumeUnfinished` or
 * `runner.start` is called.
 *
 * @throws LimnerError `save_failed` when the home cannot be written
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { home, keys, log, clock = systemClock } = options;
  const settings = (): EngineSettings => options.settings();
  const store = await TaskStore.open({
    file: join(home, 'limner.db'),
    clock,
    log,
    notice: (notice) => options.notice?.(notice),
    ...(options.origin !== undefined && { origin: options.origin }),
    present: async () => options.present?.(),
  });
  const logExchange = (line: string): void => log.info(line);
  const codecs = new LateCodecs();
  const keptFiles = new KeptFiles(join(home, 'replaced'));
  const runner = new TaskRunner({
    store,
    staging: new StagingStore(join(home, 'incoming')),
    inbox: join(home, 'inbox'),
    originalOutputs: new OriginalOutputs(join(home, 'inbox', 'answers')),
    keptFiles,
    clock,
    log,
    keys,
    requests: new Semaphore(() => settings().maxConcurrentTasks),
    downloads: new Semaphore(() => maxDownloads),
    codecs: new Semaphore(() => 1),
    connect: (baseUrl, apiKey) => {
      const { requestTimeout, plainHttpOrigins } = settings();
      return new ImageService({
        baseUrl,
        apiKey,
        transports: options.transports,
        log: logExchange,
        requestTimeout,
        plainHttpOrigins,
        clock,
      });
    },
    downloader: new ResultDownloader({
      transport: options.transports.downloads,
      log: logExchange,
      keys,
      resultHosts: () => settings().resultHosts,
    }),
    compositeMasked: async (edit) => (await codecs.get()).compositeMasked(edit),
    finish: async (...given) => (await codecs.get()).finish(...given),
    findFlaw: async (path) => findFlaw(path, async () => codecs.get()),
    fileColours: async (bytes) => (await codecs.get()).fileColours(bytes),
    backgroundOf: async (bytes) => (await codecs.get()).backgroundOf(bytes),
    settings,
    isUnattended: options.isUnattended === true,
    publisher: async (target) => options.publisher?.(target),
  });
  return {
    store,
    runner,
    codecs: async () => codecs.get(),
    thumbnails: new Thumbnails(join(home, 'thumbnails'), async () => codecs.get()),
    keptFiles,
    async dispose(grace) {
      await runner.dispose(grace);
      await codecs.dispose();
      await store.close();
    },
  };
}
