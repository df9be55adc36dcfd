import { Dicer } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './apiError.ts';
import { requireMediaType } from './requestBody.ts';

/** A file as it came in a form. */
export interface FormFile {
  bytes: Buffer;
  /** The media type that its part claims, without parameters and in small letters; undefined where it claims none. */
  mediaType: string | undefined;
}

/** A form as it came: every value of every field, in order. */
export interface Form {
  texts: Map<string, string[]>;
  files: Map<string, FormFile[]>;
}

/** Bounds of what is read into memory; the document shows none. Sizes in bytes. */
const LIMITS = { fileSize: 64_000_000, files: 20, fieldSize: 1_000_000, fields: 100, fieldNameSize: 200 };

interface Part {
  name: string;
  mediaType: string | undefined;
  isFile: boolean;
  chunks: Buffer[];
  size: number;
}

/**
 * Reads a multipart/form-data body.
 * @throws ApiError 415 for another content type, 413 for too many bytes, 400 for a malformed body
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  requireMediaType(request, 'multipart/form-data');
  const parts: Part[] = [];
  await new Promise<void>((resolve, reject) => {
    const parser = new Dicer({ boundary: boundaryOf(request) });
    const fail = (error: ApiError): void => {
      // The rest of the body is read away elsewhere; the parser must not see more of it.
      request.unpipe(parser);
      reject(error);
    };
    const refuseLarge = (): void => {
      fail(new ApiError(413, 'request_too_large', 'The form has too many or too large parts.'));
    };
    parser.on('part', (stream) => {
      let part: Part | undefined;
      stream.on('header', (header) => {
        part = readPart(new Map(Object.entries(header)));
        if (part !== undefined) {
          parts.push(part);
          if (isTooMuch(part, parts)) {
            refuseLarge();
          }
        }
      });
      stream.on('data', (chunk) => {
        if (part !== undefined) {
          part.size += chunk.length;
          if (part.size > (part.isFile ? LIMITS.fileSize : LIMITS.fieldSize)) {
            refuseLarge();
          } else {
            part.chunks.push(Buffer.from(chunk));
          }
        }
      });
      stream.on('error', () => {
        fail(invalidRequest('A part of the form breaks off.', 'malformed_multipart'));
      });
    });
    parser.on('error', (error) => {
      fail(invalidRequest(`The multipart body is malformed: ${error.message}`, 'malformed_multipart'));
    });
    parser.on('finish', resolve);
    request.on('aborted', () => {
      fail(invalidRequest('The request was cut off.', 'malformed_multipart'));
    });
    request.pipe(parser);
  });
  return {
    texts: valuesOf(parts, false, ({ bytes }) => bytes.toString('utf8')),
    files: valuesOf(parts, true, (file) => file),
  };
}

/** @throws ApiError 400 where the content type names none */
function boundaryOf(request: IncomingMessage): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/iu.exec(request.headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) {
    throw invalidRequest('The multipart body is malformed: no boundary is named.', 'malformed_multipart');
  }
  return boundary;
}

/** What the head of a part says; undefined where it is not that of a field. */
function readPart(header: ReadonlyMap<string, unknown>): Part | undefined {
  const disposition = headerText(header, 'content-disposition');
  const [, quoted, plain] = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/iu.exec(disposition) ?? [];
  const name = quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain;
  if (name === undefined || !/^form-data\s*;/iu.test(disposition)) {
    return undefined;
  }
  const [claimed = ''] = headerText(header, 'content-type').split(';');
  const mediaType = claimed.trim().toLowerCase() || undefined;
  const isFile = mediaType === 'application/octet-stream' || /;\s*filename\*?=/iu.test(disposition);
  return { name, mediaType, isFile, chunks: [], size: 0 };
}

function headerText(header: ReadonlyMap<string, unknown>, name: string): string {
  const values = header.get(name);
  const first: unknown = Array.isArray(values) ? values[0] : undefined;
  return typeof first === 'string' ? Buffer.from(first, 'latin1').toString('utf8') : '';
}

function isTooMuch({ name, isFile }: Part, parts: readonly Part[]): boolean {
  const count = parts.filter((part) => part.isFile === isFile).length;
  return count > (isFile ? LIMITS.files : LIMITS.fields) || name.length > LIMITS.fieldNameSize;
}

function valuesOf<T>(
  parts: readonly Part[],
  ofFiles: boolean,
  read: (file: FormFile) => T,
): Map<string, T[]> {
  const values = new Map<string, T[]>();
  for (const { name, mediaType, isFile, chunks } of parts) {
    if (isFile === ofFiles) {
      const value = read({ bytes: Buffer.concat(chunks), mediaType });
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  }
  return values;
}
