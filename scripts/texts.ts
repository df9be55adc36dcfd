/**
 * Writes the texts to be translated, `l10n/bundle.l10n.json`: those of `l10n.t`, and those of `english.t`, which is
 * made like one of the library's own functions so that its exporter finds them.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';

const files = globSync('src/**/*.{ts,tsx}').toSorted();
const texts = await getL10nJson(
  files.map((file) => ({
    extension: extname(file),
    contents: readFileSync(file, 'utf8').replace(
      /^(import \* as english from) '[^']+\/english\.ts';$/mu,
      "$1 '@vscode/l10n';",
    ),
  })),
);
writeFileSync('l10n/bundle.l10n.json', `${JSON.stringify(texts, undefined, 2)}\n`);
console.log(`${Object.keys(texts).length} texts in ${files.length} files`);
