import sharp from 'sharp';

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
