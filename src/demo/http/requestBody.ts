import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './apiError.ts';
import { messageOf } from '../../common/limnerError.ts';

/** In bytes. A native conversation contains the images of earlier replies. */
const MAX_JSON_BYTES = 64_000_000;
/** The limits for the contents of a JSON body. Beyond them, parsing some megabytes could take gigabytes. */
const MAX_JSON_DEPTH = 200;
const MAX_JSON_VALUES = 100_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @throws ApiError 415 for another content type, 413 for too many bytes, 400 for invalid JSON */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  requireMediaType(request, 'application/json');
  const chunks: Buffer[] = [];
  let length = 0;
  const incoming: AsyncIterable<Buffer> = request;
  for await (const bytes of incoming) {
    length += bytes.length;
    if (length > MAX_JSON_BYTES) {
      throw new ApiError(413, 'request_too_large', `A JSON body may have at most ${MAX_JSON_BYTES} bytes.`);
    }
    chunks.push(bytes);
  }
  const body = Buffer.concat(chunks);
  refuseBomb(body);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch (error) {
    throw invalidRequest(`The body is not valid JSON: ${messageOf(error)}`);
  }
}

/**
 * Counts values without parsing them. Invalid JSON is left for the parser to refuse.
 * @throws ApiError 400 for too many values, or values too deep in others
 */
function refuseBomb(body: Uint8Array): void {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (inString) {
      if (byte === BACKSLASH) {
        index += 1;
      } else if (byte === QUOTE) {
        inString = false;
      }
      continue;
    }
    if (byte === QUOTE) {
      inString = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      depth += 1;
      values += 1;
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
      depth -= 1;
    }
    if (depth > MAX_JSON_DEPTH) {
      throw invalidRequest(`The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
    }
    if (values > MAX_JSON_VALUES) {
      throw invalidRequest(`The body holds more than ${MAX_JSON_VALUES} values.`);
    }
  }
}

/** @throws ApiError 415 unless the request's content type is this one, parameters aside */
export function requireMediaType(request: IncomingMessage, mediaType: string): void {
  const [given = ''] = (request.headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() !== mediaType) {
    throw new ApiError(415, 'unsupported_media_type', `Content-Type must be ${mediaType}.`);
  }
}

/** Whether a `Prefer` header asks for `respond-async`, alone or among other preferences. */
export function prefersAsync(prefer: string | string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
