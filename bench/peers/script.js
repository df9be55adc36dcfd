// The whole script: `node script.js <base URL> <folder> <prompt> <count> [input files]`.
import { paint } from './paint.js';

await paint(process.argv.slice(2));
