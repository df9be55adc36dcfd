import { Dicer } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { ApiError, invalidRequest } from './apiError.ts';
import { requireMediaType } from './requestBody.ts';

export interface FormFile {
  bytes: Buffer;
  /** The media type that its part claims, if any, in lowercase and without parameters. */
  mediaType: string | undefined;
}

/** A form with every value of every field, in order. */
export interface Form {
  texts: Map<string, string[]>;
  files: Map<string, FormFile[]>;
}

/** Limits of forms in memory (docs/service.md, "Limits"). Sizes in bytes. */
const LIMITS = { fileSize: 64_000_000, files: 20, fieldSize: 1_000_000, fields: 100, fieldNameSize: 200 };

const LONGEST_BOUNDARY = 70;

interface Part {
  name: string;
  mediaType: string | undefined;
  isFile: boolean;
  chunks: Buffer[];
  size: number;
}

/** @throws ApiError 415 for another content type, 413 for too many bytes, 400 for a malformed body */
export async function readForm(request: IncomingMessage): Promise<Form> {
  requireMediaType(request, 'multipart/form-data');
  const parts: Part[] = [];
  await new Promise<void>((resolve, reject) => {
    const boundary = boundaryOf(request);
    const parser = new Dicer({ boundary });
    const fail = (error: ApiError): void => {
      // The rest of the body is drained elsewhere and must not reach the parser.
      request.unpipe(parser);
      reject(error);
    };
    const refuseLarge = (): void => {
      fail(new ApiError(413, 'request_too_large', 'The form has too many or too large parts.'));
    };
    const refuseMalformed = (reason: string): void => {
      fail(invalidRequest(`The multipart body is malformed: ${reason}.`, 'malformed_multipart'));
    };
    parser.on('preamble', (stream) => {
      stream.on('data', (chunk) => {
        if (chunk.includes(`--${boundary}`)) {
          refuseMalformed('its first boundary is not at the beginning of a line');
        }
      });
      stream.on('error', leaveToParser);
    });
    parser.on('part', (stream) => {
      let part: Part | undefined;
      stream.on('header', (header) => {
        part = readPart(new Map(Object.entries(header)));
        if (part === undefined) {
          refuseMalformed('a part does not name its field in Content-Disposition');
        } else {
          parts.push(part);
          if (isTooMuch(part, parts)) {
            refuseLarge();
          }
        }
      });
      stream.on('end', () => {
        if (part === undefined) {
          refuseMalformed('a part has no end of its headers');
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
      stream.on('error', leaveToParser);
    });
    parser.on('error', (error) => {
      fail(invalidRequest(`The multipart body is malformed: ${error.message}`, 'malformed_multipart'));
    });
    parser.on('finish', () => {
      // Without parts, the parser reads the text before the first boundary only after this.
      setImmediate(resolve);
    });
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

/** Ignores the error of a file: it breaks the whole form, which the parser reports. */
function leaveToParser(): void {}

/** @throws ApiError 400 if the content type has no boundary, or one longer than RFC 2046 allows */
function boundaryOf(request: IncomingMessage): string {
  const boundary = parametersOf(request.headers['content-type'] ?? '').get('boundary') ?? '';
  if (boundary === '' || boundary.length > LONGEST_BOUNDARY) {
    throw invalidRequest(
      `The multipart body is malformed: its boundary must have 1 to ${LONGEST_BOUNDARY} characters.`,
      'malformed_multipart',
    );
  }
  return boundary;
}

/** Returns the parameters of a header by their lowercase names. Quoted text is not searched. */
function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>();
  const each = /;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*)))?\s*/uy;
  // Without parameters, the search begins and ends at the end of the value.
  each.lastIndex = header.indexOf(';');
  for (let found = each.exec(header); found !== null; found = each.exec(header)) {
    const [, name, quoted, plain] = found;
    const value = quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain?.trim();
    if (name !== undefined && value !== undefined && !parameters.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), value);
    }
  }
  return parameters;
}

/** Reads the head of a part. Returns `undefined` if it does not describe a field. */
function readPart(header: ReadonlyMap<string, unknown>): Part | undefined {
  const disposition = headerText(header, 'content-disposition');
  const parameters = parametersOf(disposition);
  const name = parameters.get('name') ?? '';
  if (name === '' || !/^form-data\s*;/iu.test(disposition)) {
    return undefined;
  }
  const [claimed = ''] = headerText(header, 'content-type').split(';');
  const mediaType = claimed.trim().toLowerCase() || undefined;
  const isFile =
    mediaType === 'application/octet-stream' || parameters.has('filename') || parameters.has('filename*');
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
