import { pngChunksBeforePixels } from './containers.ts';
import { RangeReader } from './rangeReader.ts';

/** The contents of colour chunks that mean sRGB, in hex. Other formats mean sRGB when they have no profile. */
const ordinary = new Map([
  ['cICP', '010d0001'],
  ['gAMA', '0000b18f'],
  ['cHRM', '00007a26000080840000fa00000080e8000075300000ea6000003a9800001770'],
]);
/** The chunks that override gamma and primaries. */
const weightier = ['cICP', 'iCCP', 'sRGB'];

const colourTypes = new Set([...ordinary.keys(), ...weightier]);

/** Reads the chunks that say what the colours of a PNG file mean, by type. */
export async function pngColourChunks(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const reader = new RangeReader(bytes);
  const found = new Map<string, Buffer>();
  for await (const { type, start, length } of pngChunksBeforePixels(reader)) {
    if (colourTypes.has(type)) {
      found.set(type, await reader.read(start, length));
    }
  }
  return found;
}

/** Whether only PNG can express a file's colours, which are neither sRGB nor described by a profile. */
export async function hasPngColours(bytes: Uint8Array): Promise<boolean> {
  const found = await pngColourChunks(bytes);
  const isSpecial = (type: string): boolean =>
    found.has(type) && found.get(type)?.toString('hex') !== ordinary.get(type);
  return (
    isSpecial('cICP') ||
    (!weightier.some((type) => found.has(type)) && (isSpecial('gAMA') || isSpecial('cHRM')))
  );
}
