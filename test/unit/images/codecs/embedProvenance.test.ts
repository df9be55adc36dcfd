import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { embedProvenance } from '../../../../src/images/codecs/embedProvenance.ts';
import { finish } from '../../../../src/images/finish/finish.ts';
import { type Provenance, readProvenance } from '../../../../src/images/formats/provenance.ts';
import { findDamage } from '../../../../src/images/formats/findDamage.ts';
import { readTags } from '../../../readers/tags.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { withCredentials } from '../../../support/images/specialFiles.ts';

const provenance: Provenance = {
  prompt: 'A <red> fox & "snow", 水彩 🦊',
  model: 'painter-1',
  at: Date.UTC(2026, 10, 23, 9, 5),
  source: 'trainedAlgorithmicMedia',
};

/** What another program may tell. */
const onlyPrompt = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
<Iptc4xmpExt:AIPromptInformation>A hare</Iptc4xmpExt:AIPromptInformation></rdf:Description></rdf:RDF></x:xmpmeta>`;

const picture = sharp({ create: { width: 12, height: 9, channels: 4, background: '#ff880080' } });

const files = {
  png: async () => picture.clone().png().toBuffer(),
  'png with a profile': async () => picture.clone().withIccProfile('p3').png().toBuffer(),
  jpeg: async () => picture.clone().jpeg().toBuffer(),
  'jpeg with EXIF': async () =>
    picture
      .clone()
      .withExif({ IFD0: { Artist: 'Ada' } })
      .jpeg()
      .toBuffer(),
  webp: async () => picture.clone().webp().toBuffer(),
  'webp without alpha': async () => picture.clone().flatten().webp().toBuffer(),
  'webp with bytes behind its end': async () =>
    Buffer.concat([await picture.clone().webp().toBuffer(), Buffer.from('trailing bytes')]),
  'lossless webp without alpha': async () => picture.clone().flatten().webp({ lossless: true }).toBuffer(),
  'lossless webp': async () => picture.clone().webp({ lossless: true }).toBuffer(),
};

/** Returns what a reader of metadata says that is in a file, in words. */
async function read(file: Uint8Array): Promise<Map<string, string | undefined>> {
  const { xmp } = await readTags(file);
  const { _raw: _, ...tags } = xmp ?? {};
  return new Map(Object.entries(tags).map(([name, { description }]) => [name, description]));
}

const pixelsOf = async (file: Uint8Array): Promise<Buffer> => sharp(file).ensureAlpha().raw().toBuffer();

describe('the provenance in a file', () => {
  for (const [name, make] of Object.entries(files)) {
    it(`is read by others, and leaves pixels and the rest alone: ${name}`, async () => {
      const file = await make();
      const made = (await embedProvenance(file, provenance)) ?? assert.fail();
      assert.equal(await findDamage(made), undefined);
      assert.equal((await sharp(made).metadata()).hasAlpha, (await sharp(file).metadata()).hasAlpha);
      const tags = await read(made);
      assert.deepEqual(
        [
          'description',
          'CreateDate',
          'CreatorTool',
          'DigitalSourceType',
          'AISystemUsed',
          'AIPromptInformation',
        ].map((tag) => tags.get(tag)),
        [
          provenance.prompt,
          '2026-11-23T09:05:00.000Z',
          'Limner',
          'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
          'painter-1',
          provenance.prompt,
        ],
      );
      assert.deepEqual(await pixelsOf(made), await pixelsOf(file));
      const [before, after] = [await sharp(file).metadata(), await sharp(made).metadata()];
      assert.deepEqual(
        [after.width, after.height, after.hasAlpha, after.icc, after.exif],
        [before.width, before.height, before.hasAlpha, before.icc, before.exif],
      );
    });
  }

  it('is added to no file that has metadata of its own', async () => {
    for (const make of Object.values(files)) {
      const once = (await embedProvenance(await make(), provenance)) ?? assert.fail();
      assert.equal(await embedProvenance(once, provenance), undefined);
    }
  });

  it('is XML whatever the prompt is, in JPEG files too, where there is little room', async () => {
    const file = await files.jpeg();
    const prompts = fc.string({ unit: 'binary', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(prompts, fc.integer({ min: 1, max: 400 }), async (part, times) => {
        const prompt = part.repeat(times);
        const made = (await embedProvenance(file, { ...provenance, prompt })) ?? assert.fail();
        assert.equal(await findDamage(made), undefined);
        assert.equal((await read(made)).get('AISystemUsed'), 'painter-1');
      }),
      { numRuns: fuzzRuns(8, 40) },
    );
  });

  it('has the start of a name of a model that is too long for JPEG files', async () => {
    const given = { ...provenance, prompt: 'a & b '.repeat(9000), model: 'm&'.repeat(30_000) };
    const made = (await embedProvenance(await files.jpeg(), given)) ?? assert.fail();
    assert.equal(await findDamage(made), undefined);
    assert.match((await read(made)).get('AISystemUsed') ?? '', /^(?:m&){100,}m?$/u);
  });

  it('leaves a file with Content Credentials alone, unless other pixels end them anyway', async () => {
    for (const make of [files.png, files.jpeg, files.webp]) {
      const signed = withCredentials(await make());
      const kept = await finish(signed, {}, { provenance });
      assert.deepEqual([kept.embedded, kept.untouched], ['credentials', 'nothingToDo']);
      assert.deepEqual(Buffer.from(kept.bytes), signed);
      const scaled = await finish(signed, { size: { width: 6, height: 6 } }, { provenance });
      assert.deepEqual([scaled.embedded, scaled.lostCredentials], [true, true]);
    }
  });

  it('is kept where a picture is finished anew, in every format', async () => {
    const told = (await embedProvenance(await files.png(), provenance)) ?? assert.fail();
    for (const encoding of [
      { format: 'webp', quality: 80 },
      { format: 'jpeg' },
      { format: 'png' },
    ] as const) {
      const made = await finish(told, { encoding, size: { width: 6, height: 6 } });
      assert.equal(made.embedded, undefined);
      assert.deepEqual(await readProvenance(made.bytes), provenance);
    }
    const foreign = await picture.clone().withXmp(onlyPrompt).png().toBuffer();
    const made = await finish(foreign, { size: { width: 6, height: 6 } });
    assert.deepEqual(await readProvenance(made.bytes), { prompt: 'A hare' });
  });

  it('comes with a finished picture, and with one that is as wanted', async () => {
    const png = await files.png();
    const [scaled, same] = [
      await finish(png, { size: { width: 6, height: 6 } }, { provenance }),
      await finish(png, {}, { provenance }),
    ];
    for (const made of [scaled, same]) {
      assert.deepEqual([made.embedded, made.untouched], [true, undefined]);
      assert.equal((await read(made.bytes)).get('AIPromptInformation'), provenance.prompt);
    }
    assert.deepEqual(await pixelsOf(same.bytes), await pixelsOf(png));
  });
});
