import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { defineHabit } from './defineFault.ts';
import { gather } from '../http/reply.ts';
import { prefersAsync } from '../http/requestBody.ts';
import { changedParts, changed, Picture, picturesIn, AVIF, GIF } from './pictures.ts';

interface File {
  mediaType: string;
  bytes: Buffer;
}

/** Defines a habit of returning other files than the painted images, inline and at their addresses. */
function file<const Name extends string, const Entries extends v.ObjectEntries>(
  name: Name,
  parameters: Entries,
  make: (picture: Picture, parameters: v.InferOutput<v.ObjectSchema<Entries, undefined>>) => File,
) {
  return defineHabit(name, {
    on: ['generations', 'edits', 'native', 'image'],
    parameters,
    applies: (_, { target, request }) =>
      target === 'native' || target === 'image' || !prefersAsync(request.headers['prefer']),
    apply: async (given, work, passage) => {
      const reply = await work();
      switch (passage.target) {
        case 'image': {
          const { bytes, mediaType } = make(
            new Picture(Buffer.concat((await gather(reply)).body), passage),
            given,
          );
          return { ...reply, headers: { 'content-type': mediaType }, body: [bytes] };
        }
        case 'native':
          return changedParts(reply, passage, (part, picture) => {
            if (picture === undefined) {
              return part;
            }
            const { bytes, mediaType } = make(picture, given);
            return { inlineData: { mimeType: mediaType, data: bytes.toString('base64') } };
          });
        default:
          return changed(reply, (answer) => ({
            ...answer,
            data: picturesIn(answer, passage).map((picture) => ({
              b64_json: make(picture, given).bytes.toString('base64'),
            })),
          }));
      }
    },
  });
}

/** Damages a stretch in the middle of each image; header and end are intact (postmark-town/postmark#3022). */
export const damagedPicture = file('damagedPicture', {}, ({ bytes, format, mediaType }) => {
  const spoiled = Buffer.from(bytes);
  const middle = Math.floor(bytes.length / 2);
  const length = Math.min(3000, Math.floor(bytes.length / 4));
  // Zeros end nothing in a JPEG's scan, but FF begins a marker.
  spoiled.fill(format === 'jpeg' ? 0xff : 0, middle, middle + length);
  return { mediaType, bytes: spoiled };
});

/** Returns an SVG with the painted image in it (pollinations/pollinations#12731). */
export const svgFile = file('svgFile', {}, ({ dataUrl }) => ({
  mediaType: 'image/svg+xml',
  bytes: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="${dataUrl}" width="64" height="64"/></svg>`,
  ),
}));

/** Returns an AVIF (pollinations/pollinations#12731). */
export const avifFile = file('avifFile', {}, () => ({ mediaType: 'image/avif', bytes: AVIF }));

/** Returns a GIF (pollinations/pollinations#12731). */
export const gifFile = file('gifFile', {}, () => ({ mediaType: 'image/gif', bytes: GIF }));

/** Appends bytes behind the end of each image (anomalyco/opentui#1326). */
export const trailingBytes = file(
  'trailingBytes',
  { bytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)), 100) },
  ({ bytes, mediaType }, { bytes: count }) => ({
    mediaType,
    bytes: Buffer.concat([bytes, Buffer.alloc(count, 'behind the end. ')]),
  }),
);

/** Sets an EXIF orientation of a quarter turn in a PNG or JPEG (YIWANG3/AfterFrame#88). */
export const turnedPicture = file('turnedPicture', {}, ({ bytes, format, mediaType }) => ({
  mediaType,
  bytes: format === 'png' ? turnedPng(bytes) : format === 'jpeg' ? turnedJpeg(bytes) : bytes,
}));

/** A TIFF header, and a directory with one entry: orientation 6, the top of the image is at the right. */
const EXIF = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');

function turnedPng(png: Buffer): Buffer {
  // Behind the signature and IHDR.
  const at = 33;
  const typed = Buffer.concat([Buffer.from('eXIf'), EXIF]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(EXIF.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([png.subarray(0, at), length, typed, checksum, png.subarray(at)]);
}

function turnedJpeg(jpeg: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0'), EXIF]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}
