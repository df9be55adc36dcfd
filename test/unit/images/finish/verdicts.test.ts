import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom } from '../../../../src/demo/http/random.ts';
import type { Color } from '../../../../src/demo/painter/color.ts';
import { cutOut } from '../../../../src/images/finish/cutOut.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import { Layer } from '../../../support/images/cutouts/layer.ts';
import { printed, printedSubjects, tile } from '../../../support/images/cutouts/printedSubjects.ts';
import { disc, polygon, starPoints, stroke } from '../../../support/images/cutouts/shapes.ts';
import { paint } from '../../../support/images/pictures.ts';

const side = 360;
const green: Color = [20, 236, 30];
const magenta: Color = [240, 14, 236];

function drawn(
  draw: (layer: Layer) => void,
  ground: Color | ((x: number, y: number) => Color) = green,
): Case {
  const layer = new Layer(side, side);
  draw(layer);
  return { layer, picture: layer.on(typeof ground === 'function' ? ground : () => ground) };
}

interface Case {
  layer: Layer;
  picture: Pixels;
}

const middle = [side / 2, side / 2] as const;
const everywhere = { left: 0, top: 0, right: side, bottom: side };
const ball = (layer: Layer): void => disc(layer, middle, 100, [210, 70, 60]);
/** Covers what is below a line of hills. */
const hills = (layer: Layer, color: Color, top = 0.5): void =>
  layer.cover(everywhere, color, (x, y) => y - side * (top + 0.08 * Math.sin(x / 40)) + 0.5);
const board =
  (a: number, b: number, square: number) =>
  (x: number, y: number): Color => {
    const level = (Math.floor(x / square) + Math.floor(y / square)) % 2 === 0 ? a : b;
    return [level, level, level];
  };
const lines = (layer: Layer, color: Color): void => {
  for (let line = 0; line < 4; line++) {
    const y = side * (0.38 + 0.08 * line);
    stroke(
      layer,
      [
        [side * 0.32, y],
        [side * 0.66, y],
      ],
      [5, 5],
      color,
    );
  }
};
const rose = (layer: Layer, colors: readonly Color[]): void => {
  for (const [index, color] of colors.entries()) {
    const angle = index * 2.4;
    disc(layer, [side / 2 + 30 * Math.cos(angle), side * 0.4 + 30 * Math.sin(angle)], 60 - 6 * index, color);
  }
  stroke(
    layer,
    [
      [side / 2, side * 0.5],
      [side / 2, side * 0.9],
    ],
    [9, 7],
    [40, 110, 50],
  );
};
/** A subject on a key that is a tile with round corners, in front of a pale background. */
const onTile = (key: Color, half: number, ground: Color, inside: Color = [250, 210, 60]): Case => {
  const star = (layer: Layer): void =>
    polygon(layer, starPoints(middle, [90, 40, 90, 40, 90, 40, 90, 40, 90, 40], 0.3), inside);
  const { picture } = drawn((layer) => (tile(layer, half, key, { radius: 0.1 }), star(layer)), ground);
  return { layer: drawn(star).layer, picture };
};
/** A terminal in a frame, its screen in a color. */
const terminal = (screen: Color): Case =>
  drawn((layer) => {
    tile(layer, 0.36, [50, 46, 70]);
    tile(layer, 0.28, screen, { radius: 0.02 });
    stroke(
      layer,
      [
        [130, 130],
        [170, 160],
        [130, 190],
      ],
      [8, 8],
      [250, 250, 250],
    );
  });
const framed = (line: Color, width: number): Case => {
  const { layer, picture } = drawn(ball);
  const isLine = (x: number, y: number): boolean => Math.min(x, y, side - 1 - x, side - 1 - y) < width;
  const rgba = paint(side, side, (x, y) => {
    const at = (y * side + x) * 4;
    const [red = 0, g = 0, blue = 0] = picture.rgba.subarray(at, at + 3);
    return isLine(x, y) ? [line[0], line[1], line[2], 255] : [red, g, blue, 255];
  });
  return { layer, picture: rgba };
};
const known = (name: string): Case => printed(printedSubjects[name] ?? (() => {}), side);

