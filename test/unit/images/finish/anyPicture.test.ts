import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { Codecs, type Encoding } from '../../../../src/images/finish/codecs.ts';
import { withProfile } from '../../../../src/images/codecs/colorProfile.ts';
import { finishProblem, type Finish } from '../../../../src/images/formats/finish.ts';
import { readBySharp } from '../../../readers/images.ts';
import { profileOfLength, readProfile } from '../../../readers/metadata.ts';
import { readTags } from '../../../readers/tags.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { pictureOf } from '../../../support/images/pictures.ts';
import { recipes } from '../../../support/images/recipes.ts';

const numRuns = fuzzRuns(15, 300);

const encodings = fc.constantFrom<Encoding & NonNullable<Finish['encoding']>>(
  { format: 'png' },
  { format: 'jpeg', quality: 90 },
  { format: 'webp', quality: 80 },
  { format: 'webp', lossless: true },
);
const side = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constantFrom(1, 2000));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const fits = fc.oneof(
  fc.record({ by: fc.constant('crop' as const), focus: fc.record({ x: share, y: share }) }),
  fc.record({ by: fc.constant('pad' as const), fill: fc.constantFrom('transparent', 'edge', '#a0b0c0') }),
  fc.constant({ by: 'stretch' as const }),
);
const multiples = fc.constantFrom(16 as const, 'powerOfTwo' as const);

/** Steps without trimming; half of them have each part. */
const steps: fc.Arbitrary<Finish> = fc.record(
  { encoding: encodings, size: fc.record({ width: side, height: side }), multiples, fit: fits },
  { requiredKeys: [] },
);
const trims = fc.oneof(
  fc.record({ unit: fc.constant('px' as const), margin: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ unit: fc.constant('%' as const), margin: fc.integer({ min: 0, max: 40 }) }),
);

const files = fc.record({
  recipe: recipes,
  encoding: encodings,
  orientation: fc.integer({ min: 1, max: 8 }),
});

describe('any finishing step on any picture, read by another decoder', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('gives exactly the format and the size, upright, with the profile, and has nothing to do again', async () => {
    const profile = await profileOfLength(500);
    await fc.assert(
      fc.asyncProperty(files, steps, async ({ recipe, encoding, orientation }, how) => {
        assert.equal(finishProblem(how), undefined);
        const plain = await codecs.encode(pictureOf(recipe), encoding);
        const file = withExif(withProfile(plain, profile), exifBlock(orientation));
        const { bytes, got, size, untouched, mediaType } = await codecs.finish(Buffer.from(file), how);

        const { width, height } = recipe.size;
        assert.deepEqual(got, orientation < 5 ? { width, height } : { width: height, height: width });
        const asked = { ...(how.size ?? got) };
        assert.deepEqual(size, { width: up(asked.width, how), height: up(asked.height, how) });
        const { file: about, exif } = await readTags(bytes);
        const { format } = how.encoding ?? encoding;
        assert.deepEqual([about?.FileType?.value, mediaType], [format, `image/${format}`]);
        assert.deepEqual(await readProfile(bytes), profile);
        if (untouched === undefined) {
          const read = await readBySharp(bytes);
          assert.deepEqual([read.width, read.height, exif], [size.width, size.height, undefined]);
        } else {
          assert.ok(file.equals(bytes));
        }
        // What is finished may be handed over.
        const again = await codecs.finish(Buffer.from(bytes), how);
        assert.deepEqual([again.untouched, again.size], ['nothingToDo', size]);
        assert.ok(Buffer.from(again.bytes).equals(bytes));
      }),
      { numRuns },
    );
  });

  it('trims without scaling, and has nothing to trim again', async () => {
    const fills = fc.constantFrom('transparent' as const, '#a0b0c0');
    await fc.assert(
      fc.asyncProperty(
        files,
        steps,
        trims,
        fills,
        async ({ recipe, encoding }, { multiples }, trim, fill) => {
          const file = await codecs.encode(pictureOf(recipe), encoding);
          const how: Finish = { trim, fit: { by: 'pad', fill }, ...(multiples && { multiples }) };
          const { bytes, size, scaled, untrimmed } = await codecs.finish(file, how);
          const { width, height } = await readBySharp(bytes);
          assert.deepEqual([{ width, height }, scaled], [size, undefined]);
          // An opaque picture that was padded is a subject with something to trim around it.
          if (untrimmed !== 'opaque' || multiples === undefined) {
            const again = await codecs.finish(bytes, how);
            assert.deepEqual([again.untouched, again.size], ['nothingToDo', size]);
          }
        },
      ),
      { numRuns },
    );
  });
});

/** Rounds a length up by counting. */
function up(length: number, { multiples }: Finish): number {
  const fits = (candidate: number): boolean =>
    multiples === undefined ||
    (multiples === 16 ? candidate % 16 === 0 : Number.isInteger(Math.log2(candidate)));
  let rounded = length;
  while (!fits(rounded)) {
    rounded += 1;
  }
  return rounded;
}
