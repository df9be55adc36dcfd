import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { Exchange } from '../../service/http/exchange.ts';
import { isThisMachine, lookupLocalhost } from '../../service/http/hosts.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../service/http/transport.ts';

/** URLs of the proxies for http and for https, empty if there is none. */
export interface Proxies {
  http: string;
  https: string;
}

/** Connect timeout of shared connections, in milliseconds. */
const maxConnectTime = 30_000;

/**
 * The transport of the command line where there are proxies: undici, which uses them for all but this machine. Every POST
 * and every request with its own name resolution gets a fresh connection; the others share theirs.
 */
export class UndiciTransport implements Transport {
  readonly #proxies: Proxies;
  readonly #shared = new Map<boolean, Dispatcher>();

  constructor(proxies: Proxies) {
    this.#proxies = proxies;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    Exchange.throwIfStopped(request);
    const { method, url, timeouts, lookup } = request;
    const isHere = isThisMachine(url);
    const isFresh = method === 'POST' || lookup !== undefined;
    const dispatcher = isFresh ? this.#open(isHere, timeouts.connect, lookup) : this.#sharedBy(isHere);
    const controller = new AbortController();
    const exchange = new Exchange(request, () => controller.abort());
    if (isFresh) {
      void sendAlone(request, exchange, controller.signal, dispatcher);
    } else {
      void send(request, exchange, controller.signal, dispatcher);
    }
    return exchange.response;
  }

  #sharedBy(isHere: boolean): Dispatcher {
    const dispatcher = this.#shared.get(isHere) ?? this.#open(isHere, maxConnectTime);
    this.#shared.set(isHere, dispatcher);
    return dispatcher;
  }

  /**
   * Opens a dispatcher. Time limits are the exchange's own; undici's connect timeout only ends attempts that nobody
   * waits for any more, which it does not end by itself.
   *
   * @param isHere whether requests go to this machine: bypassing every proxy and name server
   */
  #open(
    isHere: boolean,
    connect: number,
    lookup: TransportRequest['lookup'] = isHere ? lookupLocalhost : undefined,
  ): Dispatcher {
    const options: Agent.Options = {
      connect: { timeout: connect + 1000, ...(lookup !== undefined && { lookup }) },
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    if (isHere) {
      return new Agent(options);
    }
    const { http, https } = this.#proxies;
    return new EnvHttpProxyAgent({ ...options, httpProxy: http, httpsProxy: https });
  }
}

/** Sends over a connection of its own, which is closed afterwards. */
async function sendAlone(
  request: TransportRequest,
  exchange: Exchange,
  signal: AbortSignal,
  dispatcher: Dispatcher,
): Promise<void> {
  const body = await send(request, exchange, signal, dispatcher);
  if (body?.closed === false) {
    await new Promise((resolve) => body.once('close', resolve));
  }
  await dispatcher.destroy();
}

/** Never rejects: errors go to the exchange. */
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

/** Reports the progress of a request to the exchange; through a proxy, only what goes to the service counts. */
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
