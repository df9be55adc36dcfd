import {
  PassThrough,
  pipeline,
  type Duplex,
  type Readable,
  Transform,
  type TransformCallback,
} from 'node:stream';
import zlib from 'node:zlib';
import { LimnerError } from '../../common/limnerError.ts';

/** More layers than this are an attack, not compression. */
const maxLayers = 3;

/**
 * Undoes the content encodings of a body (gzip, deflate with or without its zlib header, br).
 *
 * The stream that is returned fails with a `LimnerError` `protocol` for an encoding it does not know, and with
 * the decoder's error for a body that is damaged or cut short.
 */
export function decodedBody(raw: Readable, contentEncoding: string | string[] | undefined): Readable {
  const layers = [contentEncoding ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const decoders = layers.slice(0, maxLayers).toReversed().map(decoderOf);
  if (layers.length > maxLayers || decoders.includes(undefined)) {
    raw.on('error', () => undefined).destroy();
    const refused = new PassThrough();
    refused.destroy(
      new LimnerError('protocol', 'The response uses an unsupported encoding.', { sent: true }),
    );
    return refused;
  }
  let body = raw;
  for (const decoder of decoders) {
    // `pipeline` destroys every stream of the chain when one fails; its reader gets the error of the last.
    if (decoder !== undefined) {
      body = pipeline(body, decoder, () => undefined);
    }
  }
  return body;
}

function decoderOf(encoding: string): Duplex | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'deflate':
      return new Inflate();
    default:
      return undefined;
  }
}

/** `deflate` means a zlib stream by the standard, but a bare one from servers that read it literally. */
class Inflate extends Transform {
  #inner: zlib.Inflate | zlib.InflateRaw | undefined;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#inner ??= this.#begin(chunk);
    if (this.#inner.write(chunk)) {
      callback();
    } else {
      this.#inner.once('drain', callback);
    }
  }

  override _flush(callback: TransformCallback): void {
    if (this.#inner === undefined) {
      callback();
      return;
    }
    this.#inner.once('end', callback);
    this.#inner.end();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#inner?.destroy();
    callback(error);
  }

  #begin(chunk: Buffer): zlib.Inflate | zlib.InflateRaw {
    const hasZlibHeader = ((chunk[0] ?? 0) & 0x0f) === 8;
    const inner = hasZlibHeader ? zlib.createInflate() : zlib.createInflateRaw();
    inner.on('data', (part: Buffer) => {
      if (!this.push(part)) {
        inner.pause();
      }
    });
    inner.on('error', (error: Error) => this.destroy(error));
    return inner;
  }

  override _read(size: number): void {
    this.#inner?.resume();
    super._read(size);
  }
}
