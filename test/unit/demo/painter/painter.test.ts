import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DemoClock } from '../../../../src/demo/http/demoClock.ts';
import { ImageHost, MAX_IMAGE_BYTES } from '../../../../src/demo/http/imageHost.ts';
import { paint } from '../../../../src/demo/painter/painter.ts';
import { resize } from '../../../../src/demo/painter/canvas.ts';

const painting = { prompt: 'a lighthouse at dusk', variant: 0, width: 96, height: 64 };

function average(prompt: string, channel: number): number {
  const { rgba } = paint({ ...painting, prompt });
  const values = rgba.filter((_, index) => index % 4 === channel);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('painter', () => {
  it('paints the same prompt the same way', () => {
    assert.deepEqual(paint(painting), paint(painting));
  });

  it('paints variants, prompts and sizes differently', () => {
    const first = Buffer.from(paint(painting).rgba);
    assert.ok(!first.equals(paint({ ...painting, variant: 1 }).rgba));
    assert.ok(!first.equals(paint({ ...painting, prompt: 'a lighthouse at dawn' }).rgba));
    assert.ok(!first.equals(paint({ ...painting, width: 64, height: 96 }).rgba));
  });

  it('marks every picture with the band along its lower edge', () => {
    const { rgba, width, height } = paint(painting);
    const corner = (height - 1) * width * 4;
    assert.deepEqual([...rgba.subarray(corner, corner + 4)], [255, 198, 66, 255]);
  });

  it('paints every subject opaquely at any shape', () => {
    const subjects =
      'sea mountains lake desert forest city space icon texture cat house boat tree flower bird balloon';
    for (const prompt of [
      ...subjects.split(' '),
      '猫と海',
      '🙂',
      '\ud83d',
      'ẞ﷽',
      '\u0000',
      'x'.repeat(30_000),
    ]) {
      for (const [width, height] of [
        [16, 16],
        [200, 16],
        [16, 200],
        [1, 1],
        [1, 300],
        [300, 1],
      ] as const) {
        const pixels = paint({ prompt, variant: 0, width, height });
        assert.equal(pixels.rgba.length, width * height * 4);
        assert.ok(pixels.rgba.every((value, index) => index % 4 !== 3 || value === 255));
      }
    }
  });

  it('lets color words tint the picture', () => {
    for (const subject of ['mountains at noon', 'a forest at noon']) {
      assert.ok(average(`red ${subject}`, 0) > average(`blue ${subject}`, 0) + 20);
      assert.ok(average(`blue ${subject}`, 2) > average(`red ${subject}`, 2) + 20);
    }
  });
});

describe('resizing', () => {
  it('keeps a plain area plain, alpha included', () => {
    const plain = { width: 3, height: 2, rgba: new Uint8Array(24).fill(77) };
    const { rgba } = resize(plain, 7, 5);
    assert.ok(rgba.every((value) => value === 77));
    assert.equal(rgba.length, 7 * 5 * 4);
  });
});

describe('image host', () => {
  it('stores up to 20 MB and not a byte more', () => {
    const host = new ImageHost(new DemoClock('frozen'));
    const path = host.store({ format: 'webp', bytes: Buffer.alloc(MAX_IMAGE_BYTES) });
    assert.match(path, /^\/api\/async-images\/\w+\.webp$/u);
    assert.throws(() => host.store({ format: 'png', bytes: Buffer.alloc(MAX_IMAGE_BYTES + 1) }), RangeError);
  });
});