/** Whatever is saved must be right; what can't be right is refused. */
const cases: Readonly<Record<string, () => Case>> = {
  icon: () => known('icon'),
  'white tile on green': () => known('white tile'),
  hair: () => known('hair'),
  wires: () => known('wires'),
  bust: () => known('bust'),
  strip: () => known('strip'),
  leaf: () => known('leaf'),
  shadow: () => known('shadow'),
  'hills on three sides': () => drawn((layer) => hills(layer, [120, 90, 70])),
  'snow hills on three sides': () => drawn((layer) => hills(layer, [235, 240, 250], 0.3)),
  'town on three sides': () =>
    drawn((layer) =>
      layer.cover(everywhere, [90, 60, 110], (x, y) => y - side * (0.4 + 0.1 * (Math.floor(x / 45) % 3))),
    ),
  'black line around': () => framed([0, 0, 0], 2),
  'white line around': () => framed([255, 255, 255], 3),
  'gray line around': () => framed([120, 120, 120], 1),
  'green tile in white': () => onTile([20, 236, 30], 0.47, [255, 255, 255]),
  'green tile in white corners': () => onTile([30, 225, 40], 0.5, [255, 255, 255], [200, 50, 60]),
  'magenta tile in black': () => onTile(magenta, 0.46, [0, 0, 0]),
  'green tile in gray': () => onTile([20, 230, 30], 0.44, [200, 200, 200]),
  'outlined card on white': () =>
    drawn(
      (layer) => {
        tile(layer, 0.34, [200, 200, 205], { radius: 0.03 });
        tile(layer, 0.335, [255, 255, 255], { radius: 0.03 });
        lines(layer, [60, 60, 70]);
      },
      [255, 255, 255],
    ),
  'bare card on white': () =>
    drawn((layer) => (tile(layer, 0.34, [252, 252, 252]), lines(layer, [60, 60, 70])), [255, 255, 255]),
  'icon with white lines on white': () =>
    drawn((layer) => (tile(layer, 0.34, [40, 90, 200]), lines(layer, [255, 255, 255])), [255, 255, 255]),
  'icon with black lines on black': () =>
    drawn((layer) => (tile(layer, 0.34, [230, 160, 40]), lines(layer, [0, 0, 0])), [2, 2, 2]),
  'icon with white lines on a checkerboard': () =>
    drawn((layer) => (tile(layer, 0.34, [40, 90, 200]), lines(layer, [255, 255, 255])), board(255, 204, 12)),
  'icon with gray lines on a pale checkerboard': () =>
    drawn((layer) => (tile(layer, 0.3, [180, 60, 60]), lines(layer, [240, 240, 240])), board(255, 238, 16)),
  'rose on magenta': () =>
    drawn(
      (layer) =>
        rose(layer, [
          [232, 80, 140],
          [222, 70, 128],
        ]),
      magenta,
    ),
  'pale rose on magenta': () => drawn((layer) => rose(layer, [[240, 120, 170]]), magenta),
  'terminal in teal green': () => terminal([24, 120, 70]),
  'terminal in dark green': () => terminal([10, 90, 30]),
  'terminal in pale green': () => terminal([110, 200, 120]),
  'floor in a darker green': () => drawn(ball, (_, y) => (y < side * 0.62 ? green : [14, 160, 22])),
  'soft floor line': () =>
    drawn(ball, (_, y) => {
      const light = 1 - 0.25 * Math.max(0, Math.min(1, (y - side * 0.66) / 14));
      return [20 * light, 236 * light, 30 * light];
    }),
  'noise all over': () => {
    const random = seededRandom(3);
    return drawn(ball, () => [random.integer(0, 255), random.integer(0, 255), random.integer(0, 255)]);
  },
};

/** Returns how much of an image is wrong: visibly too clear or too opaque, as a share of the subject. */
function lossOf({ rgba }: Pixels, { alpha }: Layer): number {
  let [wrong, subject] = [0, 0];
  for (const [pixel, wanted] of alpha.entries()) {
    subject += wanted;
    wrong += Math.abs((rgba[pixel * 4 + 3] ?? 0) / 255 - wanted) > 0.3 ? 1 : 0;
  }
  return wrong / subject;
}

it('the verdict is right for good and ruined subjects', async () => {
  const wrong: string[] = [];
  for (const [name, make] of Object.entries(cases)) {
    const { layer, picture } = make();
    const { pixels, report } = await cutOut(picture, 'key', undefined);
    const loss = lossOf(pixels, layer);
    const isRuined = loss > 0.06;
    if (isRuined !== (report.verdict === 'bad')) {
      wrong.push(`${name}: ${report.verdict}, ${loss.toFixed(3)}`);
    }
  }
  assert.ok(wrong.length <= 2, wrong.join('\n'));
  assert.equal(Object.keys(cases).length, 32);
});
