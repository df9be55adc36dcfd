import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Canvas } from '../../../../src/demo/drawing/canvas.ts';
import { drawDemoBand } from '../../../../src/demo/drawing/demoBand.ts';
import { drawText, GLYPH_ROWS, textWidth } from '../../../../src/demo/drawing/pixelFont.ts';
import { colourAt } from '../../../support/images/pictures.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?-:\'"/()+#&%';

/** Returns the rows of a text as it is written in black, with `#` for each dot. */
function written(text: string, scale = 1, left = 0, top = 0): string[] {
  const canvas = new Canvas(textWidth(text, scale) + left + 2, GLYPH_ROWS * scale + top + 1);
  drawText(canvas, text, { left, top }, scale, [0, 0, 0]);
  return Array.from({ length: canvas.height }, (_, y) =>
    Array.from({ length: canvas.width }, (_, x) => (colourAt(canvas, x, y)[0] === 0 ? '#' : ' ')).join(''),
  );
}

describe('the letters of the demo service', () => {
  it('are all different, none of them empty, and small ones as large ones', () => {
    const shapes = Array.from(letters, (letter) => written(letter).join('\n'));
    assert.equal(new Set([...shapes, written('好').join('\n')]).size, letters.length + 1);
    assert.ok(shapes.every((shape) => shape.includes('#')));
    assert.ok(written(' ').every((row) => row.trim() === ''));
    assert.deepEqual(written('fox'), written('FOX'));
    assert.deepEqual(written('好'), written('🙂'));
  });

  it('look like letters', () => {
    assert.deepEqual(written('Az').slice(0, 7), [
      ' ###  #####  ',
      '#   #     #  ',
      '#   #    #   ',
      '#####   #    ',
      '#   #  #     ',
      '#   # #      ',
      '#   # #####  ',
    ]);
  });

  it('fill their width, at any scale and place', () => {
    assert.equal(textWidth('', 3), 0);
    const [once, twice] = [written('M8'), written('M8', 2, 3, 4)];
    assert.deepEqual(
      once.slice(0, 7).map((row) => row.replace(/ {2}$/, '')),
      Array.from({ length: 7 }, (_, y) => twice[4 + 2 * y]?.slice(3, -2).replaceAll(/(.)\1/g, '$1')),
    );
    assert.deepEqual(twice[4], twice[5]);
    assert.ok(once.every((row) => row.endsWith('  ')) && once.some((row) => row.endsWith('#  ')));
  });
});

