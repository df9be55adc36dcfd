import type { Account } from '../state/accounts.ts';
import type { DemoClock } from '../state/demoClock.ts';
import type { Otherwise } from '../faults/defineFault.ts';
import type { FaultInjector } from '../faults/faultInjector.ts';
import type { ImageHost } from '../state/imageHost.ts';
import type { ImageMaker } from '../painter/imageMaker.ts';
import type { Ledger } from '../state/ledger.ts';
import type { Model } from '../state/modelCatalog.ts';
import type { DemoServiceOptions } from '../options.ts';
import type { RequestLog } from '../http/requestLog.ts';
import type { TaskQueue } from '../state/taskQueue.ts';
import type { IncomingMessage } from 'node:http';

/** The state that the endpoints work on. */
export interface EndpointContext {
  options: Required<DemoServiceOptions>;
  accounts: readonly Account[];
  models: readonly Model[];
  clock: DemoClock;
  queue: TaskQueue;
  ledger: Ledger;
  images: ImageHost;
  maker: ImageMaker;
  requests: RequestLog;
  faults: FaultInjector;
  /** Origin of the result host, `http://127.0.0.1:<port>`. */
  resultHost: string;
}

/** A request with a valid key on its way to its endpoint. */
export interface AuthorizedCall {
  context: EndpointContext;
  request: IncomingMessage;
  url: URL;
  account: Account;
  /** The variable part of the path: a task id or a model. */
  parameter: string;
  /** Whether the caller prefers to be answered before the work is done. */
  async: boolean;
  /** Returns how many images are made of the number that was asked for. */
  images: NonNullable<Otherwise['images']>;
}
