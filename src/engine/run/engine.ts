import { join } from 'node:path';
import * as english from '../../common/english.ts';
import type { Codecs } from '../../images/finish/codecs.ts';
import { findFlaw } from '../../images/finish/findFlaw.ts';
import { LateCodecs } from '../../images/finish/lateCodecs.ts';
import { Thumbnails } from '../../images/finish/thumbnails.ts';
import { ResultDownloader } from '../../service/http/download.ts';
import { ImageService } from '../../service/wire/imageService.ts';
import { KeptFiles } from '../files/keptFiles.ts';
import { OriginalOutputs } from '../files/originalOutputs.ts';
import { systemClock } from '../../common/clock.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { databaseTrouble } from '../store/databaseErrors.ts';
import { StagingStore } from '../files/stagingStore.ts';
import type { EngineOptions, EngineSettings } from '../task/ports.ts';
import { Semaphore } from '../../common/semaphore.ts';
import { TaskRunner } from './taskRunner.ts';
import { SavedFiles } from '../store/savedFiles.ts';
import { clearFolders, namedFiles } from './clearFolders.ts';
import { type Erasure, TaskStore } from '../store/taskStore.ts';
export * from '../../images/formats/parameters.ts';
export * from '../../images/formats/provenance.ts';
export * from '../../images/formats/dimensions.ts';
export * from '../../images/finish/lateCodecs.ts';
export * from '../../images/formats/finish.ts';
export * from '../../images/formats/finishWishes.ts';
export * from '../task/fileNames.ts';
export * from '../files/inputFolder.ts';
export * from '../task/twoBackgrounds.ts';
export * from '../task/claim.ts';
export * from '../../images/formats/animation.ts';
export * from '../../images/formats/colors.ts';
export * from '../files/repairMaskFile.ts';
export * from '../../images/formats/sniff.ts';
export * from '../files/publishOnDisk.ts';
export * from '../files/replaceContents.ts';
export * from '../files/stagingStore.ts';
export * from '../../service/http/download.ts';
export * from '../../service/http/endpoints.ts';
export * from '../../service/http/exchange.ts';
export * from '../../service/http/fetchTransport.ts';
export * from '../../service/http/hosts.ts';
export * from '../../service/http/httpsTransport.ts';
export * from '../../service/wire/imageService.ts';
export * from '../../service/terms/modelOptions.ts';
export * from '../../service/terms/price.ts';
export * from '../../service/http/pollTransport.ts';
export * from '../store/databaseErrors.ts';
export * from '../files/targetFolder.ts';
export * from '../task/ports.ts';
export * from '../operations/exportLines.ts';
export * from '../operations/exportSet.ts';
export * from '../operations/imageSet.ts';
export * from '../operations/modelRules.ts';
export * from '../operations/order.ts';
export * from '../operations/sentMask.ts';
export * from '../operations/style.ts';
export * from '../files/taskInput.ts';
export * from '../task/taskMachine.ts';
export * from '../store/taskRow.ts';
export * from '../task/budget.ts';
export * from '../task/spending.ts';

const maxDownloads = 4;

export type EngineModule = typeof import('./engine.ts');

export interface Engine {
  readonly store: TaskStore;
  readonly runner: TaskRunner;
  /** Which file is which image. */
  readonly savedFiles: SavedFiles;
  /** Returns the codecs, which are loaded on first use and closed with the engine. */
  codecs(): Promise<Codecs>;
  readonly thumbnails: Thumbnails;
  /** Copies of images that were replaced or discarded. */
  readonly keptFiles: KeptFiles;
  /**
   * Deletes tasks and spending for good, with everything that is kept of the tasks on disk.
   *
   * @throws LimnerError `save_failed` while another process keeps the task list from being rewritten
   */
  erase(erasure: Erasure): Promise<void>;
  /**
   * Stops timers, releases leases, and closes the database. Unfinished tasks continue when they are next resumed.
   *
   * @param grace how long to wait for open requests, in milliseconds; the default is short
   */
  dispose(grace?: number): Promise<void>;
}

/**
 * Opens the engine on its home folder. Nothing is polled or sent before `runner.resumeUnfinished` or `runner.start` is
 * called.
 *
 * @throws LimnerError `save_failed` when the home can't be written
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
    fileColors: async (bytes) => (await codecs.get()).fileColors(bytes),
    backgroundOf: async (bytes) => (await codecs.get()).backgroundOf(bytes),
    settings,
    isUnattended: options.isUnattended === true,
    publisher: async (target) => options.publisher?.(target),
  });
  return {
    store,
    runner,
    savedFiles: new SavedFiles(store),
    codecs: async () => codecs.get(),
    thumbnails: new Thumbnails(join(home, 'thumbnails'), async () => codecs.get()),
    keptFiles,
    async erase(erasure) {
      const before = namedFiles(store);
      await store.erase(erasure).catch((error: unknown) => {
        const message = english.t("Couldn't delete everything yet. {0}", databaseTrouble(error));
        throw new LimnerError('save_failed', message, { ...notSent, cause: error });
      });
      await (erasure.tasks && clearFolders(home, store, before, clock.now()));
    },
    async dispose(grace) {
      await runner.dispose(grace);
      await codecs.dispose();
      await store.close();
    },
  };
}