describe('the band of the demo service', () => {
  it('lies along the lower edge, and leaves the picture above it as it was', () => {
    const canvas = canvasOf(200, 90, 'a fox');
    for (let x = 0; x < 200; x++) {
      assert.deepEqual(colourAt(canvas, x, 74), [255, 255, 255, 255]);
      assert.notDeepEqual(colourAt(canvas, x, 75), [255, 255, 255, 255]);
      assert.notDeepEqual(colourAt(canvas, x, 89), [255, 255, 255, 255]);
    }
  });

  it('says DEMO and then what was asked for', () => {
    const canvas = canvasOf(200, 90, '  a\n  fox ');
    assert.deepEqual(
      rows(canvas, isPaper).map((row) => row.trim()),
      written('a fox')
        .slice(0, 7)
        .map((row) => row.trim()),
    );
    const chip = new Canvas(31, 15);
    for (let y = 0; y < 15; y++) {
      chip.rgba.set(canvas.rgba.subarray(4 * (75 + y) * 200, 4 * ((75 + y) * 200 + 31)), 4 * y * 31);
    }
    assert.deepEqual(
      rows(chip, isInk).map((row) => row.trim()),
      written('DEMO')
        .slice(0, 7)
        .map((row) => row.trim()),
    );
    assert.deepEqual(colourAt(canvas, 30, 80), [255, 198, 66, 255]);
    assert.notDeepEqual(colourAt(canvas, 31, 80), [255, 198, 66, 255]);
  });

  it('cuts a long prompt with dots, inside of the picture, and is larger on a large one', () => {
    const long = 'a fox with a very long tail in the snow';
    const canvas = canvasOf(160, 90, long);
    const dots = rows(canvas, isPaper);
    const found = dots.map((row) => row.trim());
    const cut = Array.from(long, (_, index) => `${long.slice(0, index).trimEnd()}...`);
    const shown = cut.find((text) =>
      written(text)
        .slice(0, 7)
        .every((row, y) => row.trim() === found[y]),
    );
    assert.ok(shown !== undefined && shown.length > 12, shown);
    assert.ok(Math.max(...dots.map((row) => row.length)) <= 160 - 4);
    assert.ok(textWidth(`${shown}xx`, 1) > 160 - 31 - 8);
    const large = canvasOf(1360, 1020, 'a fox');
    assert.deepEqual(colourAt(large, 0, 1020 - 45), [255, 198, 66, 255]);
    assert.deepEqual(colourAt(large, 0, 1020 - 46), [255, 255, 255, 255]);
    assert.deepEqual(rows(canvasOf(36, 40, long), isPaper), []);
    // Its scale is rounded.
    assert.deepEqual(colourAt(canvasOf(700, 520, 'a fox'), 0, 520 - 30), [255, 198, 66, 255]);
  });

  it('lets the picture shine through, but not through its mark', () => {
    const [red = 0] = colourAt(canvasOf(200, 90, ''), 150, 80);
    assert.ok(red > 40 && red < 128, String(red));
  });

  it('has its words four dots from its edges, as many of them as fit', () => {
    const prompt = 'fix the hen on the fence';
    const texts = [
      prompt,
      ...Array.from(prompt, (_, index) => `${prompt.slice(0, index + 1).trimEnd()}...`).toReversed(),
      '',
    ];
    for (const [scale, height, sizes] of [
      [1, 16, Array.from({ length: 52 }, (_, at) => 38 + at)],
      [2, 510, [510]],
    ] as const) {
      for (const width of sizes) {
        const canvas = canvasOf(width, height, `  ${prompt}\n`);
        const left = textWidth('DEMO', scale) + 3 * 4 * scale;
        const text = texts.find((one) => left + textWidth(one, scale) + 4 * scale <= width);
        const expected = written(text ?? '', scale, left)
          .map((row) => row.trimEnd())
          .filter((row) => row !== '');
        assert.deepEqual(rows(bandOf(canvas, scale), isPaper), expected, `${width} wide`);
      }
    }
    const large = bandOf(canvasOf(1020, 1020, ''), 3);
    const mark = written('DEMO', 3, 12).slice(0, 21);
    assert.deepEqual(
      rows(large, isInk),
      mark.map((row) => row.trimEnd()),
    );
    assert.deepEqual(colourAt(large, 12, 12), [18, 20, 28, 255]);
  });
});

function canvasOf(width: number, height: number, prompt: string): Canvas {
  const canvas = new Canvas(width, height);
  drawDemoBand(canvas, prompt);
  return canvas;
}

/** Returns the lower part of a canvas in which the band is. */
function bandOf({ width, rgba }: Canvas, scale: number): Canvas {
  const band = new Canvas(width, 15 * scale);
  band.rgba.set(rgba.subarray(-band.rgba.length));
  return band;
}

/** Returns the rows in which there is ink of a colour, with `#` for each of its pixels. */
function rows(canvas: Canvas, isInk: (colour: number[]) => boolean): string[] {
  return Array.from({ length: canvas.height }, (_, y) =>
    Array.from({ length: canvas.width }, (_, x) => (isInk(colourAt(canvas, x, y)) ? '#' : ' ')).join(''),
  )
    .map((row) => row.trimEnd())
    .filter((row) => row !== '');
}

function isPaper([red, green, blue]: number[]): boolean {
  return red === 250 && green === 248 && blue === 240;
}

function isInk([red, green, blue]: number[]): boolean {
  return red === 18 && green === 20 && blue === 28;
}
