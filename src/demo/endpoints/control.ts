import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { ApiError, invalidRequest } from '../http/apiError.ts';
import { LONGEST_STEP } from '../state/demoClock.ts';
import { parseFaults } from '../faults/fault.ts';
import { parseWeather } from '../faults/weather.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { readJson } from '../http/requestBody.ts';
import type { Service } from './service.ts';

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
export async function control(service: Service, request: IncomingMessage, url: URL): Promise<Reply> {
  if (!ownHost.test(request.headers.host ?? '')) {
    throw new ApiError(
      403,
      'forbidden',
      'These paths answer only requests for this machine by its own name.',
    );
  }
  switch (`${request.method ?? ''} ${url.pathname}`) {
    case 'GET /demo/ledger':
      return jsonReply(200, { entries: service.ledger.entries(), balances: service.ledger.balances() });
    case 'GET /demo/requests':
      return jsonReply(200, { requests: service.requests.list() });
    case 'DELETE /demo/requests':
      service.requests.clear();
      return jsonReply(200, { requests: [] });
    case 'POST /demo/clock': {
      const parsed = v.safeParse(Advance, await readJson(request));
      if (!parsed.success) {
        throw invalidRequest(`Send {"advance": <milliseconds>}, at most ${LONGEST_STEP} (ten years).`);
      }
      await service.clock.advance(parsed.output.advance);
      return jsonReply(200, { now: service.clock.now() });
    }
    case 'GET /demo/clock':
      return jsonReply(200, { now: service.clock.now() });
    case 'GET /demo/faults':
      return jsonReply(200, { faults: service.faults.switchedOn.list() });
    case 'POST /demo/faults':
      service.faults.switchedOn.add(parseFaults(await readJson(request)));
      return jsonReply(200, { faults: service.faults.switchedOn.list() });
    case 'DELETE /demo/faults':
      service.faults.switchedOn.clear();
      return jsonReply(200, { faults: [] });
    case 'GET /demo/weather':
      return weatherReply(service);
    case 'POST /demo/weather':
      service.faults.weather.set(parseWeather(await readJson(request)));
      return weatherReply(service);
    case 'DELETE /demo/weather':
      service.faults.weather.set(undefined);
      return weatherReply(service);
    default:
      throw new ApiError(404, 'not_found', `There is no control ${request.method ?? ''} ${url.pathname}.`);
  }
}

function weatherReply({ faults, requests }: Service): Reply {
  return jsonReply(200, {
    weather: faults.weather.options ?? null,
    met: requests.list().filter(({ met }) => met !== undefined),
  });
}
