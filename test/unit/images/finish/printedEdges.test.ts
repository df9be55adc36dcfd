import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import {
  edgeError,
  printed,
  printedFile,
  printedSubjects,
} from '../../../support/images/cutouts/printedSubjects.ts';

const codecs = new Codecs();
after(async () => codecs.dispose());

it('edges hold where colors came in half the resolution, and files say so', async () => {
  for (const [name, jpeg, webp] of [
    ['white tile', 28, 28],
    ['ring', 32, 28],
    ['icon', 32, 32],
  ] as const) {
    const { layer, picture } = printed(printedSubjects[name] ?? (() => {}), 512);
    for (const [print, most, told] of [
      ['PNG', 9, undefined],
      ['JPEG 4:2:0, quality 70', jpeg, /JPEG: soft edges/u],
      ['WebP, quality 80', webp, /WebP: soft edges/u],
    ] as const) {
      const file = await printedFile(picture, print);
      const { bytes, cutout } = await codecs.finish(file, { cutout: { by: 'key' } });
      const error = edgeError((await codecs.decode(bytes)).rgba, layer);
      assert.ok(error <= most, `${name}, ${print}: ${error}`);
      const reason = cutout?.reasons.find(({ flaw }) => flaw === 'soft_edges')?.text;
      assert.equal(
        told === undefined ? reason === undefined : told.test(reason ?? ''),
        true,
        `${name}, ${print}`,
      );
    }
  }
});
