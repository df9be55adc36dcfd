import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mainColors } from '../../../../src/images/cutout/matte.ts';
import { chooseKey, twoBackgroundSentences } from '../../../../src/images/finish/keyColor.ts';
import { paint } from '../../../support/images/pictures.ts';
import { Random } from '../../../support/random.ts';

/** Every key, as CSS names and writes it. */
const grounds = {
  green: [0, 255, 0],
  magenta: [255, 0, 255],
  blue: [0, 0, 255],
  cyan: [0, 255, 255],
  yellow: [255, 255, 0],
  red: [255, 0, 0],
} as const;
const everyGround = Object.entries(grounds);

describe('the key color', () => {
  for (const [prompt, name] of Object.entries({
    'a chair': 'green',
    '': 'green',
    'a red fox': 'green',
    'A green frog': 'magenta',
    'a pink rose with green leaves': 'blue',
    'a red rose': 'blue',
    'a lucky shamrock': 'magenta',
    绿色的青蛙: 'magenta',
    'a greenhouse': 'green',
    'a frog and a fuchsia on ice': 'yellow',
    'turquoise and lavender among leaves': 'red',
  })) {
    it(`is ${name} for “${prompt}”`, () => {
      assert.equal(chooseKey(prompt).name, name);
    });
  }

  it('is a color that the main colors of an image lack', () => {
    for (const [color, name] of [
      [[40, 160, 60], 'magenta'],
      [[210, 60, 200], 'green'],
      [[128, 128, 128], 'green'],
      [[90, 200, 190], 'magenta'],
    ] as const) {
      const image = paint(40, 40, (x) => (x < 10 ? [240, 240, 240, 255] : [...color, 255]));
      assert.equal(chooseKey(mainColors(image)).name, name, color.join());
    }
  });

  it('does not look at what is transparent', () => {
    const image = paint(40, 40, (x) => (x < 30 ? [0, 255, 0, 0] : [200, 20, 60, 255]));
    assert.deepEqual(mainColors(image), [{ color: [200, 20, 60], share: 1 }]);
    assert.deepEqual(mainColors(paint(3, 3, () => [0, 255, 0, 0])), []);
  });

  it('is asked for by its name and number, in the picture and not in the subject', () => {
    const { color, sentence } = chooseKey('a frog');
    assert.deepEqual(color, [255, 0, 255]);
    assert.match(sentence, /uniform pure magenta \(#FF00FF\) background/u);
    assert.match(sentence, /Use no magenta anywhere in the subject/u);
    assert.match(twoBackgroundSentences.white, /pure white \(#FFFFFF\)/u);
    assert.match(twoBackgroundSentences.black, /pure black \(#000000\)/u);
  });

  it('is the rarest where an image has them all, unless one that is right more often is hardly less rare', () => {
    for (const [name] of everyGround) {
      const shares = everyGround.map(([other, color]) => ({ color, share: other === name ? 0.1 : 0.18 }));
      assert.equal(chooseKey(shares).name, name);
      assert.equal(chooseKey(shares.toReversed()).name, name);
      const nearly = everyGround.map(([other, color]) => ({
        color,
        share: other === name ? 0.166 : 0.1668,
      }));
      assert.equal(chooseKey(nearly).name, 'green');
    }
  });

  it('is none that is in an image beside its opposite', () => {
    for (const [[one, other], name] of [
      [['green', 'magenta'], 'blue'],
      [['blue', 'yellow'], 'green'],
      [['red', 'cyan'], 'green'],
    ] as const) {
      const halves = [one, other].map((half) => ({ color: grounds[half], share: 0.5 }));
      assert.equal(chooseKey(halves).name, name);
    }
  });

  it('is the same whatever the language, and however a word is written', () => {
    const random = new Random(1);
    const colors = 'red orange yellow lime green teal cyan blue indigo purple magenta pink'.split(' ');
    for (const words of [
      'red rot rouge rojo rosso vermelho 红 紅 赤 RED reds ruby',
      'orange orangefarben naranja 橙 橘 Orange oranges fox',
      'yellow gelb jaune amarillo giallo amarelo 黄 黃 金 gold sunflower sunflowers SUNFLOWERS',
      'green grün vert verde 绿 綠 緑 草 叶 葉 树 樹 GRÜN tree trees cactus leaves grass',
      'teal jade türkis 青 peacocks TÜRKIS',
      'blue blau bleu azul 蓝 藍 海 sea seas sapphires',
      'purple morado 紫 Amethysts',
      'pink rosa 粉 桃 roses Rosa',
      'cyan ice glaciers',
      'indigo lavender violett violets',
      'lime moss olives',
      'magenta fuchsia fuchsias',
    ].map((line) => line.split(' '))) {
      for (let run = 0; run < 5; run++) {
        const others = Array.from({ length: random.below(5) }, () => random.pick(colors)).join(' and ');
        const names = words.map((word) => chooseKey(`${others}, ${word}`).name);
        assert.equal(new Set(names).size, 1, `${words.join()} with ${others}: ${names.join()}`);
      }
    }
  });
});
