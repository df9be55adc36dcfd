import exifReader, { type ExpandedTags } from 'exifreader';
import sharp from 'sharp';

/** Reads all metadata of a file by ExifReader: EXIF, XMP and ICC tags, each group only where there is one. */
export async function readTags(file: Uint8Array): Promise<ExpandedTags> {
  // Node sees no names in this package, only the types do.
  // oxlint-disable-next-line import/no-named-as-default-member
  return exifReader.load(Buffer.from(file), { expanded: true, async: true });
}

/** Reads the ICC profile of a file by libvips, whose PNG reader takes only well-formed ones. */
export async function readProfile(file: Uint8Array): Promise<Buffer | undefined> {
  return (await sharp(file, { failOn: 'warning' }).metadata()).icc;
}

/** Returns a well-formed RGB profile of a length in bytes, at least 480. */
export async function profileOfLength(length: number): Promise<Buffer> {
  const picture = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } });
  const profile = await readProfile(await picture.withIccProfile('p3').png().toBuffer());
  if (profile === undefined || profile.length > length) {
    throw new RangeError(`There is no profile of ${length} bytes.`);
  }
  const longer = Buffer.alloc(length, 'filling');
  profile.copy(longer);
  longer.writeUInt32BE(length);
  // Version 2, in which the length may be any.
  longer[8] = 2;
  return longer;
}
