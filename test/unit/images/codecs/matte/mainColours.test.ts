import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mainColours } from '../../../../../src/images/codecs/matte/matte.ts';
import { paint } from '../../../../support/images/pictures.ts';
import { Random } from '../../../../support/random.ts';

describe('the main colours of an image', () => {
  it('are those that most of it has, with their shares, however large it is', () => {
    for (const [width, height] of [
      [40, 10],
      [800, 300],
    ] as const) {
      const image = paint(width, height, (x, y) =>
        x < 0.5 * width
          ? [10 + (y % 5), 200, 90, 255]
          : x < 0.8 * width
            ? [240, 16, 16, 200]
            : x < 0.9 * width
              ? [20, 20, 250, 128]
              : [255, 255, 255, 127],
      );
      const found = mainColours(image).map(({ colour, share }) => colour.map(Math.round).concat(share));
      const near = (at: number, colour: readonly number[], share: number): void => {
        const one = found[at] ?? [];
        assert.deepEqual(one.slice(0, 3), colour);
        assert.ok(Math.abs((one[3] ?? 0) - share) < 0.01, `${one[3]}, not ${share}`);
      };
      assert.equal(found.length, 3);
      near(0, [12, 200, 90], 5 / 9);
      near(1, [240, 16, 16], 3 / 9);
      near(2, [20, 20, 250], 1 / 9);
    }
  });

  it('are told apart in each channel, and no more than twelve', () => {
    const levels = [16, 48, 80, 112, 144, 176, 208, 240];
    for (const channel of [0, 1, 2]) {
      const image = paint(40, 3, (x) => {
        const colour: [number, number, number, number] = [100, 100, 100, 255];
        colour[channel] = levels[x % 8] ?? 0;
        return colour;
      });
      const found = mainColours(image).map(({ colour }) => colour[channel]);
      assert.deepEqual(
        found.toSorted((one = 0, other = 0) => one - other),
        levels,
      );
    }
    const mottled = paint(9, 7, (x, y) => [100 + (x % 3), 40 + (y % 3), 200 + ((x + y) % 3), 255]);
    const [one, ...others] = mainColours(mottled);
    assert.deepEqual(one?.colour.map(Math.round), [101, 41, 201]);
    assert.equal(one?.share, 1);
    assert.deepEqual(others, []);
    const many = paint(64, 9, (x, y) => [levels[x % 8] ?? 0, levels[x >> 3] ?? 0, y < 3 ? 30 : 60, 255]);
    assert.equal(mainColours(many).length, 12);
  });

  it('have exactly the shares of what is not transparent, in images of any shape', () => {
    const random = new Random(6);
    for (let turn = 0; turn < 20; turn++) {
      const [width, height] = [1 + random.below(31), 1 + random.below(23)];
      const palette = Array.from({ length: 2 + random.below(9) }, () =>
        Array.from({ length: 3 }, () => random.below(8) * 32 + 16),
      );
      const counts = new Map<string, number>();
      let total = 0;
      const image = paint(width, height, () => {
        // The first ones are the most frequent.
        const [red = 0, green = 0, blue = 0] = palette[random.below(1 + random.below(palette.length))] ?? [];
        const alpha = random.pick([255, 255, 128, 127, 0]);
        if (alpha >= 128) {
          total++;
          counts.set(`${red},${green},${blue}`, (counts.get(`${red},${green},${blue}`) ?? 0) + 1);
        }
        return [red, green, blue, alpha];
      });
      const found = mainColours(image);
      assert.deepEqual(
        new Map(found.map(({ colour, share }) => [colour.join(), Math.round(share * total)])),
        counts,
      );
      assert.ok(found.every(({ share }, at) => share <= (found[at - 1]?.share ?? 1)));
    }
    assert.deepEqual(mainColours(paint(5, 3, () => [200, 10, 10, 0])), []);
  });
});
