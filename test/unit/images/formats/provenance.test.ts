import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { embedProvenance } from '../../../../src/images/codecs/embedProvenance.ts';
import { type Provenance, readProvenance } from '../../../../src/images/formats/provenance.ts';

const provenance: Provenance = {
  prompt: 'A <red> fox & "snow", 水彩 🦊',
  model: 'painter-1',
  at: Date.UTC(2026, 10, 23, 9, 5),
  source: 'trainedAlgorithmicMedia',
};

const picture = sharp({ create: { width: 12, height: 9, channels: 3, background: '#ff8800' } });
const formats = ['png', 'jpeg', 'webp'] as const;

/** XMP as other programs write it: properties as attributes, characters by number. */
const foreign = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 <rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
  Iptc4xmpExt:AIPromptInformation='A "teal" hare &#38; a &#x1F98A; &unknown;'/></rdf:RDF></x:xmpmeta>`;
const ofForeign = { prompt: 'A "teal" hare & a 🦊 &unknown;' };

/** Puts a chunk before the end of a PNG file. */
function withChunk(file: Buffer, type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([file.subarray(0, -12), length, body, checksum, file.subarray(-12)]);
}

describe('readProvenance', () => {
  for (const format of formats) {
    it(`reads what Limner wrote into a ${format} file, and nothing from one that it left alone`, async () => {
      const file = await picture.clone().toFormat(format).toBuffer();
      assert.equal(await readProvenance(file), undefined);
      assert.deepEqual(await readProvenance((await embedProvenance(file, provenance)) ?? file), provenance);
    });

    it(`reads what another program wrote into a ${format} file`, async () => {
      const file = await picture.clone().withXmp(foreign).toFormat(format).toBuffer();
      assert.deepEqual(await readProvenance(file), ofForeign);
    });
  }

  it('reads any prompt of text as it was', async () => {
    const file = await picture.clone().png().toBuffer();
    const words = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `a ${text} b`);
    await fc.assert(
      fc.asyncProperty(words, async (prompt) => {
        const made = (await embedProvenance(file, { ...provenance, prompt })) ?? assert.fail();
        assert.equal((await readProvenance(made))?.prompt, prompt);
      }),
    );
  });

  it('reads no characters that hide others', async () => {
    const hidden = foreign.replace('hare', 'h\u202ea\u0007re');
    const file = await picture.clone().withXmp(hidden).png().toBuffer();
    assert.deepEqual(await readProvenance(file), ofForeign);
  });

  it('reads compressed XMP behind the pixels of a PNG file, up to a size', async () => {
    const png = await picture.clone().png().toBuffer();
    const compressed = (text: string): Buffer =>
      withChunk(
        png,
        'iTXt',
        Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\u0001\0en\0XMP\0', 'latin1'), deflateSync(text)]),
      );
    assert.deepEqual(await readProvenance(compressed(foreign)), ofForeign);
    assert.equal(await readProvenance(compressed(foreign + ' '.repeat(2_000_000))), undefined);
  });

  it('says nothing of XMP that is damaged or of something else', async () => {
    const png = await picture.clone().png().toBuffer();
    for (const data of ['', '\u0001\0', '\u0001\0en\0XMP\0no zlib', '\0\0\0\0<x:xmpmeta>']) {
      const file = withChunk(png, 'iTXt', Buffer.from(`XML:com.adobe.xmp\0${data}`, 'latin1'));
      assert.equal(await readProvenance(file), undefined);
    }
    assert.equal(await readProvenance(Buffer.from(foreign)), undefined);
  });
});
