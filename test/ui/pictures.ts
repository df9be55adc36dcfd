import { join, resolve } from 'node:path';
import { outFolder } from '../support/folders.ts';

/** Where pictures of windows go: `npm run screenshots` sets the folder of those in the README. */
export const pictures = resolve(process.env['LIMNER_SCREENSHOTS'] ?? join(outFolder, 'screenshots'));
