import { EnvHttpProxyAgent, type Dispatcher } from 'undici';
import type { Exchange } from '../service/exchange.ts';
import type { Transport, TransportRequest, TransportResponse } from '../service/transport.ts';

/** Bound for connections that are shared, in milliseconds. */
const longestConnect = 30_000;

/**
 * The transport of the command line: undici, with proxies from the usual variables. Every POST and every request
 * with its own name resolution gets a fresh connection; the others share theirs.
 */
export class UndiciTransport implements Transport {
  readonly #exchange: typeof Exchange;
  readonly #shared = openDispatcher(longestConnect);

  /** @param exchange the class of the engine's bundle */
  constructor(exchange: typeof Exchange) {
    this.#exchange = exchange;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.#exchange.throwIfStopped(request);
    const controller = new AbortController();
    const exchange = new this.#exchange(request, () => controller.abort());
    const isFresh = request.method === 'POST' || request.lookup !== undefined;
    if (isFresh) void sendAlone(request, exchange, controller.signal);
    else void send(request, exchange, controller.signal, this.#shared);
    return exchange.response;
  }
}

/** Sends over a connection that nobody used before and nobody will use after. */
async function sendAlone(request: TransportRequest, exchange: Exchange, signal: AbortSignal): Promise<void> {
  const dispatcher = openDispatcher(request.timeouts.connect, request.lookup);
  const body = await send(request, exchange, signal, dispatcher);
  if (body?.closed === false) await new Promise((resolve) => body.once('close', resolve));
  await dispatcher.destroy();
}

/** Never rejects: what goes wrong is the exchange's. */
async function send(
  request: TransportRequest,
  exchange: Exchange,
  signal: AbortSignal,
  dispatcher: Dispatcher,
): Promise<Dispatcher.ResponseData['body'] | undefined> {
  try {
    const { statusCode, headers, body } = await dispatcher.compose(reportingTo(exchange)).request({
      origin: request.url.origin,
      path: `${request.url.pathname}${request.url.search}`,
      method: request.method,
      headers: {
        ...request.headers,
        ...(request.body !== undefined && { 'content-length': String(request.body.length) }),
      },
      body: request.body?.open() ?? null,
      signal,
    });
    exchange.answered(statusCode, headers, body);
    return body;
  } catch (error) {
    exchange.fail(error);
    return undefined;
  }
}

/**
 * Time limits are the exchange's own; undici's one for connecting only ends attempts that nobody waits for any more,
 * which it does not end by itself.
 */
function openDispatcher(connect: number, lookup?: TransportRequest['lookup']): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    connect: { timeout: connect + 1000, ...(lookup !== undefined && { lookup }) },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Tells the exchange how far the request got; through a proxy, only what goes to the service counts. */
function reportingTo(exchange: Exchange): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context: unknown) {
        exchange.connected();
        handler.onRequestStart?.(controller, context);
      },
      onBodySent(chunk) {
        exchange.progressed();
        handler.onBodySent?.(chunk);
      },
      onRequestSent() {
        exchange.requestSent();
        handler.onRequestSent?.();
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}
