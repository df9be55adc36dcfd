import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PNG } from 'pngjs';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import { alphaOf } from '../../../../src/studio/maskPixels/decodeMask.ts';
import { encodeMaskPng } from '../../../../src/studio/maskPixels/encodeMaskPng.ts';
import { copyRow, type MaskPixels } from '../../../../src/studio/maskPixels/maskPixels.ts';
import { type DrawnOperation, drawn } from '../../../../src/studio/maskPixels/operation.ts';
import { repairedPixels } from '../../../../src/studio/repair/repairLayer.ts';

type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

const green: Rgba = [0, 255, 0, 255];
const red: Rgba = [200, 40, 20, 255];
const clear: Rgba = [0, 0, 0, 0];

/** An image of one row for each text, one pixel for each letter. */
function pixelsOf(rows: readonly string[], letters: Record<string, Rgba>) {
  const data = Uint8ClampedArray.from(
    rows.flatMap((row) => Array.from(row).flatMap((one) => letters[one] ?? clear)),
  );
  return { width: rows[0]?.length ?? 0, height: rows.length, data };
}

function pngOf({ width, height, data }: ReturnType<typeof pixelsOf>): Uint8Array {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data);
  return new Uint8Array(PNG.sync.write(png));
}

/** Alpha of some rows, in hundreds of 255: 0 to 9 and `#`. */
function maskOf(...rows: readonly string[]): MaskPixels {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const data = Uint8ClampedArray.from(
    rows.flatMap((row) => Array.from(row).flatMap((one) => [0, 0, 0, one === '#' ? 255 : 25 * Number(one)])),
  );
  return alphaOf({ width, height, data });
}

function rowsOf(mask: MaskPixels): number[][] {
  return Array.from({ length: mask.height }, (_, y) => {
    const row = new Uint8Array(mask.width);
    copyRow(mask, y, row);
    return [...row];
  });
}

void describe('the edge of a cutout', () => {
  const bar = maskOf('004#######400');

  void it('moves inward and outward by whole pixels, as soft as it was', () => {
    assert.deepEqual(rowsOf(drawn(bar, { kind: 'choke', pixels: 1 })), rowsOf(maskOf('0004#####4000')));
    assert.deepEqual(rowsOf(drawn(bar, { kind: 'choke', pixels: -1 })), rowsOf(maskOf('04#########40')));
    const corner = maskOf('####', '####', '####', '0###');
    // What touches the border of the image isn't taken away there.
    assert.deepEqual(
      rowsOf(drawn(corner, { kind: 'choke', pixels: 1 })),
      rowsOf(maskOf('####', '####', '0###', '00##')),
    );
  });

  void it('fades inward only', () => {
    const [soft = []] = rowsOf(drawn(maskOf('00##########'), { kind: 'feather', pixels: 1 }));
    assert.deepEqual(soft, [0, 0, 85, 170, 255, 255, 255, 255, 255, 255, 255, 255]);
  });

  void it('moves across the tiles of a large mask as within one', () => {
    const width = 700;
    const data = new Uint8ClampedArray(4 * width * 3);
    for (let at = 0; at < data.length; at += 4) {
      const x = (at / 4) % width;
      data[at + 3] = x >= 254 && x < 515 ? 255 : 0;
    }
    const made = drawn(alphaOf({ width, height: 3, data }), { kind: 'choke', pixels: 3 });
    const [row = []] = rowsOf(made);
    assert.deepEqual([row.indexOf(255), row.lastIndexOf(255)], [257, 511]);
  });
});

