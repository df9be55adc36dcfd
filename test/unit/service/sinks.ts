import type { ImageSink, OpenImageSink } from '../../../src/service/messages.ts';

/** A sink that remembers. */
export class MemorySink implements ImageSink {
  readonly chunks: Uint8Array[] = [];
  state: 'open' | 'closed' | 'discarded' = 'open';

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  write(chunk: Uint8Array): void | Promise<void> {
    this.chunks.push(Buffer.from(chunk));
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
    return this.all.filter(({ state }) => state === 'closed').map(({ bytes }) => bytes);
  }
}
