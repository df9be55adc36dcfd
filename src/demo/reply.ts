import type { OutgoingHttpHeaders } from 'node:http';
import { ApiError, errorBody } from './apiError.ts';

/** A whole answer, before anything of it is sent. The body is a list so that large parts need no copying. */
export interface Reply {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Uint8Array[];
}

export function jsonReply(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: [Buffer.from(JSON.stringify(value))],
  };
}

/** The answer to a request that failed; what is not an `ApiError` is a 500 that does not say more. */
export function errorReply(error: unknown, path: string): Reply {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, 'internal_error', 'The demo service stumbled over this.');
  return jsonReply(known.status, errorBody(known, path), known.headers);
}
