/** `npm run contributions`: writes the files that follow from the tables of this folder. */
import { writeFileSync } from 'node:fs';
import { files } from './files.ts';

for (const [path, text] of Object.entries(await files())) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), text);
}
