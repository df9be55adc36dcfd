import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './apiError.ts';

/** In bytes. A native conversation carries the pictures of earlier answers. */
const MAX_JSON_BYTES = 64_000_000;

/**
 * Reads a JSON body.
 * @throws ApiError 415 for another content type, 413 for too many bytes, 400 for what is not JSON
 */
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
  try {
    // Invalid UTF-8 is as malformed as a missing brace.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))) as unknown;
  } catch (error) {
    throw invalidRequest(
      `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** @throws ApiError 415 unless the request's content type is this one, parameters aside */
export function requireMediaType(request: IncomingMessage, mediaType: string): void {
  const [given = ''] = (request.headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() !== mediaType) {
    throw new ApiError(415, 'unsupported_media_type', `Content-Type must be ${mediaType}.`);
  }
}
