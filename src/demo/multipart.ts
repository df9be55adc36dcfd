import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './apiError.ts';
import { requireMediaType } from './requestBody.ts';

/** A form as it came: every value of every field, in order. */
export interface Form {
  texts: Map<string, string[]>;
  files: Map<string, Buffer[]>;
}

/** Bounds of what is read into memory; the document shows none. Sizes in bytes. */
const LIMITS = { fileSize: 64_000_000, files: 20, fieldSize: 1_000_000, fields: 100, fieldNameSize: 200 };

/**
 * Reads a multipart/form-data body.
 * @throws ApiError 415 for another content type, 413 for too many bytes, 400 for a malformed body
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  requireMediaType(request, 'multipart/form-data');
  const form: Form = { texts: new Map(), files: new Map() };
  const tooLarge = new ApiError(413, 'request_too_large', 'The form has too many or too large parts.');
  await new Promise<void>((resolve, reject) => {
    const parser = openParser(request);
    const fail = (error: ApiError): void => {
      // The rest of the body is read away elsewhere; the parser must not see more of it.
      request.unpipe(parser);
      reject(error);
    };
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (nameTruncated || valueTruncated) {
        fail(tooLarge);
      }
      append(form.texts, name, value);
    });
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
      });
      stream.on('limit', () => {
        fail(tooLarge);
      });
      stream.on('error', () => {
        fail(invalidRequest('A file in the form breaks off.', 'malformed_multipart'));
      });
      stream.on('end', () => {
        append(form.files, name, Buffer.concat(chunks));
      });
    });
    parser.on('filesLimit', () => {
      fail(tooLarge);
    });
    parser.on('fieldsLimit', () => {
      fail(tooLarge);
    });
    parser.on('error', (error) => {
      const reason = error instanceof Error ? error.message : String(error);
      fail(invalidRequest(`The multipart body is malformed: ${reason}`, 'malformed_multipart'));
    });
    parser.on('finish', resolve);
    request.on('aborted', () => {
      fail(invalidRequest('The request was cut off.', 'malformed_multipart'));
    });
    request.pipe(parser);
  });
  return form;
}

function openParser(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: LIMITS,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidRequest(`The multipart body is malformed: ${reason}`, 'malformed_multipart');
  }
}

function append<T>(values: Map<string, T[]>, name: string, value: T): void {
  const list = values.get(name);
  if (list === undefined) {
    values.set(name, [value]);
  } else {
    list.push(value);
  }
}
