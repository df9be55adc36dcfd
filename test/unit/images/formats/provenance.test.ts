import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { embedProvenance } from '../../../../src/images/codecs/embedProvenance.ts';
import { type Provenance, readProvenance, hasXmp } from '../../../../src/images/formats/provenance.ts';
import { jpegSegment } from '../../../support/images/jpegFile.ts';
import { riffChunk } from '../../../support/images/webpFile.ts';

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

/** A segment of a JPEG file with XMP. */
const xmp = (marker: number, mark = 'http://ns.adobe.com/xap/1.0/\0'): Buffer =>
  jpegSegment(marker, Buffer.from(mark + foreign));

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

  it('reads no characters that hide others', async () => {
    const hidden = foreign.replace('hare', 'h\u202ea\u0007re');
    const file = await picture.clone().withXmp(hidden).png().toBuffer();
    assert.deepEqual(await readProvenance(file), ofForeign);
  });

  it('reads every way of writing a character, and nothing around a text', async () => {
    const png = await picture.clone().png().toBuffer();
    const told = async (prompt: string): Promise<string | undefined> => {
      const xmp = foreign.replace(/'A "teal".*'/u, () => `'${prompt}'`);
      return (await readProvenance(withChunk(png, 'iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`))))
        ?.prompt;
    };
    assert.equal(await told('&amp;&lt;&gt;&quot;&apos;&AMP;'), '&<>"\'&AMP;');
    assert.equal(await told('&#65;&#x42;&#X43;&#128293;&#x10FFFD;'), 'ABC🔥\u{10fffd}');
    assert.equal(
      await told('&#x110000;&#1114112;&#99999999;&#x;&#;'),
      '&#x110000;&#1114112;&#99999999;&#x;&#;',
    );
    assert.equal(await told('&#x10FFFF;.'), '\u{10ffff}.');
    assert.equal(await told('&#xD800;.'), '\ufffd.');
    assert.equal(await told(' \n a  fox \t'), 'a  fox');
    assert.equal(await told(' '), undefined);
  });

  it('reads XMP from any chunk of texts of a PNG file, with a language of any length or none', async () => {
    const png = await picture.clone().png().toBuffer();
    const mark = 'XML:com.adobe.xmp\0';
    for (const [type, data] of [
      ['tEXt', Buffer.from(mark + foreign)],
      ['zTXt', Buffer.concat([Buffer.from(`${mark}\0`), deflateSync(foreign)])],
      ['iTXt', Buffer.from(`${mark}\0\0\0\0${foreign}`)],
      ['iTXt', Buffer.from(`${mark}\0\0x\0\0${foreign}`)],
      ['iTXt', Buffer.from(`${mark}\0\0de-DE\0XMP-Daten\0${foreign}`)],
      ['iTXt', Buffer.concat([Buffer.from(`${mark}\u0001\0\0\0`), deflateSync(foreign)])],
    ] as const) {
      assert.deepEqual(await readProvenance(withChunk(png, type, data)), ofForeign, type);
      // Behind texts of another kind, too.
      const other = withChunk(png, type, Buffer.concat([Buffer.from('x'), data]));
      assert.equal(await readProvenance(other), undefined);
      assert.deepEqual(await readProvenance(withChunk(other, type, data)), ofForeign);
      assert.equal(await readProvenance(withChunk(png, 'abCd', data)), undefined);
    }
  });

  it('reads XMP from the segment of a JPEG file that is for it, before the pixels', async () => {
    const jpeg = await picture.clone().jpeg().toBuffer();
    const having = (...segments: readonly Buffer[]): Buffer =>
      Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
    const others = [xmp(0xe2), xmp(0xfe), xmp(0xe1, 'http://ns.adobe.com/xmp/extension/\0'), xmp(0xe1, '')];
    assert.deepEqual(await readProvenance(having(xmp(0xe1))), ofForeign);
    assert.deepEqual(await readProvenance(having(...others, xmp(0xe1))), ofForeign);
    const behind = Buffer.concat([jpeg.subarray(0, -2), xmp(0xe1), jpeg.subarray(-2)]);
    for (const file of [having(...others), behind, jpeg]) {
      assert.equal(await readProvenance(file), undefined);
      assert.equal(await hasXmp(file), false);
    }
    assert.equal(await hasXmp(having(xmp(0xe1))), true);
  });

  it('reads XMP of a quarter of a megabyte, and none of several', async () => {
    const webp = await picture.clone().webp({ lossless: true }).toBuffer();
    const having = (length: number): Buffer => {
      const bytes = Buffer.concat([webp, riffChunk('XMP ', Buffer.from(foreign.padEnd(length)))]);
      bytes.writeUInt32LE(bytes.length - 8, 4);
      return bytes;
    };
    assert.deepEqual(await readProvenance(having(256 * 1024)), ofForeign);
    assert.equal(await readProvenance(having(256 * 1024 + 1)), undefined);
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
