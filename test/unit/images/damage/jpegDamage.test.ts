import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDamage } from '../../../../src/images/damage/findDamage.ts';
import type { ReadableFile } from '../../../../src/images/formats/dimensions.ts';
import {
  greyJpegParts,
  jpegCodes,
  jpegComponent,
  type JpegComponent,
  jpegFrame,
  jpegOf,
  jpegOffset,
  type JpegParts,
  jpegPixels,
  jpegQuantisation,
  jpegScan,
  jpegSegment,
} from '../../../support/images/jpegFile.ts';
import { Random } from '../../../support/random.ts';
import { sharpTakes } from '../../../support/images/strictDecoders.ts';

/** Kind, segment and position of what is wrong with a file. */
async function found(file: ReadableFile | Uint8Array): Promise<unknown[] | undefined> {
  const damage = await findDamage(file);
  return damage && [damage.what, damage.chunk, damage.offset];
}

/** What is found in a file of these parts, with the part in which it is found for its position. */
async function foundIn(changes: JpegParts): Promise<unknown[] | undefined> {
  const parts: JpegParts = { ...greyJpegParts(), ...changes };
  const damage = await findDamage(jpegOf(parts));
  const part = Object.keys(parts).findLast((name) => jpegOffset(parts, name) === damage?.offset);
  return damage && [damage.what, damage.chunk, part];
}

async function isTaken(changes: JpegParts): Promise<boolean> {
  return (await foundIn(changes)) === undefined;
}

function fileOf(bytes: Buffer): ReadableFile {
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: bytes.copy(buffer, offset, Math.min(position, bytes.length), position + length),
    }),
  };
}

const { SOF, DC, SOS, pixels, EOI } = greyJpegParts();
const join = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);
const none = Buffer.alloc(0);
const comment = jpegSegment(0xfe, 'a');
const common = [0xc0, 0xc1, 0xc2];
/** Of lossless and hierarchical images, and of those with arithmetic codes. */
const uncommon = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
const progressive = { SOF: jpegFrame(0xc2, 24, 16, [jpegComponent]), SOS: jpegScan([[1, 0]], [0, 0, 0]) };

const ones = (count: number): number[] => Array.from({ length: count }, () => 1);
/** A table of codes, from how many there are of each length. */
const codes = (name: number, counts: Record<number, number>): number[] => {
  const all = Array.from({ length: 16 }, (_, index) => counts[index + 1] ?? 0);
  return [name, ...all, ...ones(all.reduce((sum, count) => sum + count, 0))];
};
const restart = (index: number): Buffer => Buffer.from([0xff, 0xd0 + index, 0x12]);
/** A file with these segments in it, and something behind it. */
const fileWith = (segments: readonly Buffer[], behind: Buffer): Buffer =>
  jpegOf({ ...greyJpegParts(), SOF: join(...segments, SOF), behind });

