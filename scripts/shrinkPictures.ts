/** Rewrites the PNG pictures of `media/screenshots` with at most 256 colors: the half is enough for a window. */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';

for (const file of globSync('media/screenshots/*.png')) {
  const before = await readFile(file);
  const after = await sharp(before).png({ palette: true, quality: 100, effort: 10 }).toBuffer();
  if (after.length < before.length) {
    await writeFile(file, after);
  }
}
