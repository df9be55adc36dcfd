import {
  PassThrough,
  pipeline,
  type Duplex,
  type Readable,
  Transform,
  type TransformCallback,
} from 'node:stream';
import zlib from 'node:zlib';
import * as english from '../../common/english.ts';
import { LimnerError } from '../../common/limnerError.ts';

/** More layers than this are an attack, not compression. */
const maxLayers = 3;

/**
 * Undoes the content encodings of a body (gzip, deflate with or without its zlib header, br, zstd where Node.js can).
 * The returned stream fails with a `LimnerError` `protocol` for an unknown encoding, and with the decoder's error for
 * a damaged or incomplete body.
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
    refused.destroy(unsupported(layers));
    return refused;
  }
  let body = raw;
  for (const decoder of decoders) {
    // `pipeline` destroys every stream of the chain when one fails; the reader gets the error of the last.
    if (decoder !== undefined) {
      body = pipeline(body, decoder, () => undefined);
    }
  }
  return body;
}

/** Undoes zstd if `fetch` left it in place: some versions don't know this encoding. */
export function withoutZstd(body: Readable, contentEncoding: string | null): Readable {
  if (contentEncoding?.trim().toLowerCase() !== 'zstd') {
    return body;
  }
  const decoder = new Deferred((start) => {
    const isEncoded = zstdMagic.subarray(0, start.length).equals(start.subarray(0, zstdMagic.length));
    return isEncoded ? decoderOf('zstd') : new PassThrough();
  });
  return pipeline(body, decoder, () => undefined);
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Available since Node.js 22.15; VS Code may bundle an older version. */
const { createZstdDecompress }: Partial<Pick<typeof zlib, 'createZstdDecompress'>> = zlib;

function unsupported(layers: readonly string[]): LimnerError {
  const message =
    layers.includes('zstd') && createZstdDecompress === undefined
      ? english.t("The response is compressed with zstd, which this version of Node.js can't decode.")
      : english.t('The response uses an unsupported encoding.');
  return new LimnerError('protocol', message, { sent: true });
}

function decoderOf(encoding: string): Duplex | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'deflate':
      return new Deferred(inflateOf);
    case 'zstd':
      return createZstdDecompress?.();
    default:
      return undefined;
  }
}

/** By the standard, `deflate` means a zlib stream, but some servers send raw deflate. */
function inflateOf(start: Buffer): Duplex {
  const hasZlibHeader = ((start[0] ?? 0) & 0x0f) === 8;
  return hasZlibHeader ? zlib.createInflate() : zlib.createInflateRaw();
}

/** A transform that chooses its decoder by the first bytes. */
class Deferred extends Transform {
  readonly #choose: (start: Buffer) => Duplex | undefined;
  #inner: Duplex | undefined;

  /** @param choose returns undefined for an encoding that this version of Node.js can't decode */
  constructor(choose: (start: Buffer) => Duplex | undefined) {
    super();
    this.#choose = choose;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#inner ??= this.#begin(chunk);
    if (this.#inner === undefined) {
      callback(unsupported(['zstd']));
    } else if (this.#inner.write(chunk)) {
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

  #begin(chunk: Buffer): Duplex | undefined {
    const inner = this.#choose(chunk);
    inner?.on('data', (part: Buffer) => {
      if (!this.push(part)) {
        inner.pause();
      }
    });
    inner?.on('error', (error: Error) => this.destroy(error));
    return inner;
  }

  override _read(size: number): void {
    this.#inner?.resume();
    super._read(size);
  }
}
