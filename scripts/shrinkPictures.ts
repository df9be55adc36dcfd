/** Rewrites the PNG pictures of `media/screenshots` with at most 256 colors, which is enough for a window. */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';

for (const file of globSync('media/screenshots/*.png')) {
  const picture = sharp(await readFile(file));
  const { isPalette } = await picture.metadata();
  if (!isPalette) {
    await writeFile(file, await picture.png({ palette: true, quality: 100, effort: 10 }).toBuffer());
  }
}
