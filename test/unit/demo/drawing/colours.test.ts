import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hsl, mix, namedColours } from '../../../../src/demo/drawing/colour.ts';
import { fractal, valueNoise } from '../../../../src/demo/drawing/noise.ts';
import { choosePalette } from '../../../../src/demo/drawing/palette.ts';
import { hashInteger, hashText, seededRandom } from '../../../../src/demo/random.ts';

describe('a colour', () => {
  it('is of its hue, saturation and lightness as in CSS', () => {
    for (const [hue, saturation, lightness, expected] of [
      [0, 1, 0.5, [255, 0, 0]],
      [60, 1, 0.5, [255, 255, 0]],
      [120, 1, 0.5, [0, 255, 0]],
      [240, 1, 0.5, [0, 0, 255]],
      [600, 1, 0.5, [0, 0, 255]],
      [-120, 1, 0.5, [0, 0, 255]],
      [210, 0.5, 0.25, [32, 64, 96]],
      [30, 0.4, 0.8, [224, 204, 184]],
      [300, 0, 0.4, [102, 102, 102]],
    ] as const) {
      const found = hsl(hue, saturation, lightness).map(Math.round);
      assert.deepEqual(found, expected, `${hue} ${saturation} ${lightness}`);
    }
  });

  it('is mixed of two, channel by channel', () => {
    assert.deepEqual(mix([10, 20, 30], [20, 40, 90], 0), [10, 20, 30]);
    assert.deepEqual(mix([10, 20, 30], [20, 40, 90], 0.5), [15, 30, 60]);
    assert.deepEqual(mix([10, 20, 30], [20, 40, 90], 1), [20, 40, 90]);
  });

  it('is near the one that CSS or a painter calls so', () => {
    const hues: Record<string, number> = {
      red: 0,
      crimson: 348,
      scarlet: 8,
      ruby: 345,
      coral: 16,
      rust: 18,
      orange: 30,
      amber: 45,
      copper: 29,
      gold: 51,
      golden: 43,
      yellow: 55,
      brown: 25,
      olive: 60,
      lime: 90,
      green: 120,
      emerald: 140,
      mint: 150,
      teal: 180,
      turquoise: 174,
      cyan: 180,
      aqua: 180,
      blue: 225,
      azure: 210,
      navy: 235,
      indigo: 255,
      violet: 275,
      purple: 285,
      lavender: 250,
      magenta: 305,
      pink: 340,
      rose: 340,
    };
    const greys = ['grey', 'gray', 'silver', 'white', 'black'];
    for (const [word, hue] of Object.entries(hues)) {
      const [found] = namedColours([word]);
      assert.ok(found && apart(found.hue, hue) <= 22, word);
      assert.ok(found.saturation >= 0.4 && found.saturation <= 1, word);
      assert.ok(found.hue >= 0 && found.hue < 360, word);
    }
    for (const word of greys) {
      const [found] = namedColours([word]);
      assert.ok(found && found.saturation < 0.2 && found.hue >= 0 && found.hue < 360, word);
    }
    const named = namedColours(['a', 'blue', 'cat', 'red']);
    assert.deepEqual(named, [...namedColours(['blue']), ...namedColours(['red'])]);
  });
});

