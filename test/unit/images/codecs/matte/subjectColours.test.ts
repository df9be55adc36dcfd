import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyAxes } from '../../../../../src/images/codecs/matte/keyAxes.ts';
import { removeKey } from '../../../../../src/images/codecs/matte/matte.ts';
import { SubjectColours } from '../../../../../src/images/codecs/matte/subjectColours.ts';
import { Layer } from '../../../../support/images/cutouts/layer.ts';
import { disc, polygon } from '../../../../support/images/cutouts/shapes.ts';
import { paint } from '../../../../support/images/pictures.ts';

const green = [0, 255, 0] as const;
const axes = new KeyAxes(green);

/** Gathers a subject whose opaque distance is known at each pixel, with an edge of nearer ones. */
function gathered(
  [width, height]: readonly [number, number],
  distanceAt: (x: number, y: number) => number | undefined,
  direction = 100,
): SubjectColours {
  const colours = new SubjectColours(axes, { width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const distance = distanceAt(x, y);
      if (distance !== undefined) {
        colours.add(x, y, direction, distance);
      }
    }
  }
  colours.conclude();
  return colours;
}

function opaqueAt(colours: SubjectColours, x: number, y: number, direction = 100): number {
  colours.startRow(y);
  return colours.opaque(x, direction);
}

const near = (one: number, other: number, slack: number): boolean => Math.abs(one - other) <= slack;

const mixedAt = (haze: number, far: number) => (x: number, y: number) => {
  const index = (x + 7 * y) % 100;
  return index < haze ? 0.3 : index < haze + far ? 1.5 : 0.75;
};

