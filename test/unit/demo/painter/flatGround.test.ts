import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cutOutMiddle,
  type FlatGround,
  flatGroundOf,
  paintOnFlatGround,
  replaceGround,
} from '../../../../src/demo/painter/flatGround.ts';
import type { Pixels } from '../../../../src/images/codecs/codecs.ts';
import { paint } from '../../../support/images/pictures.ts';

function groundOf(prompt: string): FlatGround {
  return flatGroundOf(prompt) ?? assert.fail(prompt);
}

const onWhite = groundOf('A fox. Paint it on a plain white (#FFFFFF) background.');
const onBlack = groundOf('A fox. Replace the white background with plain black (#000000), as background.');

/** The mean difference of two images per channel. */
function difference(one: Pixels, other: Pixels): number {
  const sum = one.rgba.reduce((total, value, at) => total + Math.abs(value - (other.rgba[at] ?? 0)), 0);
  return sum / one.rgba.length;
}

describe('a white background that is replaced', () => {
  it('leaves the subject of what the service painted as it was', () => {
    const painted = paintOnFlatGround(onWhite, 0, 96, 64);
    const replaced = replaceGround(painted, onBlack, 0);
    assert.ok(difference(replaced, paintOnFlatGround(onBlack, 0, 96, 64)) < 1);
  });

  it('leaves the middle of any other image as it was', () => {
    const photo = paint(96, 64, (x, y) => [(x * 5) % 256, (y * 7) % 256, (x + y) % 256, 255]);
    const replaced = replaceGround(cutOutMiddle(photo, onWhite), onBlack, 0);
    assert.ok(difference(replaced, cutOutMiddle(photo, onBlack)) < 1);
  });
});
