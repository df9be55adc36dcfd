import { truncate } from '../../common/text.ts';
import { jpegSegments, RangeReader } from '../formats/containers.ts';
import { type Provenance, hasXmp, jpegXmpMark, pngXmpMark } from '../formats/provenance.ts';
import { sniffImage } from '../formats/sniff.ts';
import { pngChunk } from './writePng.ts';
import { behindPngHeader, extendedWebp, jfifEnd, jpegSegment, riffChunk } from './insertChunks.ts';

const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const exifMark = Buffer.from('Exif\0', 'latin1');

/** Maximum length of a prompt in bytes. It is written twice, and a JPEG segment has room for 65,533. */
const maxPromptLength = 30_000;
/** Maximum length of a model's name in bytes. */
const maxModelLength = 1000;

/**
 * Writes the provenance of an image into its file as XMP, in terms of the IPTC Photo Metadata Standard 2025.1. The
 * pixels stay as they are.
 *
 * @returns undefined for a file that has XMP already
 */
export async function embedProvenance(
  bytes: Uint8Array,
  provenance: Provenance,
): Promise<Uint8Array | undefined> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const format = sniffImage(file);
  if (!format || (await hasXmp(file))) {
    return undefined;
  }
  const xmp = Buffer.from(xmpOf(provenance), 'utf8');
  return new Uint8Array(await writers[format.extension](file, xmp));
}

const writers = {
  png: async (file: Buffer, xmp: Buffer): Promise<Buffer> =>
    // Not compressed, without a language and a translated keyword.
    Promise.resolve(
      behindPngHeader(file, [pngChunk('iTXt', Buffer.concat([pngXmpMark, Buffer.alloc(4), xmp]))]),
    ),
  jpg: async (file: Buffer, xmp: Buffer): Promise<Buffer> => {
    const at = await startOfSegments(file);
    const segment = jpegSegment(0xe1, Buffer.concat([jpegXmpMark, xmp]));
    return Buffer.concat([file.subarray(0, at), segment, file.subarray(at)]);
  },
  webp: async (file: Buffer, xmp: Buffer): Promise<Buffer> =>
    Promise.resolve(extendedWebp(file, 0x04, { last: [riffChunk('XMP ', xmp)] })),
};

/** Returns the position behind JFIF and EXIF in a JPEG file, where the order of segments is free. */
async function startOfSegments(file: Buffer): Promise<number> {
  const start = jfifEnd(file);
  for await (const { type, offset, start: data, length } of jpegSegments(new RangeReader(file))) {
    if (offset >= start) {
      const isExif = type === 'APP1' && file.subarray(data, data + exifMark.length).equals(exifMark);
      return isExif ? data + length : start;
    }
  }
  return start;
}

function xmpOf({ prompt, model, at, source }: Provenance): string {
  const words = shortened(prompt, maxPromptLength);
  const facts = [
    ...element('xmp:CreateDate', at === undefined ? undefined : new Date(at).toISOString()),
    ...element('xmp:CreatorTool', 'Limner'),
    ...element('Iptc4xmpExt:DigitalSourceType', source && `${sourceTypes}${source}`),
    ...element(
      'Iptc4xmpExt:AISystemUsed',
      model === undefined ? undefined : shortened(model, maxModelLength),
    ),
    ...element('Iptc4xmpExt:AIPromptInformation', words),
  ];
  return `<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
 rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${words}</rdf:li></rdf:Alt></dc:description>
${facts.join('\n')}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}

function element(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`<${name}>${value}</${name}>`];
}

/** Escapes the start of a text for XML. @param maxLength in bytes */
function shortened(text: string, maxLength: number): string {
  return escaped(truncate(text, maxLength, (start) => Buffer.byteLength(escaped(start))));
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