describe('the colours of a subject', () => {
  it('are opaque where they are farthest from the key, but for a few stray ones', () => {
    for (const distance of [1, 1.25, 1.6]) {
      const colours = gathered([130, 97], (x, y) =>
        // An edge that fades, and stray pixels beyond.
        (3 * x + 7 * y) % 67 === 0 ? 1.9 : y % 10 === 0 ? 0.2 + (x % 8) / 10 : distance,
      );
      for (const [x, y] of [
        [0, 0],
        [129, 0],
        [64, 50],
        [0, 96],
        [129, 96],
      ] as const) {
        assert.ok(
          near(opaqueAt(colours, x, y), distance, 0.09),
          `${opaqueAt(colours, x, y)}, not ${distance}`,
        );
      }
    }
  });

  it('may differ from one part of the image to another, between which they go over', () => {
    for (const isAcross of [true, false]) {
      const [width, height] = [240, 180];
      const along = (x: number, y: number): number => (isAcross ? x / width : y / height);
      const colours = gathered([width, height], (x, y) => (along(x, y) < 0.5 ? 1.1 : 1.7));
      const at = (share: number): number =>
        isAcross
          ? opaqueAt(colours, Math.floor(share * width), 90)
          : opaqueAt(colours, 120, Math.floor(share * height));
      assert.ok(near(at(0.05), 1.1, 0.06) && near(at(0.3), 1.1, 0.06), `${at(0.05)}, ${at(0.3)}`);
      assert.ok(near(at(0.7), 1.7, 0.06) && near(at(0.95), 1.7, 0.06), `${at(0.7)}, ${at(0.95)}`);
      for (let share = 0; share < 0.97; share += 0.02) {
        // Nothing jumps, by which an edge would be seen.
        assert.ok(at(share + 0.02) >= at(share) - 1e-6);
        assert.ok(at(share + 0.02) - at(share) < 0.2, `${share}`);
      }
    }
  });

  it('are those of the parts around where there are few', () => {
    const [width, height] = [120, 120];
    // In one part of twelve, and none else.
    for (const [left, top] of [
      [50, 60],
      [0, 0],
      [110, 110],
    ] as const) {
      const colours = gathered([width, height], (x, y) =>
        x >= left && x < left + 10 && y >= top && y < top + 10 ? 1.5 : undefined,
      );
      for (const [dx, dy] of [
        [0, 0],
        [10, 0],
        [-10, 0],
        [0, 10],
        [0, -10],
        [10, 10],
        [-10, -10],
      ] as const) {
        const [x, y] = [left + 5 + dx, top + 5 + dy];
        if (x >= 0 && y >= 0 && x < width && y < height) {
          assert.ok(
            near(opaqueAt(colours, x, y), 1.5, 0.05),
            `${opaqueAt(colours, x, y)} beside ${left}, ${top}`,
          );
        }
      }
      // Far away, a colour is opaque where a grey is.
      const [farX, farY] = [left < 60 ? 105 : 15, top < 60 ? 105 : 15];
      assert.ok(near(opaqueAt(colours, farX, farY), 1, 1e-6));
    }
    const stray = gathered([width, height], (x, y) => (x === 50 && y < 5 ? 1.5 : undefined));
    assert.equal(opaqueAt(stray, 50, 2), 1);
  });

  it('are those of the directions beside one of which nothing is known', () => {
    const colours = gathered([60, 50], () => 1.5, 7 * 16 + 4);
    for (const [row, column, isKnown] of [
      [7, 4, true],
      [6, 4, true],
      [8, 5, true],
      [6, 3, true],
      [7, 6, false],
      [9, 4, false],
      [4, 7, false],
    ] as const) {
      const found = opaqueAt(colours, 30, 25, row * 16 + column);
      assert.ok(near(found, isKnown ? 1.5 : 1, 0.05), `${found} at ${row}, ${column}`);
    }
    const atEdge = gathered([60, 50], () => 1.5, 3 * 16 + 15);
    assert.equal(opaqueAt(atEdge, 30, 25, 4 * 16), 1);
    assert.ok(near(opaqueAt(atEdge, 30, 25, 4 * 16 + 15), 1.5, 0.05));
    const both = new SubjectColours(axes, { width: 60, height: 50 });
    for (let pixel = 0; pixel < 3000; pixel++) {
      both.add(pixel % 60, Math.floor(pixel / 60), 100, 1.2);
      both.add(pixel % 60, Math.floor(pixel / 60), 102, 1.6);
    }
    both.conclude();
    assert.ok(near(opaqueAt(both, 30, 25, 101), 1.4, 0.05));
  });

  it('are opaque nearer to the key only where all of them are there, and none is a haze of it', () => {
    for (const [haze, far, isNear] of [
      [0, 0, true],
      [8, 0, true],
      [0, 8, true],
      [30, 0, false],
      [0, 30, false],
      [10, 10, false],
    ] as const) {
      const colours = gathered([90, 70], mixedAt(haze, far));
      assert.ok(
        isNear ? colours.solid(100) < 0.6 : near(colours.solid(100), axes.solid, 1e-6),
        `${haze}, ${far}`,
      );
      if (isNear && far === 0) {
        assert.ok(near(opaqueAt(colours, 45, 35), 0.75, 0.05));
      }
    }
    const few = gathered([90, 70], (x, y) => (y === 0 && x < 5 ? 0.75 : undefined));
    assert.ok(near(few.solid(100), axes.solid, 1e-6));
    // What is known to be glass is opaque where a grey is.
    assert.equal(opaqueAt(gathered([90, 70], mixedAt(50, 0)), 45, 35), 1);
    // An edge is no haze.
    const edged = gathered([90, 70], (x) => (x % 3 === 0 ? 0.05 : 0.75));
    assert.ok(edged.solid(100) < 0.6);
  });

  it('are the subject’s as soon as they differ from a grey key', () => {
    const grey = new KeyAxes([240, 240, 240]);
    const colours = new SubjectColours(grey, { width: 40, height: 30 });
    for (let pixel = 0; pixel < 1200; pixel++) {
      colours.add(pixel % 40, Math.floor(pixel / 40), 100, pixel % 2 === 0 ? 0.06 : 0.4);
    }
    colours.conclude();
    assert.ok(near(colours.solid(100), grey.solid, 1e-6));
    assert.ok(opaqueAt(colours, 20, 15) > 0.3);
    assert.ok(near(opaqueAt(colours, 20, 15, 200), grey.solid, 1e-6));
  });

  it('are those of the outermost parts at the sides', () => {
    for (const isAcross of [true, false]) {
      const [width, height] = [120, 144];
      const colours = gathered([width, height], (x, y) => {
        const along = isAcross ? (x + 0.5) / width : (y + 0.5) / height;
        return 1 + 1.6 * Math.min(along, 1 - along);
      });
      for (const place of [0, 2, (isAcross ? width : height) - 1]) {
        const found = isAcross ? opaqueAt(colours, place, 70) : opaqueAt(colours, 60, place);
        // Of the outermost part and the one beside it, a twelfth wide each.
        assert.ok(found > 1.16 && found < 1.32, `${found} at ${place}`);
      }
    }
  });

  it('are known in every direction, also in the first and the last one, and however far they are', () => {
    for (const direction of [0, 128, 255]) {
      const colours = gathered([40, 30], () => 1.5, direction);
      assert.ok(near(opaqueAt(colours, 20, 15, direction), 1.5, 0.05), String(direction));
      assert.ok(near(colours.solid(direction), axes.solid, 1e-6));
      assert.ok(gathered([40, 30], () => 0.75, direction).solid(direction) < 0.6);
      for (const distance of [1.99, 2.1, 2.6]) {
        const far = gathered([40, 30], () => distance, direction);
        assert.ok(near(opaqueAt(far, 20, 15, direction), 2, 0.06), `${direction}, ${distance}`);
      }
    }
  });

  it('are as far as they are on average', () => {
    let sum = 0;
    for (let turn = 0; turn < 20; turn++) {
      const distance = 1.01 + 0.0411 * turn;
      const off = opaqueAt(
        gathered([24, 24], () => distance),
        12,
        12,
      );
      sum += off - distance;
      assert.ok(near(off, distance, 0.02), `${off}, not ${distance}`);
    }
    assert.ok(near(sum / 20, 0, 0.005), String(sum / 20));
  });

  it('are not those of a single stray pixel, however few there are', () => {
    for (const stray of [1, 2]) {
      const colours = new SubjectColours(axes, { width: 36, height: 36 });
      for (let index = 0; index < 12; index++) {
        colours.add(16 + (index % 3), 16 + Math.floor(index / 3), 100, index < stray ? 1.9 : 1.2);
      }
      colours.conclude();
      assert.ok(near(opaqueAt(colours, 17, 17), stray === 1 ? 1.26 : 1.9, 0.08), String(stray));
    }
  });

  it('are found in large images as in small ones', () => {
    const colours = new SubjectColours(axes, { width: 300, height: 2000 });
    for (let y = 0; y < 2000; y += 5) {
      for (let x = 0; x < 300; x += 5) {
        colours.add(x, y, 100, 1 + y / 4000);
      }
    }
    colours.conclude();
    for (let y = 0; y < 2000; y++) {
      colours.startRow(y);
      const off = Math.abs(colours.opaque(150, 100) - 1 - y / 4000);
      assert.ok(off < 0.12, `${off} off at ${y}`);
    }
  });
});

