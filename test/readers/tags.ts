import exifReader, { type ExpandedTags } from 'exifreader';

/** Reads all metadata of a file by ExifReader: EXIF, XMP and ICC tags, each group only where there is one. */
export async function readTags(file: Uint8Array): Promise<ExpandedTags> {
  // Node sees no names in this package, only the types do.
  // oxlint-disable-next-line import/no-named-as-default-member
  return exifReader.load(Buffer.from(file), { expanded: true, async: true });
}
