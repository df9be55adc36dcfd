/**
 * `npm run screenshots`: takes the screenshots of `media/screenshots` again, and makes them small: those in PNG have at
 * most 256 colors, which is enough for a window.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { requireLinux } from '../test/support/platform.ts';

requireLinux('npm run screenshots');
const folder = 'media/screenshots';
const tests = [
  'test/long/themes.test.ts',
  'test/long/studio/finish.test.ts',
  ...globSync('test/long/documents/*.test.ts'),
];
const startedAt = Date.now();
const { status } = spawnSync(process.execPath, ['--test', ...tests], {
  stdio: 'inherit',
  env: { ...process.env, LIMNER_SCREENSHOTS: folder },
});
if (status !== 0) {
  process.exit(1);
}

for (const file of globSync(`${folder}/*.png`)) {
  const picture = sharp(await readFile(file));
  const { isPalette } = await picture.metadata();
  if (!isPalette) {
    await writeFile(file, await picture.png({ palette: true, quality: 100, effort: 10 }).toBuffer());
  }
}

for (const file of globSync(`${folder}/*.jpg`)) {
  // A picture that is encoded again loses a little.
  if ((await stat(file)).mtimeMs >= startedAt) {
    const picture = sharp(await readFile(file));
    await writeFile(file, await picture.jpeg({ quality: 72, mozjpeg: true }).toBuffer());
  }
}
