import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { ImageMaker } from '../../../../src/demo/painter/imageMaker.ts';
import { ImageRenderer } from '../../../../src/demo/painter/imageRenderer.ts';
import { type Encoding, imageSize, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { pngFile } from '../../../support/images/pngFile.ts';

/** Gives transparent pixels after some turns, counts how often it does, and how many files are open at once. */
class CountingCodecs {
  decoded = 0;
  maxOpen = 0;
  #open = 0;

  async decode(file: Uint8Array): Promise<Pixels> {
    this.#open += 1;
    this.decoded += 1;
    this.maxOpen = Math.max(this.maxOpen, this.#open);
    const { width, height } = imageSize(file);
    for (let round = 0; round < 20; round++) {
      await Promise.resolve();
    }
    this.#open -= 1;
    return { width, height, rgba: new Uint8Array(4) };
  }

  encode(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(1));
  }
}

describe('the studio', () => {
  it('works on large orders one after the other, and on small ones at once', async () => {
    for (const [side, maxOpen] of [
      [4096, 1],
      [64, 5],
    ] as const) {
      const codecs = new CountingCodecs();
      const renderer = new ImageRenderer(codecs);
      const files = { inputs: [picture(side)] as const, mask: picture(side) };
      await Promise.all([1, 2, 3, 4, 5].map(() => renderer.check(files)));
      assert.deepEqual([codecs.decoded, codecs.maxOpen], [10, maxOpen], `${side} pixels a side`);
    }
  });

  it('stores an image that would be too large as a smaller one: a JPEG, or lossless where a mask protects pixels', async () => {
    const most = 20_000_000;
    for (const [format, masked, length, expected] of [
      ['png', false, most, ['png']],
      ['png', false, most + 1, ['png', 'jpeg']],
      ['webp', false, most + 1, ['webp', 'jpeg']],
      ['png', true, most, ['png']],
      ['png', true, most + 1, ['png', 'webp lossless']],
      ['jpeg', true, most, ['png']],
      ['webp', true, most, ['webp lossless']],
    ] as const) {
      const asked: string[] = [];
      const codecs = new CountingCodecs();
      const encode = (_: Pixels, encoding: Encoding): Promise<Uint8Array> => {
        const lossless = 'lossless' in encoding && encoding.lossless;
        asked.push(`${encoding.format}${lossless ? ' lossless' : ''}`);
        return Promise.resolve(new Uint8Array(asked.length === 1 ? length : 1));
      };
      const renderer = new ImageRenderer({ decode: (file) => codecs.decode(file), encode });
      const inputs = [picture(64)] as const;
      const subject = { kind: 'edit', inputs, ...(masked && { mask: picture(64) }) } as const;
      const [image] = await renderer.make({ prompt: 'a sea', n: 1, format, subject });
      assert.deepEqual(asked, expected);
      assert.equal(image?.format, expected.at(-1)?.split(' ')[0]);
    }
  });
});

describe('the image maker', () => {
  it('ends its thread when it is idle, which gives the memory back, and starts another', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const threads: Worker[] = [];
    const noted = (thread: Worker): unknown => threads.push(thread);
    process.on('worker', noted);
    const maker = new ImageMaker();
    const size = { width: 32, height: 32 };
    const order = { prompt: 'a sea', n: 1, format: 'png', subject: { kind: 'generation', size } } as const;
    await maker.make(order);
    const [thread] = threads;
    assert.ok(thread);
    const ended = once(thread, 'exit');
    test.mock.timers.tick(20_000);
    await ended;
    assert.equal((await maker.make(order)).length, 1);
    assert.equal(threads.length, 2);
    process.off('worker', noted);
  });
});

/** A black square whose file is far smaller than its pixels. */
function picture(side: number): Buffer {
  const lines = new Uint8Array(side * (1 + Math.ceil(side / 8)));
  return pngFile({ width: side, height: side, bitDepth: 1, colourType: 0, lines });
}
