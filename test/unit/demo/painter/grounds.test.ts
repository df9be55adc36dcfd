import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutOutMiddle, flatGroundOf } from '../../../../src/demo/painter/flatGround.ts';
import { paint } from '../../../../src/demo/painter/painter.ts';
import type { Pixels } from '../../../../src/images/codecs/codecs.ts';
import { colourAt, paint as photoOf } from '../../../support/images/pictures.ts';

const prompts = [
  'a fox',
  'a red balloon',
  'a house',
  'a boat',
  'a tree',
  'flowers',
  'a cat',
  'a car',
  'a rocket',
];
const [width, height] = [120, 80];

/** Whether two colours differ by at most this much in each channel. */
function isNear(one: readonly number[], other: readonly number[], most: number): boolean {
  return [0, 1, 2].every((channel) => Math.abs((one[channel] ?? 0) - (other[channel] ?? 0)) <= most);
}

/** The pixels along all four borders. */
function border({ width, height }: Pixels): [x: number, y: number][] {
  const [xs, ys] = [Array.from({ length: width }, (_, x) => x), Array.from({ length: height }, (_, y) => y)];
  return [
    ...xs.flatMap((x): [number, number][] => [
      [x, 0],
      [x, height - 1],
    ]),
    ...ys.flatMap((y): [number, number][] => [
      [0, y],
      [width - 1, y],
    ]),
  ];
}

describe('a flat background that a prompt asks for', () => {
  it('is found in the sentence that names it, by its number', () => {
    for (const [prompt, colour, words] of [
      ['A red fox. Put it on a plain #FF8000 background.', [255, 128, 0], ['a', 'red', 'fox']],
      ['A fox!\nThe background is #00ff7f, without shadows', [0, 255, 127], ['a', 'fox']],
      ['On a Background of #0102FE: a fox', [1, 2, 254], []],
    ] as const) {
      assert.deepEqual(flatGroundOf(prompt), { colour, words, isReplacement: false }, prompt);
    }
    assert.ok(flatGroundOf('Replace the background with #000000.')?.isReplacement);
    for (const none of [
      'A fox',
      'A #ff0000 fox',
      'A background. It is #ff0000',
      'The background is #ff00',
      '',
    ]) {
      assert.equal(flatGroundOf(none), undefined, none);
    }
  });

  it('is nearly flat around the subject, which is in its middle', () => {
    for (const [number, ground] of [
      ['#00FF00', [0, 255, 0]],
      ['#FFFFFF', [255, 255, 255]],
      ['#2040C0', [32, 64, 192]],
    ] as const) {
      for (const prompt of prompts) {
        const image = paint({
          prompt: `${prompt}. The background is plain ${number}.`,
          variant: 0,
          width,
          height,
        });
        assert.ok(
          border(image).every(([x, y]) => isNear(colourAt(image, x, y), ground, 6)),
          prompt,
        );
        const subject = Array.from({ length: width * height }, (_, at) => at).filter(
          (at) => !isNear(colourAt(image, at % width, Math.floor(at / width)), ground, 24),
        );
        assert.ok(
          subject.length > 250 && subject.length < 0.6 * width * height,
          `${prompt}: ${subject.length}`,
        );
        const middle = subject.reduce((sum, at) => sum + (at % width), 0) / subject.length;
        assert.ok(Math.abs(middle - width / 2) < 8, `${prompt} is at ${middle}`);
        assert.ok(image.rgba.every((value, at) => at % 4 !== 3 || value === 255));
      }
    }
  });

  it('has little noise, and is a little darker below, as services paint it', () => {
    const ground = flatGroundOf('Background #C89664') ?? assert.fail();
    const [across, down] = [400, 60];
    const image = cutOutMiddle(
      photoOf(across, down, () => [9, 9, 9, 100]),
      ground,
    );
    for (const [channel, value] of [200, 150, 100].entries()) {
      const [top, bottom] = [0, down - 1].map((y) => {
        const row = Array.from({ length: across }, (_, x) => colourAt(image, x, y)[channel] ?? 0);
        assert.ok(new Set(row).size > 1 && Math.max(...row) - Math.min(...row) <= 4);
        return row.reduce((sum, level) => sum + level, 0) / across;
      });
      assert.ok(Math.abs((top ?? 0) - value) < 0.4, `${top}`);
      assert.ok(Math.abs((bottom ?? 0) - 0.985 * value) < 0.4, `${bottom}`);
    }
    assert.ok(image.rgba.every((value, at) => at % 4 !== 3 || value === 255));
  });

  it('has another subject for other words, and another one of it for each variant', () => {
    const ground = 'The background is #00FF00.';
    const seen = prompts.flatMap((prompt) =>
      [0, 1].map((variant) =>
        Buffer.from(paint({ prompt: `${prompt} in blue. ${ground}`, variant, width, height }).rgba).toString(
          'latin1',
        ),
      ),
    );
    assert.ok(new Set(seen).size > prompts.length + 2);
  });
});

describe('a subject on nothing', () => {
  it('looks on any ground as it would when it is painted there', () => {
    for (const prompt of ['a fox', 'a red balloon', 'a tree', 'something else']) {
      const image = paint({ prompt, variant: 0, width, height, transparent: true });
      assert.ok(
        border(image).every(([x, y]) => colourAt(image, x, y).join() === '0,0,0,0'),
        prompt,
      );
      for (const [number, ground] of [
        ['#FFFFFF', [255, 255, 255]],
        ['#8040C0', [128, 64, 192]],
      ] as const) {
        const onGround = paint({ prompt: `${prompt}. Background ${number}`, variant: 0, width, height });
        const levels = new Set<number>();
        for (let at = 0; at < width * height; at++) {
          const [x, y] = [at % width, Math.floor(at / width)];
          const [red = 0, green = 0, blue = 0, alpha = 0] = colourAt(image, x, y);
          levels.add(alpha);
          const shown = [red, green, blue].map((value, channel) =>
            Math.round((value * alpha + (ground[channel] ?? 0) * (255 - alpha)) / 255),
          );
          assert.ok(isNear(shown, colourAt(onGround, x, y), 9), `${prompt} at ${x}, ${y}`);
        }
        // Glass, soft shadows and edges.
        assert.ok(levels.has(255) && levels.size > 40, `${prompt} ${levels.size}`);
      }
    }
  });
});

describe('the middle of an image on a flat background', () => {
  it('is as it was, with a soft edge, and nothing else of the image is left', () => {
    const photo = photoOf(width, height, (x, y) => [(x * 31) % 256, (y * 57) % 256, 10, 255]);
    const ground = flatGroundOf('Background #20C040') ?? assert.fail();
    const cut = cutOutMiddle(photo, ground);
    let kept = 0;
    for (let at = 0; at < width * height; at++) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const distance = Math.hypot(
        (x + 0.5 - width / 2) / (0.4 * width),
        (y + 0.5 - height / 2) / (0.4 * height),
      );
      const found = colourAt(cut, x, y);
      if (distance < 0.94) {
        kept++;
        assert.deepEqual(found, colourAt(photo, x, y));
      } else if (distance > 1.06) {
        assert.ok(isNear(found, ground.colour, 6), `${x}, ${y}`);
      }
    }
    assert.ok(kept > 4000);
  });
});
