/**
 * Writes the extension's page as VS Code shows it to `dist/EXTENSION.md`: VS Code resolves no relative address there, and
 * there is no repository yet that an absolute one could name. So the pictures are part of the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const mediaTypes: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg' };
const page = readFileSync('EXTENSION.md', 'utf8').replaceAll(
  /(?<=\]\()media\/[^)]+\.(\w+)(?=\))/gu,
  (path, extension: string) =>
    `data:${mediaTypes[extension]};base64,${readFileSync(path).toString('base64')}`,
);
writeFileSync('dist/EXTENSION.md', page);
