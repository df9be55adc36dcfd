/**
 * Writes the texts to be translated, `l10n/bundle.l10n.json`: those of `l10n.t`, and those of `english.t`, which the
 * library's exporter finds because it is made like one of the library's own. The keys of these end with `/kept`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';

const files = globSync('src/**/*.{ts,tsx}').toSorted();

/** @param change hides the calls that don't count */
async function textsIn(change: (source: string) => string): ReturnType<typeof getL10nJson> {
  return getL10nJson(
    files.map((file) => ({ extension: extname(file), contents: change(readFileSync(file, 'utf8')) })),
  );
}

const shown = await textsIn((source) => source);
const kept = await textsIn((source) =>
  source
    .replace(/^import (?:type )?\* as (?:l10n|vscode) from .*$/gmu, '')
    .replace(/^(import \* as english from) '[^']+\/english\.ts';$/mu, "$1 '@vscode/l10n';"),
);
const texts = {
  ...shown,
  ...Object.fromEntries(Object.entries(kept).map(([text, value]) => [`${text}/kept`, value])),
};
writeFileSync('l10n/bundle.l10n.json', `${JSON.stringify(texts, undefined, 2)}\n`);
console.log(`${Object.keys(texts).length} texts in ${files.length} files`);