describe('in a JPEG, findDamage', () => {
  it('finds nothing where nothing is wrong', async () => {
    assert.ok(await sharpTakes(jpegOf(greyJpegParts())));
    assert.equal(await foundIn({}), undefined);
    assert.equal(await foundIn(progressive), undefined);
  });

  it('names the segment that a file breaks off in or behind, wherever that is', async () => {
    const whole = jpegOf({
      ...greyJpegParts(),
      DC: join(jpegSegment(0xdd, [0, 2]), comment, DC),
      pixels: jpegPixels(6, 1, 2),
    });
    assert.equal(await found(whole), undefined);
    // Each with the bytes that make it known: its marker and its length.
    const marks: [name: string, offset: number, length: number][] = [['SOI', 0, 3]];
    for (let at = 2; at < whole.length; at++) {
      const [first, second = 0] = whole.subarray(at);
      const name = new Map([
        [0xdb, 'DQT'],
        [0xc0, 'SOF0'],
        [0xc4, 'DHT'],
        [0xdd, 'DRI'],
        [0xfe, 'COM'],
        [0xda, 'SOS'],
        [0xd0, 'RST0'],
        [0xd1, 'RST1'],
      ]).get(second);
      if (first === 0xff && name !== undefined) {
        marks.push([name, at, name.startsWith('RST') ? 2 : 4]);
      }
    }
    assert.equal(marks.length, 10);
    for (let length = 0; length < whole.length; length++) {
      const last = marks.findLast(([, offset, head]) => offset + head <= length);
      assert.deepEqual(
        await found(whole.subarray(0, length)),
        last ? ['truncated', last[0], last[1]] : ['format', 'file', 0],
        `${length} bytes`,
      );
    }
  });

  it('takes only the precisions that a kind of frame has', async () => {
    for (const marker of [...common, ...uncommon]) {
      for (const precision of [0, 7, 8, 9, 11, 12, 13, 16, 24]) {
        const parts = {
          SOF: jpegFrame(marker, 24, 16, [jpegComponent], precision),
          ...(marker === 0xc2 && { SOS: progressive.SOS }),
        };
        const isKnown = uncommon.includes(marker) || precision === 8 || (precision === 12 && marker !== 0xc0);
        const expected = isKnown ? undefined : ['contents', `SOF${marker & 15}`, 'SOF'];
        assert.deepEqual(await foundIn(parts), expected, `${marker} of ${precision} bits`);
      }
    }
  });

  it('wants sizes and as many components as are announced', async () => {
    const contents = ['contents', 'SOF0', 'SOF'];
    for (const [width, height] of [
      [0, 16],
      [24, 0],
      [0, 0],
    ] as const) {
      assert.deepEqual(await foundIn({ SOF: jpegFrame(0xc0, width, height, [jpegComponent]) }), contents);
    }
    assert.ok(await isTaken({ SOF: jpegFrame(0xc0, 1, 1, [jpegComponent]), pixels: jpegPixels(1, 1) }));
    assert.deepEqual(await foundIn({ SOF: jpegFrame(0xc0, 24, 16, []) }), contents);
    for (const length of [0, 1, 5, 6, 8, 10, 12]) {
      const data = [...SOF.subarray(4), 2, 0x11, 0, 9].slice(0, length);
      assert.deepEqual(await foundIn({ SOF: jpegSegment(0xc0, data) }), contents, `${length} bytes`);
    }
    for (const count of [2, 3, 4, 5]) {
      const components = Array.from({ length: count }, (_, index) => ({ ...jpegComponent, id: index + 1 }));
      assert.ok(await isTaken({ SOF: jpegFrame(0xc0, 24, 16, components) }));
    }
  });

  it('takes components that are one to four times as fine, and one of four quantisations', async () => {
    for (let factors = 0; factors < 256; factors++) {
      const [across, down] = [factors >> 4, factors & 15];
      const isValid = across >= 1 && across <= 4 && down >= 1 && down <= 4;
      // The one that counts is not the first.
      const components = [jpegComponent, { ...jpegComponent, id: 2, across, down }];
      assert.deepEqual(
        await foundIn({ SOF: jpegFrame(0xc0, 24, 16, components) }),
        isValid ? undefined : ['contents', 'SOF0', 'SOF'],
        `${across} by ${down}`,
      );
    }
    for (let quantisation = 0; quantisation < 6; quantisation++) {
      const parts = {
        DQT: jpegQuantisation(quantisation & 3),
        SOF: jpegFrame(0xc0, 24, 16, [{ ...jpegComponent, quantisation }]),
      };
      const expected = quantisation <= 3 ? undefined : ['contents', 'SOF0', 'SOF'];
      assert.deepEqual(await foundIn(parts), expected);
    }
  });

  it('wants the tables that a scan names, and no others', async () => {
    const random = new Random(7);
    const seen = new Set<string>();
    for (let run = 0; run < 200; run++) {
      const marker = random.pick([0xc0, 0xc0, 0xc1, 0xc2, 0xc9]);
      const [quantisation, dc, ac] = [random.below(4), random.below(5), random.below(5)];
      const quantisations = [0, 1, 2, 3].filter(() => random.below(5) > 0);
      const codes = [0, 1, 2, 3, 0x10, 0x11, 0x12, 0x13].filter(() => random.below(5) > 0);
      const [first, last, bits] =
        marker === 0xc2
          ? random.pick([
              [0, 0, 0],
              [0, 0, 0x10],
              [5, 9, 0],
            ])
          : [0, 63, 0];
      const parts = {
        DQT: join(...quantisations.map(jpegQuantisation)),
        SOF: jpegFrame(marker, 24, 16, [{ ...jpegComponent, quantisation }]),
        DC: join(...codes.map(jpegCodes)),
        SOS: jpegScan([[1, (dc << 4) | ac]], [first ?? 0, last ?? 0, bits ?? 0]),
        AC: none,
      };
      const isMissing = (needed: boolean, name: number): boolean => needed && !codes.includes(name);
      const isCommon = marker !== 0xc9;
      const needsDc = marker === 0xc2 ? first === 0 && bits === 0 : isCommon;
      const needsAc = marker === 0xc2 ? first !== 0 : isCommon;
      const expected =
        Math.max(dc, ac) > 3
          ? ['contents', 'SOS', 'SOS']
          : isCommon && !quantisations.includes(quantisation)
            ? ['missing', 'DQT', 'SOS']
            : isMissing(needsDc, dc) || isMissing(needsAc, 0x10 + ac)
              ? ['missing', 'DHT', 'SOS']
              : undefined;
      seen.add(String(expected));
      assert.deepEqual(await foundIn({ ...parts, DC: parts.DC, AC: parts.AC }), expected, `run ${run}`);
    }
    assert.equal(seen.size, 4);
  });

  it('takes the steps of a progressive image that the standard allows', async () => {
    const components = [jpegComponent, { ...jpegComponent, id: 2 }];
    const random = new Random(3);
    const bound = (): number => random.pick([0, 0, 0, 1, 1, 5, 62, 63, 63, 64]);
    let taken = 0;
    for (let run = 0; run < 400; run++) {
      const [first, last, high, low, count] = [
        bound(),
        bound(),
        random.pick([0, 0, 1, 2, 5, 14, 15]),
        random.pick([0, 1, 4, 12, 13, 14, 15]),
        1 + random.below(2),
      ];
      const parts = {
        SOF: jpegFrame(0xc2, 24, 16, components),
        SOS: jpegScan(
          components.slice(0, count).map(({ id }) => [id, 0] as const),
          [first, last, (high << 4) | low],
        ),
      };
      // Either the mean of each block, or a band of the others of one component; one bit more, or the first ones.
      const isBand = first >= 1 && last >= first && last < 64 && count === 1;
      const isValid = ((first === 0 && last === 0) || isBand) && low < 14 && (high === 0 || high - low === 1);
      taken += Number(isValid);
      assert.deepEqual(
        await foundIn(parts),
        isValid ? undefined : ['contents', 'SOS', 'SOS'],
        `${first} to ${last}, ${high} to ${low}, ${count}`,
      );
    }
    assert.ok(taken > 15, `${taken} are valid`);
  });

  it('does not look at the steps where an image has none', async () => {
    for (const marker of [0xc0, 0xc9]) {
      const SOF = jpegFrame(marker, 24, 16, [jpegComponent]);
      assert.ok(await isTaken({ SOF, SOS: jpegScan([[1, 0]], [0, 0, 0]) }));
    }
  });

  it('wants scans of one to four components that there are, with ten blocks in a unit at most', async () => {
    const contents = ['contents', 'SOS', 'SOS'];
    const five = [1, 2, 3, 4, 5].map((id): JpegComponent => ({ id, across: 1, down: 1, quantisation: 0 }));
    const SOF = jpegFrame(0xc0, 24, 16, five);
    for (let count = 0; count <= 5; count++) {
      const scan = jpegScan(five.slice(0, count).map(({ id }) => [id, 0] as const));
      const isValid = count >= 1 && count <= 4;
      assert.deepEqual(await foundIn({ SOF, SOS: scan }), isValid ? undefined : contents, `${count}`);
    }
    for (const length of [0, 1, 3, 5, 7]) {
      const data = [...SOS.subarray(4), 0].slice(0, length);
      assert.deepEqual(await foundIn({ SOS: jpegSegment(0xda, data) }), contents, `${length} bytes`);
    }
    assert.deepEqual(await foundIn({ SOS: jpegScan([[2, 0]]) }), contents);
    assert.deepEqual(
      await foundIn({
        SOF,
        SOS: jpegScan([
          [1, 0],
          [9, 0],
        ]),
      }),
      contents,
    );
    for (const [marker, sizes, isValid] of [
      [
        0xc0,
        [
          [4, 2],
          [1, 2],
        ],
        true,
      ],
      [
        0xc0,
        [
          [4, 2],
          [3, 1],
        ],
        false,
      ],
      [
        0xc0,
        [
          [2, 2],
          [2, 2],
          [1, 1],
          [1, 1],
        ],
        true,
      ],
      [
        0xc0,
        [
          [2, 2],
          [2, 2],
          [2, 1],
          [1, 1],
        ],
        false,
      ],
      [0xc0, [[4, 4]], true],
      [
        0xc9,
        [
          [4, 4],
          [1, 1],
        ],
        true,
      ],
    ] as const) {
      const components = sizes.map(([across, down], index) => ({
        ...jpegComponent,
        id: index,
        across,
        down,
      }));
      const parts = {
        SOF: jpegFrame(marker, 24, 16, components),
        SOS: jpegScan(components.map(({ id }) => [id, 0] as const)),
      };
      assert.deepEqual(await foundIn(parts), isValid ? undefined : contents, JSON.stringify(sizes));
    }
  });

  it('reads any number of tables from a segment, and refuses those that do not fill it', async () => {
    const inserted = async (marker: number, data: number[]): Promise<unknown> =>
      foundIn({ SOF: join(jpegSegment(marker, data), SOF) });
    const several = [0x13, ...ones(128), 1, ...ones(64), 0x02, ...ones(64)];
    for (const data of [[], [0, ...ones(64)], several]) {
      assert.equal(await inserted(0xdb, data), undefined);
    }
    for (const data of [
      several.slice(0, -1),
      [...several, 0],
      [0x10, ...ones(127)],
      [0x20, ...ones(192)],
      [4, ...ones(64)],
    ]) {
      assert.deepEqual(await inserted(0xdb, data), ['contents', 'DQT', 'SOF'], String(data));
    }
    const many = [
      ...codes(0x13, { 2: 1, 3: 3 }),
      ...codes(3, { 15: 1, 16: 255 }),
      ...codes(0x12, { 1: 1, 2: 1, 16: 5 }),
    ];
    for (const data of [[], codes(0, { 1: 1 }), many, codes(0, { 1: 1, 2: 1, 3: 1 })]) {
      assert.equal(await inserted(0xc4, data), undefined, String(data));
    }
    for (const data of [
      many.slice(0, -1),
      [...many, 0],
      [0, 1],
      codes(0x20, { 1: 1 }),
      codes(4, { 1: 1 }),
      codes(0x14, { 1: 1 }),
      codes(0, { 16: 255, 15: 2 }),
      codes(0, { 1: 2, 2: 1 }),
      // No code may be all ones, and decoders refuse a table with one.
      codes(0, { 1: 1, 2: 2 }),
      codes(0, { 1: 1, 8: 129 }),
      codes(0, { 1: 1, 2: 1, 3: 1, 4: 3 }),
    ]) {
      assert.deepEqual(await inserted(0xc4, data), ['contents', 'DHT', 'SOF'], String(data));
    }
    for (const length of [0, 1, 3]) {
      assert.deepEqual(await inserted(0xdd, ones(length)), ['contents', 'DRI', 'SOF']);
    }
    // A table that only the second segment of its kind defines counts, too.
    assert.ok(
      await isTaken({
        SOS: jpegScan([[1, 0x32]]),
        AC: join(
          jpegSegment(0xc4, codes(0x10, { 1: 1 })),
          jpegSegment(0xc4, [...codes(3, { 1: 1 }), ...codes(0x12, { 1: 1 })]),
        ),
      }),
    );
  });

  it('wants the restart markers of all scans, as foreign decoders do', async () => {
    const random = new Random(11);
    let refused = 0;
    for (let run = 0; run < 60; run++) {
      const [width, height] = [1 + random.below(70), 1 + random.below(50)];
      const factors = run % 2 === 0 ? [1, 2, 4] : [1, 2, 3, 4];
      const components = Array.from({ length: random.pick([1, 3]) }, (_, index): JpegComponent => ({
        ...jpegComponent,
        id: index + 1,
        across: index === 0 ? random.pick(factors) : random.pick([1, 1, 2]),
        down: index === 0 ? random.pick([1, 2]) : 1,
      }));
      const [across, down] = [
        Math.max(...components.map((one) => one.across)),
        Math.max(...components.map((one) => one.down)),
      ];
      const isInterleaved =
        random.below(2) === 0 && components.reduce((sum, one) => sum + one.across * one.down, 0) <= 10;
      const scans = isInterleaved ? [components] : components.map((one) => [one]);
      const interval = 1 + random.below(9);
      const drawn = scans.map((scan) => {
        const [only, ...others] = scan;
        const isAlone = only !== undefined && others.length === 0;
        // A component by itself has only the blocks that it needs; otherwise all components fill whole units.
        const step = isAlone ? [(8 * across) / only.across, (8 * down) / only.down] : [8 * across, 8 * down];
        const units = countUpTo(width, step[0] ?? 8) * countUpTo(height, step[1] ?? 8);
        const blocks = isAlone ? 1 : scan.reduce((sum, one) => sum + one.across * one.down, 0);
        return { head: jpegScan(scan.map(({ id }) => [id, 0] as const)), units, blocks };
      });
      const parts: JpegParts = {
        ...greyJpegParts(),
        SOF: join(jpegFrame(0xc0, width, height, components), jpegSegment(0xdd, [0, interval])),
        SOS: none,
        pixels: none,
        EOI: none,
      };
      for (const [index, { head, units, blocks }] of drawn.entries()) {
        parts[`SOS ${index}`] = head;
        parts[`pixels ${index}`] = jpegPixels(units, blocks, interval);
      }
      const ended = (some: JpegParts): Buffer => jpegOf({ ...some, end: EOI });
      assert.equal(
        await found(ended(parts)),
        undefined,
        JSON.stringify({ width, height, components, interval }),
      );
      const isDivisible = components.every((one) => across % one.across === 0 && down % one.down === 0);
      assert.ok(
        !isDivisible || (await sharpTakes(ended(parts))),
        JSON.stringify({ width, height, components, interval }),
      );
      for (const [index, { units, blocks }] of drawn.entries()) {
        const kept = (Math.ceil(units / interval) - 1) * interval;
        if (kept > 0) {
          refused += 1;
          const fewer = { ...parts, [`pixels ${index}`]: jpegPixels(kept, blocks, interval) };
          assert.deepEqual(await found(ended(fewer)), [
            'tooFewPixels',
            'SOS',
            jpegOffset(fewer, `SOS ${index}`),
          ]);
        }
      }
    }
    assert.ok(refused > 60, `${refused} were refused`);
  });

  it('counts no restart markers where the codes are none of its business', async () => {
    const parts = { SOF: join(jpegFrame(0xc9, 24, 16, [jpegComponent]), jpegSegment(0xdd, [0, 1])) };
    assert.ok(await isTaken(parts));
  });

  it('wants restart markers in turn, only among pixels, and anew in each scan', async () => {
    const turns = Array.from({ length: 20 }, (_, index) => restart(index % 8));
    const with2 = (...between: readonly Buffer[]): JpegParts => ({
      pixels: join(pixels, ...turns, comment),
      'SOS 2': SOS,
      'pixels 2': join(pixels, ...between),
      EOI: none,
      end: EOI,
    });
    assert.ok(await isTaken(with2(...turns)));
    assert.deepEqual((await foundIn(with2(restart(4))))?.slice(0, 2), ['order', 'RST4']);
    for (let wrong = 1; wrong < 8; wrong++) {
      const damage = await foundIn({ pixels, more: restart(wrong), EOI: none, end: EOI });
      assert.deepEqual(damage, ['order', `RST${wrong}`, 'more']);
    }
    assert.deepEqual(await foundIn({ SOF: join(restart(0), SOF) }), ['order', 'RST0', 'SOF']);
    assert.deepEqual(
      await foundIn({ pixels: join(pixels, comment), more: restart(0), EOI: none, end: EOI }),
      ['order', 'RST0', 'more'],
    );
  });

  it('wants each part in its place', async () => {
    const SOI = Buffer.from([0xff, 0xd8]);
    assert.deepEqual(await foundIn({ DC: join(SOI, DC) }), ['order', 'SOI', 'DC']);
    assert.deepEqual(await foundIn({ DC: join(SOF, DC) }), ['order', 'SOF0', 'DC']);
    assert.deepEqual(await foundIn({ SOF: none }), ['missing', 'SOF', 'SOS']);
    assert.deepEqual(await foundIn({ SOF: none, SOS: none, pixels: none }), ['missing', 'SOF', 'EOI']);
    assert.deepEqual(await foundIn({ SOS: none, pixels: none }), ['missing', 'SOS', 'EOI']);
    assert.deepEqual(await foundIn({ AC: none }), ['missing', 'DHT', 'SOS']);
    assert.deepEqual(await foundIn({ DC: none }), ['missing', 'DHT', 'SOS']);
    assert.deepEqual(await foundIn({ DQT: none }), ['missing', 'DQT', 'SOS']);
    assert.ok(await isTaken({ DQT: none, SOF: none, DC: join(SOF, jpegQuantisation(0), DC) }));
  });

  it('refuses markers that nobody has given a meaning, and takes those that need no understanding', async () => {
    const understood = new Set([0x01, 0xcc, 0xdc, 0xde, 0xdf, 0xfe, ...range(0xe0, 0xef)]);
    for (const marker of [...range(0x01, 0xbf), 0xc8, 0xcc, 0xdc, 0xde, 0xdf, ...range(0xe0, 0xfe)]) {
      const segment = marker === 0x01 ? Buffer.from([0xff, 1]) : jpegSegment(marker, 'ab');
      const hex = marker.toString(16).padStart(2, '0').toUpperCase();
      assert.deepEqual(
        await foundIn({ SOF: join(segment, SOF) }),
        understood.has(marker) ? undefined : ['unknown', marker === 0xc8 ? 'JPG' : `FF${hex}`, 'SOF'],
        hex,
      );
    }
  });

  it('refuses a length that has no room for itself', async () => {
    for (const [low, isValid] of [
      [0, false],
      [1, false],
      [2, true],
    ] as const) {
      const segment = Buffer.from([0xff, 0xe3, 0, low]);
      const expected = isValid ? undefined : ['contents', 'APP3', 'SOF'];
      assert.deepEqual(await foundIn({ SOF: join(segment, SOF) }), expected);
    }
  });

  it('tells what stands between segments, and breaks off where nothing does', async () => {
    const parts = greyJpegParts();
    const at = jpegOffset(parts, 'SOF');
    const whole = jpegOf(parts);
    assert.deepEqual(await found(join(whole.subarray(0, at), Buffer.from('junk'))), ['unknown', 'ju', at]);
    assert.deepEqual(await found(join(whole.subarray(0, at), Buffer.from('j'))), ['truncated', 'DQT', 2]);
    assert.deepEqual(await found(join(whole.subarray(0, at), Buffer.from([0xff, 0xff]))), [
      'truncated',
      'DQT',
      2,
    ]);
    assert.deepEqual(await foundIn({ SOF: join(Buffer.from('junk'), SOF) }), ['unknown', 'ju', 'SOF']);
    // Behind a file without its end come the pixels.
    assert.deepEqual(await found(join(whole.subarray(0, -2), Buffer.from('junk'))), [
      'truncated',
      'SOS',
      jpegOffset(parts, 'SOS'),
    ]);
  });

  it('finds that a scan has nothing but filling, however long it is', async () => {
    for (const length of [0, 1, 2, 200_000]) {
      const parts: JpegParts = { ...greyJpegParts(), pixels: Buffer.alloc(length, 0xff) };
      const expected = ['tooFewPixels', 'SOS', jpegOffset(parts, 'SOS')];
      assert.deepEqual(await found(jpegOf(parts)), expected);
      assert.deepEqual(await found(fileOf(jpegOf(parts))), expected);
      for (const pixels of [
        join(Buffer.from([1]), parts['pixels'] ?? none),
        join(Buffer.alloc(length, 0xff), Buffer.from([0, 1])),
      ]) {
        assert.equal(await found(fileOf(jpegOf({ ...parts, pixels }))), undefined);
      }
    }
  });

  it('takes what follows the image', async () => {
    for (const length of [1, 65_533, 150_000]) {
      const file = fileWith([], Buffer.alloc(length, 7));
      assert.equal(await found(file), undefined);
      assert.equal(await found(fileOf(file)), undefined);
    }
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** How many steps it takes to get to the end. */
function countUpTo(end: number, step: number): number {
  let count = 0;
  for (let at = 0; at < end; at += step) {
    count += 1;
  }
  return count;
}
