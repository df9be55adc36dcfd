import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { ApiError, invalidRequest } from '../http/apiError.ts';
import { LONGEST_STEP } from '../http/demoClock.ts';
import { parseFaults } from '../faults/faultCatalog.ts';
import { parseWeather } from '../faults/weather.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { readJson } from '../http/requestBody.ts';
import type { EndpointContext } from './endpointContext.ts';

export function isControlPath(path: string): boolean {
  return path === '/demo' || path.startsWith('/demo/');
}

/** Names of this machine that no foreign name server can assign. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/iu;

const Advance = v.object({ advance: v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_STEP)) });

/**
 * Answers the demo service's own paths, which are outside the protocol and need no key. A web page cannot reach them by
 * resolving its own host name to this machine.
 * - GET `/demo/ledger`: `{entries, balances}`
 * - GET `/demo/requests`: `{requests}`; DELETE forgets them
 * - GET `/demo/clock`: `{now}` in Unix milliseconds; POST `{"advance": <milliseconds>}` moves it, and answers
 *   when everything that became due is done
 * - GET `/demo/faults`: `{faults}`, those still to come; POST adds one or a list of them (`Fault`); DELETE ends all
 * - GET `/demo/weather`: `{weather, met}`, the requests that met a fault with what met them; POST sets it
 *   (`WeatherOptions`) and restarts the count of requests; DELETE ends it
 */
export async function control(context: EndpointContext, request: IncomingMessage, url: URL): Promise<Reply> {
  if (!ownHost.test(request.headers.host ?? '')) {
    throw new ApiError(
      403,
      'forbidden',
      'These paths answer only requests for this machine by its own name.',
    );
  }
  switch (`${request.method ?? ''} ${url.pathname}`) {
    case 'GET /demo/ledger':
      return jsonReply(200, { entries: context.ledger.entries(), balances: context.ledger.balances() });
    case 'GET /demo/requests':
      return jsonReply(200, { requests: context.requests.list() });
    case 'DELETE /demo/requests':
      context.requests.clear();
      return jsonReply(200, { requests: [] });
    case 'POST /demo/clock': {
      const parsed = v.safeParse(Advance, await readJson(request));
      if (!parsed.success) {
        throw invalidRequest(`Send {"advance": <milliseconds>}, at most ${LONGEST_STEP} (ten years).`);
      }
      await context.clock.advance(parsed.output.advance);
      return jsonReply(200, { now: context.clock.now() });
    }
    case 'GET /demo/clock':
      return jsonReply(200, { now: context.clock.now() });
    case 'GET /demo/faults':
      return jsonReply(200, { faults: context.faults.switchedOn.list() });
    case 'POST /demo/faults':
      context.faults.switchedOn.add(parseFaults(await readJson(request)));
      return jsonReply(200, { faults: context.faults.switchedOn.list() });
    case 'DELETE /demo/faults':
      context.faults.switchedOn.clear();
      return jsonReply(200, { faults: [] });
    case 'GET /demo/weather':
      return weatherReply(context);
    case 'POST /demo/weather':
      context.faults.weather.set(parseWeather(await readJson(request)));
      return weatherReply(context);
    case 'DELETE /demo/weather':
      context.faults.weather.set(undefined);
      return weatherReply(context);
    default:
      throw new ApiError(404, 'not_found', `There is no control ${request.method ?? ''} ${url.pathname}.`);
  }
}

function weatherReply({ faults, requests }: EndpointContext): Reply {
  return jsonReply(200, {
    weather: faults.weather.options ?? null,
    met: requests.list().filter(({ met }) => met !== undefined),
  });
}