describe('the palette of a prompt', () => {
  const hours = {
    night: 'night midnight moon moonlight star stars starry dark aurora',
    sunset: 'sunset sunrise dusk dawn evening twilight golden warm autumn',
    day: 'day noon morning summer spring bright winter snow snowy',
  };

  it('has the light of the hour that is named, whatever the chance', () => {
    for (const [hour, words] of Object.entries(hours)) {
      for (const word of words.split(' ')) {
        for (let seed = 0; seed < 5; seed++) {
          const palette = choosePalette(['a', word, 'fox'], seededRandom(seed));
          assert.equal(palette.hour, hour, word);
        }
      }
    }
    const drawn = Array.from({ length: 60 }, (_, seed) => choosePalette(['fox'], seededRandom(seed)).hour);
    assert.equal(new Set(drawn).size, 3);
  });

  it('is darkest at night, brightest by day, lighter towards the horizon, and darker nearby than far away', () => {
    for (const colour of ['fox', 'blue', 'red', 'green', 'grey']) {
      for (let seed = 0; seed < 8; seed++) {
        const [night, sunset, day] = ['night', 'sunset', 'day'].map((hour) => {
          const palette = choosePalette([colour, hour], seededRandom(seed));
          const { sky, far, near, accents, light } = palette;
          for (const shown of [...sky, far, near, ...accents, light]) {
            assert.ok(
              shown.every((value) => value >= 0 && value <= 255),
              `${colour} ${hour} ${shown.join()}`,
            );
          }
          assert.ok(brightness(sky[0]) < brightness(sky[1]) && brightness(sky[1]) < brightness(sky[2]));
          assert.ok(brightness(near) < brightness(far) && brightness(light) > 200);
          return brightness(sky[1]);
        });
        assert.ok((night ?? 0) < (sunset ?? 0) && (sunset ?? 0) < (day ?? 0));
      }
    }
  });

  it('has a blue sky by day, a red and golden one at sunset, and is bluish at night', () => {
    // The sky from above, the light, the land far away and nearby, which no colour tints.
    for (const [hour, hues] of [
      ['day', [212, 209, 55, 48, 206, 170]],
      ['sunset', [240, 348, 34, 43, 334, 268]],
      ['night', [231, 227, 226, 228, 227, 225]],
    ] as const) {
      const { sky, light, far, near } = choosePalette(['grey', hour], seededRandom(1));
      for (const [index, colour] of [...sky, light, far, near].entries()) {
        const hue = hueOf(colour);
        assert.ok(apart(hue, hues[index] ?? 0) < 9, `${hour} ${index}: ${hue}`);
      }
    }
  });

  it('is tinted by a colour that is named, and much less by chance', () => {
    for (const hour of ['day', 'sunset', 'night']) {
      const skyOf = (words: string[], seed: number): readonly number[] =>
        choosePalette([hour, ...words], seededRandom(seed)).sky[1];
      const named = furthest(['red', 'green', 'blue'].map((word) => skyOf([word], 1)));
      const drawn = furthest([1, 2, 3, 4, 5, 6].map((seed) => skyOf([], seed)));
      assert.ok(named > 25 && drawn < 40 && named > 1.3 * drawn, `${hour} ${named} ${drawn}`);
    }
  });

  it('has a third accent that is stronger than its colour, but not glaring', () => {
    for (const [word, least, most] of [
      ['grey', 0.15, 0.4],
      ['orange', 0.75, 0.85],
      ['brown', 0.5, 0.7],
    ] as const) {
      const [, , third] = choosePalette(['green', 'blue', word], seededRandom(1)).accents;
      const [low, high] = [Math.min(...third) / 255, Math.max(...third) / 255];
      const saturation = (high - low) / (1 - Math.abs(high + low - 1));
      assert.ok(saturation > least && saturation < most, `${word} ${saturation}`);
    }
  });

  it('has the colours that are named as its accents, in order, and one more from them', () => {
    for (let seed = 0; seed < 8; seed++) {
      const { accents } = choosePalette(['green', 'orange', 'purple'], seededRandom(seed));
      for (const [index, hue] of [130, 28, 280].entries()) {
        const accent = accents[index];
        assert.ok(accent && apart(hueOf(accent), hue) < 12);
      }
      const [first, second, third] = choosePalette(['green'], seededRandom(seed)).accents.map(hueOf);
      assert.ok(apart(first ?? 0, 130) < 12);
      assert.ok(apart(second ?? 0, first ?? 0) > 20);
      assert.ok(apart(third ?? 0, first ?? 0) > 145);
    }
  });
});

