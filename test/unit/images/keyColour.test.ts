import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mainColours } from '../../../src/images/codecs/matte/matte.ts';
import { chooseKey, twoGroundSentences } from '../../../src/images/keyColour.ts';
import { paint } from '../../support/images/pictures.ts';

describe('the key colour', () => {
  for (const [prompt, name] of Object.entries({
    'a chair': 'green',
    '': 'green',
    'a red fox': 'green',
    'an orange cat with BLUE eyes': 'green',
    'A green frog': 'magenta',
    'a cactus in a pot': 'magenta',
    'three leaves, flat icon': 'magenta',
    'a pink rose with green leaves': 'blue',
    'ein grüner Baum': 'magenta',
    'una rana verde con una rosa': 'blue',
    绿色的青蛙: 'magenta',
    'a portrait of a woman in a blue dress': 'green',
    'a purple dragon in the grass': 'blue',
    'a greenhouse': 'green',
  })) {
    it(`is ${name} for “${prompt}”`, () => {
      assert.equal(chooseKey(prompt).name, name);
    });
  }

  it('is a colour that the main colours of an image lack', () => {
    for (const [colour, name] of [
      [[40, 160, 60], 'magenta'],
      [[210, 60, 200], 'green'],
      [[128, 128, 128], 'green'],
      [[90, 200, 190], 'magenta'],
    ] as const) {
      const image = paint(40, 40, (x) => (x < 10 ? [240, 240, 240, 255] : [...colour, 255]));
      assert.equal(chooseKey(mainColours(image)).name, name, colour.join());
    }
  });

  it('does not look at what is transparent', () => {
    const image = paint(40, 40, (x) => (x < 30 ? [0, 255, 0, 0] : [200, 20, 60, 255]));
    assert.deepEqual(mainColours(image), [{ colour: [200, 20, 60], share: 1 }]);
    assert.deepEqual(mainColours(paint(3, 3, () => [0, 255, 0, 0])), []);
  });

  it('is asked for by its name and number, in the picture and not in the subject', () => {
    const { colour, sentence } = chooseKey('a frog');
    assert.deepEqual(colour, [255, 0, 255]);
    assert.match(sentence, /uniform pure magenta \(#FF00FF\) background/u);
    assert.match(sentence, /Use no magenta anywhere in the subject/u);
    assert.match(twoGroundSentences.white, /pure white \(#FFFFFF\)/u);
    assert.match(twoGroundSentences.black, /pure black \(#000000\)/u);
  });
});