const keys = [
  [5, 245, 12],
  [250, 10, 240],
  [12, 20, 245],
  [245, 8, 14],
  [10, 240, 245],
  [245, 240, 8],
] as const;

describe('a key colour of any hue', () => {
  for (const key of keys) {
    const name = key.join(', ');
    it(`is removed from smoke, glass and hair of grey exactly: ${name}`, () => {
      const layer = new Layer(170, 121);
      layer.cover({ left: 12, top: 12, right: 158, bottom: 50 }, [120, 120, 120], (x) => (x - 12) / 146);
      layer.cover({ left: 12, top: 60, right: 60, bottom: 110 }, [0, 0, 0], (_, y) => (y - 60) / 50);
      disc(layer, [110, 85], 24, [255, 255, 255], { softness: 8 });
      const picture = layer.on(() => key);
      const outcome = removeKey(picture);
      assert.ok(outcome.removed && !outcome.isGrey);
      assert.ok(outcome.key.every((level, at) => Math.abs(level - (key[at] ?? 0)) < 1));
      const perfect = layer.cutOut();
      for (let at = 0; at < perfect.rgba.length; at += 4) {
        const [alpha, wanted] = [picture.rgba[at + 3] ?? 0, perfect.rgba[at + 3] ?? 0];
        assert.ok(
          Math.abs(alpha - wanted) <= (wanted < 12 || wanted > 235 ? 20 : 5),
          `${alpha}, not ${wanted}`,
        );
        for (let channel = 0; channel < 3; channel++) {
          const level = picture.rgba[at + channel] ?? 0;
          const off = Math.abs(level - (perfect.rgba[at + channel] ?? 0));
          assert.ok(wanted < 70 || off <= 12, `${off} off at alpha ${wanted}`);
        }
        assert.ok(wanted > 0 || picture.rgba.subarray(at, at + 4).every((level) => level === 0));
      }
    });

    it(`is removed around a subject of other colours: ${name}`, () => {
      const [red, green, blue] = key;
      const other = [255 - red, 255 - green, 255 - blue] as const;
      const layer = new Layer(140, 101);
      disc(layer, [45, 50], 28, other, { softness: 3 });
      polygon(
        layer,
        [
          [80, 20],
          [130, 30],
          [100, 85],
        ],
        [(other[0] + 128) / 2, (other[1] + 128) / 2, (other[2] + 128) / 2],
      );
      const picture = layer.on((x, y) => [red * (0.93 + x / 2800), green * (0.93 + y / 2000), blue * 0.95]);
      const outcome = removeKey(picture);
      assert.ok(outcome.removed);
      assert.ok(outcome.uncertain < 0.02);
      const perfect = layer.cutOut();
      let sum = 0;
      for (let at = 0; at < perfect.rgba.length; at += 4) {
        const [alpha, wanted] = [picture.rgba[at + 3] ?? 0, perfect.rgba[at + 3] ?? 0];
        sum += Math.abs(alpha - wanted);
        assert.ok(Math.abs(alpha - wanted) < 90, `${alpha}, not ${wanted}`);
        assert.ok(wanted < 255 || alpha === 255);
      }
      assert.ok(sum / layer.alpha.length < 0.6, String(sum / layer.alpha.length));
    });
  }

  it('leaves shares of the border and of the subject that are true', () => {
    const layer = new Layer(200, 100);
    // Of these, one may be glass of another colour.
    polygon(
      layer,
      [
        [-5, 20],
        [60, 20],
        [60, 80],
        [-5, 80],
      ],
      [250, 30, 40],
    );
    polygon(
      layer,
      [
        [100, 20],
        [140, 20],
        [140, 80],
        [100, 80],
      ],
      [60, 160, 70],
    );
    const outcome = removeKey(layer.on(() => green));
    assert.ok(outcome.removed);
    assert.ok(near(outcome.ground, 1 - 60 / 600, 0.02), String(outcome.ground));
    assert.ok(near(outcome.uncertain, 0.4, 0.03), String(outcome.uncertain));
  });

  it('has no hue where it is grey, which is told, and everything else is kept', () => {
    for (const level of [20, 128, 245]) {
      const layer = new Layer(120, 91);
      disc(layer, [60, 45], 28, [210, 60, 90]);
      disc(layer, [60, 45], 12, [(level + 128) % 256, (level + 128) % 256, (level + 128) % 256]);
      const picture = layer.on(() => [level, level, level]);
      const outcome = removeKey(picture);
      assert.ok(outcome.removed && outcome.isGrey);
      assert.ok(outcome.uncertain < 0.02);
      for (let pixel = 0; pixel < layer.alpha.length; pixel++) {
        const [alpha, wanted] = [picture.rgba[pixel * 4 + 3] ?? 0, layer.alpha[pixel] ?? 0];
        assert.ok(wanted > 0 || alpha === 0);
        assert.ok(wanted < 1 || alpha === 255);
      }
    }
  });

  it('leaves nothing of a noisy ground, and fades in from it', () => {
    let seed = 1;
    const noise = (): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return (seed % 9) - 4;
    };
    const layer = new Layer(160, 111);
    disc(layer, [80, 55], 30, [220, 210, 230], { softness: 20 });
    const picture = layer.on(() => [20 + noise(), 220 + noise(), 30 + noise()]);
    assert.ok(removeKey(picture).removed);
    for (let pixel = 0; pixel < layer.alpha.length; pixel++) {
      const [alpha, wanted] = [(picture.rgba[pixel * 4 + 3] ?? 0) / 255, layer.alpha[pixel] ?? 0];
      assert.ok(wanted > 0 || alpha === 0);
      assert.ok(Math.abs(alpha - wanted) < 0.12, `${alpha}, not ${wanted}`);
    }
  });

  it('is gone from what is opaque and tinged by it', () => {
    const picture = paint(150, 90, (x, y) =>
      Math.hypot(x - 75, y - 45) < 30 ? [200, 208, 200, 255] : [0, 255, 0, 255],
    );
    assert.ok(removeKey(picture).removed);
    const at = (45 * 150 + 75) * 4;
    const [red = 0, level = 0, blue = 0, alpha = 0] = picture.rgba.subarray(at, at + 4);
    assert.equal(alpha, 255);
    assert.ok(level <= Math.max(red, blue) + 2, `${red}, ${level}, ${blue}`);
  });
});