describe('noise', () => {
  it('is smooth, from 0 to 1, about the middle, and another for each seed', () => {
    const step = 0.01;
    for (const [name, noise, steepest] of [
      ['plain', valueNoise(7), 0.02],
      ['fractal', fractal(valueNoise(7), 4), 0.04],
    ] as const) {
      let sum = 0;
      const values = new Set<number>();
      for (let at = 0; at < 2000; at++) {
        const [x, y] = [at * 0.37 - 300, at * 0.61 - 500];
        const value = noise(x, y);
        assert.ok(value >= 0 && value < 1, name);
        assert.ok(Math.abs(noise(x + step, y) - value) < steepest, name);
        assert.ok(Math.abs(noise(x, y + step) - value) < steepest, name);
        sum += value;
        values.add(value);
      }
      assert.ok(Math.abs(sum / 2000 - 0.5) < 0.05, `${name} ${sum / 2000}`);
      assert.ok(values.size > 1900, name);
    }
    assert.notEqual(valueNoise(1)(0.5, 0.5), valueNoise(2)(0.5, 0.5));
    assert.equal(valueNoise(1)(0.5, 3.25), valueNoise(1)(256.5, 259.25));
  });

  it('has another value at each place of its lattice', () => {
    for (const seed of [1, 2, 3]) {
      const noise = valueNoise(seed);
      const values = Array.from({ length: 64 }, (_, at) => noise(at % 8, Math.floor(at / 8)));
      assert.equal(new Set(values).size, 64);
      assert.ok(!values.includes(0));
    }
  });

  it('adds up noise that is half as strong and twice as fine each time', () => {
    const plain = valueNoise(5);
    assert.equal(fractal(plain, 1)(3.3, 7.1), plain(3.3, 7.1));
    // Of a slope, each octave adds the same, and all that they weigh is 1 + 1/2 + 1/4.
    const slope = fractal((x) => x, 3);
    assert.ok(Math.abs(slope(8, 0) - slope(1, 0) - (7 * 3) / 1.75) < 1e-9);
    const down = fractal((_, y) => y, 3);
    assert.ok(Math.abs(down(0, 8) - down(0, 1) - (7 * 3) / 1.75) < 1e-9);
  });

  it('is finer with more octaves', () => {
    assert.ok(rough(1) < rough(2) && rough(2) < rough(5));
  });
});

describe('chance', () => {
  it('changes about half of its bits with any bit of a number', () => {
    for (let bit = 0; bit < 32; bit++) {
      const flips = Array.from({ length: 32 }, () => 0);
      for (let at = 0; at < 200; at++) {
        const value = Math.imul(at + 1, 0x2545f491);
        const changed = hashInteger(value) ^ hashInteger(value ^ (1 << bit));
        flips.forEach((count, other) => (flips[other] = count + ((changed >>> other) & 1)));
      }
      assert.ok(
        flips.every((count) => count > 60 && count < 140),
        `bit ${bit}: ${flips.join()}`,
      );
    }
  });

  it('takes a text by its FNV-1a hash', () => {
    // Known values of that.
    for (const [text, hash] of [
      ['', 0x811c9dc5],
      ['a', 0xe40c292c],
      ['foobar', 0xbf9cf968],
    ] as const) {
      assert.equal(hashText(text), hashInteger(hash), text);
    }
  });

  it('is repeated by its seed, and takes every choice about as often', () => {
    assert.deepEqual(draw(5), draw(5));
    assert.notDeepEqual(draw(5), draw(6));
    assert.notDeepEqual(draw(4), draw(5));
    const random = seededRandom(11);
    const counts = new Map<string, number>();
    const count = (kind: string): unknown => counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (let turn = 0; turn < 6000; turn++) {
      count(`integer ${random.integer(3, 5)}`);
      count(`pick ${random.pick(['a', 'b', 'c'])}`);
      count(`third ${Math.floor(random.between(-1, 2))}`);
      if (random.chance(1 / 3)) {
        count('chance');
      }
    }
    const drawn = ['integer 3', 'integer 4', 'integer 5', 'pick a', 'pick b', 'pick c'];
    drawn.push('third -1', 'third 0', 'third 1', 'chance');
    assert.deepEqual([...counts.keys()].toSorted(), drawn.toSorted());
    assert.ok([...counts.values()].every((times) => times > 1850 && times < 2150));
  });
});

function brightness([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return (red + green + blue) / 3;
}

function hueOf([red, green, blue]: readonly [number, number, number]): number {
  return (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
}

/** Returns how far a channel of any of these colours is from that of the first. */
function furthest(colours: readonly (readonly number[])[]): number {
  const [first = []] = colours;
  return Math.max(
    ...colours.flatMap((colour) => colour.map((value, at) => Math.abs(value - (first[at] ?? 0)))),
  );
}

/** Returns how many degrees two hues are apart. */
function apart(one: number, other: number): number {
  return Math.abs(((one - other + 540) % 360) - 180);
}

/** Returns how much noise of so many octaves changes along a line. */
function rough(octaves: number): number {
  const noise = fractal(valueNoise(3), octaves);
  return Array.from({ length: 400 }, (_, at) =>
    Math.abs(noise(at * 0.21 + 0.1, 5.3) - noise(at * 0.21, 5.3)),
  ).reduce((sum, change) => sum + change, 0);
}

function draw(seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: 5 }, () => random.next());
}
