import type { IncomingMessage } from 'node:http';
import { listApiKeys } from '../http/accounts.ts';
import { DemoClock } from '../http/demoClock.ts';
import { control, isControlPath } from './control.ts';
import { answerResult, type EndpointContext } from './endpointContext.ts';
import { RELATIVE_RESULTS } from '../faults/alteredTasks.ts';
import { FaultInjector } from '../faults/weather.ts';
import { ImageHost } from '../http/imageHost.ts';
import { ImageMaker } from '../painter/imageMaker.ts';
import { Ledger } from '../http/ledger.ts';
import { listen } from '../http/listener.ts';
import { MODELS } from '../http/modelCatalog.ts';
import { DEFAULT_OPTIONS, type DemoServiceOptions } from './options.ts';
import { errorReply, type Reply } from '../http/reply.ts';
import { RequestLog, type LoggedRequest } from '../http/requestLog.ts';
import { route } from './router.ts';
import { TaskQueue } from '../http/taskQueue.ts';

/** A running demo service. `npm run service` prints its addresses, keys and models as a line of JSON. */
export interface DemoService {
  /** Origin of the service, `http://127.0.0.1:<port>`; the paths of docs/service.md, "Endpoints", follow. */
  baseUrl: string;
  /** Origin of the host that serves the results, another port of 127.0.0.1. */
  resultHost: string;
  /** Valid keys. The first two belong to different accounts. */
  apiKeys: readonly string[];
  models: readonly { id: string; family: 'image' | 'native' }[];
  /** The time of the latest request, in milliseconds of `performance.now()`. */
  readonly lastRequestAt: number;
  /** Moves the clock forward. Settles when everything that became due is done, including tasks. */
  advance(milliseconds: number): Promise<void>;
  /** Cuts every connection and frees both ports. */
  dispose(): Promise<void>;
}

/** Shared by all services of the process: its thread takes longer to start than an image to paint. */
const maker = new ImageMaker();

/** Starts the demo service: all of docs/service.md on two loopback origins. */
export async function startDemoService(options: DemoServiceOptions = {}): Promise<DemoService> {
  const settled = { ...DEFAULT_OPTIONS, ...options };
  const clock = new DemoClock(settled.clock);
  const context: EndpointContext = {
    options: settled,
    accounts: settled.accounts,
    models: MODELS,
    clock,
    queue: new TaskQueue(clock, settled),
    ledger: new Ledger(),
    images: new ImageHost(clock),
    maker,
    requests: new RequestLog(),
    faults: new FaultInjector(settled.faults, settled.weather),
    resultHost: '',
  };
  let lastRequestAt = performance.now();
  const results = await listen(settled.resultPort, (request, url) => {
    lastRequestAt = performance.now();
    return logged(context, 'result', request, url, answerResult);
  });
  context.resultHost = results.origin;
  const main = await listen(settled.port, (request, url) => {
    lastRequestAt = performance.now();
    if (isControlPath(url.pathname)) {
      return control(context, request, url);
    }
    const answer = url.pathname.startsWith(RELATIVE_RESULTS) ? answerResult : route;
    return logged(context, 'service', request, url, answer);
  }).catch(async (error: unknown) => {
    await results.close();
    throw error;
  });
  return {
    baseUrl: main.origin,
    resultHost: results.origin,
    apiKeys: listApiKeys(settled.accounts),
    models: MODELS.map(({ id, family }) => ({ id, family })),
    get lastRequestAt() {
      return lastRequestAt;
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    dispose: async () => {
      clock.dispose();
      await Promise.all([main.close(), results.close()]);
    },
  };
}

async function logged(
  context: EndpointContext,
  host: LoggedRequest['host'],
  request: IncomingMessage,
  url: URL,
  answer: typeof route,
): Promise<Reply> {
  const { prefer } = request.headers;
  const entry = context.requests.add({
    at: context.clock.now(),
    host,
    method: request.method ?? '',
    path: request.url ?? '',
    ...(prefer !== undefined && { prefer: String(prefer) }),
  });
  const reply = await answer(context, request, url, entry).catch((error: unknown) =>
    errorReply(error, url.pathname),
  );
  if (reply.delivery?.kind !== 'silent') {
    entry.status = reply.status;
  }
  return reply;
}
