import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { ApiError, invalidRequest } from './apiError.ts';
import { LONGEST_STEP } from './clock.ts';
import { parseFaults } from './fault.ts';
import { jsonReply, type Reply } from './reply.ts';
import { readJson } from './requestBody.ts';
import type { Service } from './service.ts';

export function isControlPath(path: string): boolean {
  return path === '/demo' || path.startsWith('/demo/');
}

const Advance = v.object({ advance: v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_STEP)) });

/**
 * The paths of the demo service's own, outside the document; they need no key.
 * - GET `/demo/ledger`: `{entries, balances}`
 * - GET `/demo/requests`: `{requests}`; DELETE forgets them
 * - GET `/demo/clock`: `{now}` in Unix milliseconds; POST `{"advance": <milliseconds>}` moves it, and answers
 *   when everything that became due is done
 * - GET `/demo/faults`: `{faults}`, those still to come; POST adds one or a list of them (`Fault`); DELETE ends all
 */
export async function control(service: Service, request: IncomingMessage, url: URL): Promise<Reply> {
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
      return jsonReply(200, { faults: service.faults.list() });
    case 'POST /demo/faults':
      service.faults.add(parseFaults(await readJson(request)));
      return jsonReply(200, { faults: service.faults.list() });
    case 'DELETE /demo/faults':
      service.faults.clear();
      return jsonReply(200, { faults: [] });
    default:
      throw new ApiError(404, 'not_found', `There is no control ${request.method ?? ''} ${url.pathname}.`);
  }
}
