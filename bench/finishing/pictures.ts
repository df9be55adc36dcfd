import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeImage } from '../../src/images/codecs/codecSet.ts';

const side = 4096;

type Color = readonly [red: number, green: number, blue: number];

/** What is behind the subject; the scene fills its picture. */
const grounds: Readonly<Record<string, Color | undefined>> = {
  scene: undefined,
  green: [0, 255, 0],
  white: [255, 255, 255],
  black: [0, 0, 0],
};

/** Writes the pictures with their names, as PNG files but for one JPEG: waves with noise, or a disk of them with a soft edge on a ground. */
export async function writePictures(folder: string): Promise<void> {
  for (const [name, ground] of Object.entries(grounds)) {
    const file = await encodeImage({ width: side, height: side, rgba: paint(ground) }, { format: 'png' });
    await writeFile(pathOf(folder, name), file);
  }
  // Its colors have half the resolution of its brightness.
  const halved = { width: side, height: side, rgba: paint(grounds['green']) };
  await writeFile(pathOf(folder, 'halved'), await encodeImage(halved, { format: 'jpeg', quality: 70 }));
}

export function pathOf(folder: string, name: string): string {
  return join(folder, name);
}

function paint(ground: Color | undefined): Uint8Array {
  const rgba = new Uint8Array(4 * side * side);
  let noise = 1;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      // Like the grain of a photo: a linear congruential generator, for 0 to 7.
      noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0;
      const grain = noise >>> 29;
      const waves: Color = [
        180 + 60 * Math.sin(x / 90) + grain,
        70 + 50 * Math.sin(y / 70) + grain,
        110 + 90 * Math.sin((x + y) / 160) + grain,
      ];
      const shown = ground ? alphaAt(x, y) : 1;
      const at = 4 * (y * side + x);
      for (const channel of [0, 1, 2] as const) {
        rgba[at + channel] = shown * waves[channel] + (1 - shown) * (ground?.[channel] ?? 0);
      }
      rgba[at + 3] = 255;
    }
  }
  return rgba;
}

/** A disk, opaque up to its soft edge of 40 pixels. */
function alphaAt(x: number, y: number): number {
  const distance = Math.hypot(x - side / 2, y - side / 2);
  return Math.min(1, Math.max(0, (0.4 * side - distance) / 40));
}