void describe('a repair', () => {
  // A red square on green, of which too much was removed, and too little.
  const source = pixelsOf(['ggggg', 'grrrg', 'grrrg', 'ggggg'], { g: green, r: red });
  const file = pixelsOf(['....g', '.r...', '.rh..', '.....'], {
    g: green,
    r: red,
    h: [180, 60, 0, 51],
    '.': clear,
  });
  const operations: DrawnOperation[] = [
    { kind: 'rectangle', mode: 'add', from: [2, 1], to: [4, 3] },
    { kind: 'rectangle', mode: 'subtract', from: [4, 0], to: [5, 1] },
  ];
  const alpha = operations.reduce(drawn, alphaOf(file));
  const whole = { left: 0, top: 0, right: 5, bottom: 4 };
  const repaired = pixelsOf(['.....', '.rrr.', '.rrr.', '.....'], { r: red, '.': clear });

  void it("brings back the original's pixels, and removes others", () => {
    const shown = repairedPixels({ file, source }, alpha, whole, false);
    for (let at = 0; at < shown.length; at += 4) {
      const pixel = [...shown.subarray(at, at + 4)];
      // The color of what is clear is of no matter.
      const seen = pixel[3] === 0 ? [...clear] : pixel;
      assert.deepEqual(seen, [...repaired.data.subarray(at, at + 4)], `pixel ${at / 4}`);
    }
  });

  void it('mixes the colors where the brush is soft', () => {
    const half = drawn(alphaOf(file), {
      kind: 'stroke',
      mode: 'add',
      size: 1,
      hardness: 1,
      points: [2.5, 2.5, 1],
    });
    const [x, y] = [2, 2];
    const at = 4 * (y * 5 + x);
    const row = new Uint8Array(5);
    copyRow(half, y, row);
    const shown = repairedPixels({ file, source }, half, whole, false);
    assert.equal(shown[at + 3], row[x]);
    assert.ok((shown[at] ?? 0) > 180 && (shown[at] ?? 0) <= 200, String(shown.subarray(at, at + 4)));
  });

  void it('is written as it is shown, and leaves clear what has no color', async () => {
    const codecs = new Codecs();
    try {
      const png = await encodeMaskPng(alpha);
      const received = { bytes: pngOf(source), how: {} };
      const made = PNG.sync.read(Buffer.from(await codecs.repair(pngOf(file), png, received)));
      assert.deepEqual(alphaIn(made.data), alphaIn(repaired.data));
      assert.deepEqual([...made.data.subarray(24, 36)], [red, red, red].flat());
      const alone = PNG.sync.read(Buffer.from(await codecs.repair(pngOf(file), png, undefined)));
      const alphas = alphaIn(alone.data);
      // What was half there is whole; what was gone stays so.
      assert.deepEqual(alphas.slice(10, 15), [0, 255, 255, 0, 0]);
    } finally {
      await codecs.dispose();
    }
  });
});

void describe('the original of a cutout', () => {
  const how = {
    cutout: { by: 'key' },
    trim: { margin: 2, unit: 'px' },
    size: { width: 40, height: 40 },
    fit: { by: 'pad', fill: 'transparent' },
  } as const;

  void it('lies where the cutout does, also trimmed and scaled; that of another file is not taken', async () => {
    const codecs = new Codecs();
    try {
      const { bytes, cutout } = await codecs.finish(received(), how);
      assert.equal(cutout?.verdict, 'good');
      const placed = await codecs.repairSource(bytes, { bytes: received(), how });
      const source = PNG.sync.read(Buffer.from(placed ?? assert.fail()));
      const cut = PNG.sync.read(Buffer.from(bytes));
      assert.deepEqual([source.width, source.height], [40, 40]);
      for (let at = 0; at < cut.data.length; at += 4) {
        if (cut.data[at + 3] === 255) {
          const far = [0, 1, 2].map((one) =>
            Math.abs((cut.data[at + one] ?? 0) - (source.data[at + one] ?? 0)),
          );
          assert.ok(Math.max(...far) <= 60, `${far.join()} at ${at / 4}`);
        }
      }
      // The margin was never a part of the original.
      assert.deepEqual([...source.data.subarray(0, 4)], [...clear]);
      assert.deepEqual([...source.data.subarray(4 * 83, 4 * 84)], [...green]);
      const other = await codecs.finish(received(), { ...how, trim: { margin: 9, unit: 'px' } });
      assert.equal(await codecs.repairSource(other.bytes, { bytes: received(), how }), undefined);
    } finally {
      await codecs.dispose();
    }
  });
});

/** A red disc with a white ring on green, away from the middle. */
function received(): Uint8Array {
  const png = new PNG({ width: 120, height: 100 });
  for (let y = 0; y < 100; y++) {
    for (let x = 0; x < 120; x++) {
      const distance = Math.hypot(x - 40, y - 50);
      const color = distance > 30 ? green : distance > 20 ? ([250, 250, 250, 255] as const) : red;
      png.data.set(color, 4 * (y * 120 + x));
    }
  }
  return new Uint8Array(PNG.sync.write(png));
}

function alphaIn(data: Uint8Array | Uint8ClampedArray): number[] {
  return Array.from(data).filter((_, at) => at % 4 === 3);
}
