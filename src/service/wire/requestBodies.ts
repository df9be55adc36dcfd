import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import * as english from '../../common/english.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { ImageRequest, InputFile } from '../terms/messages.ts';
import type { RequestBody } from '../http/transport.ts';

interface FileField {
  name: string;
  file: InputFile;
}

/**
 * Returns the form of an image edit (docs/service.md, "Edit fields"), streamed from its files with a length known in
 * advance. `n` is sent only if more than one image is wanted.
 *
 * The body fails with a `LimnerError` `invalid_request` if a file no longer has the stated length.
 */
export function editForm(request: ImageRequest): TypedBody {
  const fields = {
    ...extraFields(request),
    model: request.model,
    prompt: request.prompt,
    ...sizeAndQuality(request),
    ...(request.n > 1 && { n: request.n }),
  };
  const { imageField: name = 'image' } = request;
  const images = (request.images ?? []).map((file): FileField => ({ name, file }));
  const mask: FileField[] = request.mask === undefined ? [] : [{ name: 'mask', file: request.mask }];
  return multipartForm(fields, [...images, ...mask]);
}

function multipartForm(fields: Record<string, unknown>, files: readonly FileField[]): TypedBody {
  const boundary = `limner-${randomUUID()}`;
  const head = Buffer.from(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${fieldText(value)}\r\n`,
      )
      .join(''),
  );
  const parts = files.map(({ name, file }) => ({ file, head: Buffer.from(fileHead(boundary, name, file)) }));
  const tail = Buffer.from(`--${boundary}--\r\n`);
  const length = parts.reduce(
    (sum, part) => sum + part.head.length + part.file.size + 2,
    head.length + tail.length,
  );

  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield head;
    for (const part of parts) {
      yield part.head;
      yield* contentOf(part.file);
      yield Buffer.from('\r\n');
    }
    yield tail;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: { length, open: () => Readable.from(bytes(), { objectMode: false }) },
  };
}

function fileHead(boundary: string, name: string, file: InputFile): string {
  const disposition = `form-data; name="${quoted(name)}"; filename="${quoted(readable(file.name))}"`;
  return `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${file.mediaType}\r\n\r\n`;
}

/** Returns exactly the stated number of bytes of a file. */
async function* contentOf(file: InputFile): AsyncGenerator<Uint8Array> {
  let left = file.size;
  try {
    for await (const chunk of file.open() as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) {
        break;
      }
      yield chunk;
    }
  } catch (error) {
    throw unreadable(english.t("{0} couldn't be read.", file.name), error);
  }
  if (left !== 0) {
    throw unreadable(english.t('{0} changed while it was being sent.', file.name));
  }
}

/** Returns the error for a file that changed: no service accepts a request that ends before its stated length. */
function unreadable(message: string, cause?: unknown): LimnerError {
  return new LimnerError('invalid_request', message, { phase: 'submit', billing: 'no', cause });
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns a file name that every form parser can read: they stop at control characters, and some drop a name with a
 * line separator, or a file whose name ends in a backslash.
 */
function readable(fileName: string): string {
  return fileName.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]/gu, '_');
}

/** Escapes a name by the HTML standard: only characters that would end the name or the line. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** Fields that a model's `extra` never overrides: Limner's own, and docs/service.md, "Fields never sent". */
const reserved = new Set([
  'model',
  'prompt',
  'n',
  'image',
  'image[]',
  'mask',
  'response_format',
  'stream',
  'contents',
]);
/** Fields without effect for the second family. */
const imageFamilyOnly = new Set(['size', 'quality']);

export interface TypedBody {
  contentType: string;
  body: RequestBody;
}

/** Returns an image generation (docs/service.md, "Generation fields"). */
export function generationBody(request: ImageRequest): TypedBody {
  return jsonBody({
    ...extraFields(request),
    model: request.model,
    prompt: request.prompt,
    ...sizeAndQuality(request),
    n: request.n,
  });
}

/** Returns a native request (docs/service.md, "Native fields"). */
export function contentBody(request: ImageRequest): TypedBody {
  const { generationConfig, ...extra } = extraFields(request);
  return jsonBody({
    ...extra,
    contents: [{ role: 'user', parts: [{ text: request.prompt }] }],
    generationConfig: {
      ...(typeof generationConfig === 'object' && generationConfig),
      responseModalities: ['TEXT', 'IMAGE'],
    },
  });
}

/** Returns `size` and `quality` if they were chosen and have an effect. */
export function sizeAndQuality({ family, size, quality }: ImageRequest): {
  size?: string;
  quality?: string;
} {
  if (family === 'native') {
    return {};
  }
  return { ...(isGiven(size) && { size }), ...(isGiven(quality) && { quality }) };
}

/** Returns the fields that the model's entry in the settings adds to every request. */
export function extraFields({ extra = {}, family }: ImageRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(extra).filter(
      ([name]) => !reserved.has(name) && !(family === 'native' && imageFamilyOnly.has(name)),
    ),
  );
}

/** Writes JSON with lone surrogates replaced, as in a form, since many parsers refuse them. */
function jsonBody(value: unknown): TypedBody {
  const bytes = Buffer.from(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part)),
  );
  return {
    contentType: 'application/json',
    body: { length: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) },
  };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
