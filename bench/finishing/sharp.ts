/** The same by the package `sharp`, where it can: `node sharp.ts <step> <folder of pictures>`. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { measure } from '../measure.ts';
import { pathOf } from './pictures.ts';
import { steps } from './steps.ts';

const [name = '', folder = ''] = process.argv.slice(2);
const { picture, how: { size, encoding = { format: 'png' as const } } = {} } = steps[name] ?? {};
const bytes = readFileSync(pathOf(folder, picture ?? name));
await measure(async () => {
  const image = sharp(bytes);
  await (size ? image.resize(size) : image).toFormat(encoding.format, encoding).toBuffer();
});
