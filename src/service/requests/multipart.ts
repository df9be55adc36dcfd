import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { LimnerError } from '../../common/limnerError.ts';
import type { ImageRequest, InputFile } from '../messages.ts';
import { extraFields, sizeAndQuality, type TypedBody } from './requestBodies.ts';

interface FileField {
  name: string;
  file: InputFile;
}

/**
 * Returns the form of an image edit (docs/service.md, "Edit fields"), streamed from its files with its length known
 * beforehand. `n` is sent only when more than one image is wanted.
 *
 * The body fails with a `LimnerError` `invalid_request` if a file is not as long as it was said to be.
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

/** Returns the file's bytes, exactly as many as were announced. */
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
    throw unreadable(`${file.name} couldn't be read.`, error);
  }
  if (left !== 0) {
    throw unreadable(`${file.name} changed while it was being sent.`);
  }
}

/** Returns the error for a file that changed: no service acts on a request that ends before its announced length. */
function unreadable(message: string, cause?: unknown): LimnerError {
  return new LimnerError('invalid_request', message, { phase: 'submit', billing: 'no', cause });
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns a file's name that every parser of forms can read: they stop at control characters, and some drop the name
 * when it holds a line separator, or a file whose name ends in a backslash.
 */
function readable(fileName: string): string {
  return fileName.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]/gu, '_');
}

/** Escapes a name as the HTML standard does: only what would end the name or the line. */
function quoted(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
