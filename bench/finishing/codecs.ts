/** The codecs' thread as it ships, beside an event loop that is watched: `node codecs.ts <step> <folder of pictures>`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { measure } from '../measure.ts';
import { pathOf } from './pictures.ts';
import { steps } from './steps.ts';

const { Codecs } = createRequire(import.meta.url)(
  '../../dist/codecs.js',
) as typeof import('../../src/images/finish/codecs.ts');

const [name = '', folder = ''] = process.argv.slice(2);
const step = steps[name];
if (!step) {
  throw new Error(`There is no step ${name}.`);
}
const { picture, onWhite, how } = step;
const bytes = readFileSync(pathOf(folder, picture));
const sources = onWhite === undefined ? {} : { onWhite: readFileSync(pathOf(folder, onWhite)) };
const codecs = new Codecs();
await measure(async () => {
  const { untouched, cutout } = await codecs.finish(bytes, how, sources);
  if (untouched !== undefined || cutout?.verdict === 'bad') {
    throw new Error(`${name}: ${untouched ?? JSON.stringify(cutout)}`);
  }
});
await codecs.dispose();
