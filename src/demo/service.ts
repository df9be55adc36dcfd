import type { Account } from './accounts.ts';
import type { DemoClock } from './clock.ts';
import type { Faults } from './faults/faults.ts';
import type { ImageHost } from './imageHost.ts';
import type { ImageMaker } from './imageMaker.ts';
import type { Ledger } from './ledger.ts';
import type { Model } from './models.ts';
import type { DemoServiceOptions } from './options.ts';
import type { RequestLog } from './requestLog.ts';
import type { TaskQueue } from './taskQueue.ts';

/** What the endpoints work on. */
export interface Service {
  options: Required<DemoServiceOptions>;
  accounts: readonly Account[];
  models: readonly Model[];
  clock: DemoClock;
  queue: TaskQueue;
  ledger: Ledger;
  images: ImageHost;
  maker: ImageMaker;
  requests: RequestLog;
  faults: Faults;
  /** Origin of the result host, `http://127.0.0.1:<port>`. */
  resultHost: string;
}
