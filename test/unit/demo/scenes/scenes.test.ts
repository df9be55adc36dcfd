import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Canvas } from '../../../../src/demo/drawing/canvas.ts';
import { choosePalette } from '../../../../src/demo/drawing/palette.ts';
import { seededRandom } from '../../../../src/demo/random.ts';
import { chooseScene } from '../../../../src/demo/scenes/scenes.ts';
import { colourAt } from '../../../support/images/pictures.ts';

const [width, height] = [150, 100];

/** Paints what words name. The same seed draws the same land and the same light. */
function sceneOf(words: string, seed: number): Canvas {
  const canvas = new Canvas(width, height);
  const all = words.split(' ');
  const palette = choosePalette(all, seededRandom(seed));
  chooseScene(all, seededRandom(seed))({ canvas, palette, random: seededRandom(seed), words: all });
  return canvas;
}

/** Returns the mean brightness of some rows. */
function brightness(canvas: Canvas, top: number, bottom: number): number {
  const levels = canvas.rgba.subarray(4 * width * top, 4 * width * bottom).filter((_, at) => at % 4 !== 3);
  return levels.reduce((sum, level) => sum + level, 0) / levels.length;
}

/** Returns the box around all pixels that differ, with how many there are. */
function difference(one: Canvas, other: Canvas) {
  const places = Array.from(
    { length: width * height },
    (_, at) => [at % width, Math.floor(at / width)] as const,
  ).filter(([x, y]) => colourAt(one, x, y).join() !== colourAt(other, x, y).join());
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  return {
    count: places.length,
    left: Math.min(...xs),
    right: Math.max(...xs) + 1,
    top: Math.min(...ys),
    bottom: Math.max(...ys) + 1,
  };
}

describe('a scene', () => {
  it('is dark at night, and brighter by day than at sunset, with a sky that is brighter than the land', () => {
    for (const scene of ['mountains', 'sea', 'city']) {
      const [night = 0, sunset = 0, day = 0] = ['night', 'sunset', 'noon'].map((hour) => {
        const canvases = [1, 2].map((seed) => sceneOf(`${scene} ${hour}`, seed));
        if (scene !== 'sea' && hour !== 'night') {
          for (const canvas of canvases) {
            assert.ok(brightness(canvas, 0, 30) > brightness(canvas, 80, 100), `${scene} ${hour}`);
          }
        }
        return canvases.reduce((sum, canvas) => sum + brightness(canvas, 0, height), 0);
      });
      assert.ok(night < 0.7 * sunset && sunset < day, `${scene}: ${night}, ${sunset}, ${day}`);
    }
  });

  it('shows the figure that is named, alone, as large as can be seen, on land or in the air', () => {
    for (const [scene, seed] of [
      ['desert', 1],
      ['forest', 2],
    ] as const) {
      const empty = sceneOf(`${scene} noon`, seed);
      for (const figure of ['cat', 'house', 'boat', 'lighthouse', 'tree', 'flower', 'bird', 'balloon']) {
        const found = difference(sceneOf(`${scene} noon ${figure}`, seed), empty);
        const { count, left, right, top, bottom } = found;
        const what = `${figure} in ${scene}: ${JSON.stringify(found)}`;
        assert.ok(count > 60, what);
        assert.ok(bottom - top > 8 && (bottom - top <= 60 || figure === 'lighthouse'), what);
        const middle = (left + right) / 2;
        assert.ok(middle > 0.2 * width && middle < 0.8 * width, what);
        const isInAir = figure === 'bird' || figure === 'balloon';
        assert.ok(isInAir ? bottom <= 0.7 * height : bottom > 0.5 * height && bottom <= 0.99 * height, what);
      }
    }
  });

  it('is what is named, in singular and plural, and one of nature where nothing is', () => {
    const [one, many] = ['city noon', 'cities noon'].map((words) => sceneOf(words, 3));
    assert.deepEqual(one?.rgba, many?.rgba);
    const named = ['mountain', 'sea', 'desert', 'forest', 'city', 'space', 'icon', 'texture'].map((words) =>
      Buffer.from(sceneOf(`${words} noon`, 3).rgba).toString('latin1'),
    );
    assert.equal(new Set(named).size, named.length);
    const others = Array.from({ length: 30 }, (_, seed) => chooseScene(['nothing'], seededRandom(seed)));
    assert.ok(new Set(others).size >= 4);
  });

  it('has stars in the sky of a night and in space, and none by day', () => {
    for (const seed of [1, 2]) {
      const [day, night, space] = ['sea noon', 'sea night', 'space'].map((words) =>
        stars(sceneOf(words, seed)),
      );
      assert.ok(day !== undefined && day <= 3, `${day} by day`);
      assert.ok(night !== undefined && night > 8, `${night} at night`);
      assert.ok(space !== undefined && space > 4, `${space} in space`);
    }
  });

  it('mirrors in water what is above it', () => {
    for (const seed of [1, 2]) {
      const canvas = sceneOf('sea sunset', seed);
      const horizon = Math.round(height * seededRandom(seed).between(0.48, 0.58));
      const rows = [3, 8, 13].map((away) => [
        brightness(canvas, horizon - away - 1, horizon - away),
        brightness(canvas, horizon + away, horizon + away + 1),
      ]);
      for (const [above = 0, below = 0] of rows) {
        assert.ok(below < above + 25 && below > 0.3 * above, `${above} ${below}`);
      }
    }
  });
});

/** Counts pixels of the upper part that are much brighter than those near them in their row. */
function stars(canvas: Canvas): number {
  const columns = width - 4;
  const places = Array.from({ length: columns * 30 }, (_, at) => [
    2 + (at % columns),
    Math.floor(at / columns),
  ]);
  return places.filter(([x = 0, y = 0]) => {
    const [before = 0, here = 0, after = 0] = [x - 2, x, x + 2].map(
      (column) => colourAt(canvas, column, y)[1] ?? 0,
    );
    return here > before + 10 && here > after + 10;
  }).length;
}
