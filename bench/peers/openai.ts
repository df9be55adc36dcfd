/** The script's work alone: `node openai.ts <base URL> <folder> <prompt> <count> [input files]`. */
import { measure } from '../measure.ts';
import { paint } from './paint.js';

await measure(async () => paint(process.argv.slice(2)));
