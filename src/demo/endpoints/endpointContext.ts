import type { Account } from '../http/accounts.ts';
import type { DemoClock } from '../http/demoClock.ts';
import type { Otherwise } from '../faults/defineFault.ts';
import type { FaultInjector } from '../faults/weather.ts';
import type { ImageHost } from '../http/imageHost.ts';
import type { ImageMaker } from '../painter/imageMaker.ts';
import type { Ledger } from '../http/ledger.ts';
import type { Model } from '../http/modelCatalog.ts';
import type { DemoServiceOptions } from './options.ts';
import type { RequestLog, LoggedRequest } from '../http/requestLog.ts';
import type { TaskQueue } from '../http/taskQueue.ts';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../http/apiError.ts';
import { RELATIVE_RESULTS } from '../faults/alteredTasks.ts';
import type { Reply } from '../http/reply.ts';

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
  images: NonNullable<Otherwise['images']>;
}

/**
 * GET /api/async-images/<file_name>.<ext> on the result host, without a key (docs/service.md, "Result images").
 * @throws ApiError 404 for an unknown image and for one past its retention, 405 for other methods
 */
export async function answerResult(
  context: EndpointContext,
  request: IncomingMessage,
  url: URL,
  log: LoggedRequest,
): Promise<Reply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError(405, 'method_not_allowed', 'Images can only be fetched.', {
      headers: { allow: 'GET, HEAD' },
    });
  }
  const { clock, queue, images, resultHost } = context;
  const passage = { target: 'image', request, url, clock, queue, images, resultHost, log } as const;
  return context.faults.apply(passage, () => {
    const image = images.find(url.pathname.replace(RELATIVE_RESULTS, '/'));
    if (image === undefined) {
      throw new ApiError(404, 'image_not_found', 'There is no such image, or its retention is over.');
    }
    return { status: 200, headers: { 'content-type': `image/${image.format}` }, body: [image.bytes] };
  });
}
