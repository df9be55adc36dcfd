import type { ImageSink, OpenImageSink } from '../../../src/service/terms/messages.ts';

/** A sink that remembers. */
export class MemorySink implements ImageSink {
  readonly chunks: Uint8Array[] = [];
  state: 'open' | 'closed' | 'discarded' = 'open';
  isText = false;

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  write(chunk: Uint8Array): void | Promise<void> {
    this.chunks.push(Buffer.from(chunk));
  }

  toText(): Promise<void> {
    this.isText = true;
    this.chunks.splice(0, Infinity, Buffer.from(this.bytes.toString('base64')));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.state = 'closed';
    return Promise.resolve();
  }

  discard(): Promise<void> {
    this.state = 'discarded';
    return Promise.resolve();
  }
}

/** Sinks in the order in which they are opened. */
export class MemorySinks {
  readonly all: MemorySink[] = [];

  readonly openSink: OpenImageSink = (index) => {
    const sink = new MemorySink();
    this.all[index] = sink;
    return sink;
  };

  get states(): string[] {
    return this.all.map(({ state }) => state);
  }

  /** The bytes of the images that were kept. */
  get kept(): Buffer[] {
    return this.#closed(false);
  }

  /** The texts that were kept in the place of images. */
  get texts(): string[] {
    return this.#closed(true).map((bytes) => bytes.toString('latin1'));
  }

  #closed(isText: boolean): Buffer[] {
    return this.all
      .filter((sink) => sink.state === 'closed' && sink.isText === isText)
      .map(({ bytes }) => bytes);
  }
}
