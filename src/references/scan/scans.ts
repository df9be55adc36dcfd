// Room: how each language names images, and what it says of them.
// Never: where the files are.

import { mentionsPlaceholders, placeholderAt } from '../placeholders.ts';
import type { Reference } from '../reference.ts';
import { masked } from './masked.ts';
import { scanAsciiDoc } from './scanAsciiDoc.ts';
import { scanMarkdown, withoutMarkdownCode } from './scanMarkdown.ts';
import { scanMarkup } from './scanMarkup.ts';
import { scanFrontMatter, scanModules } from './scanModules.ts';
import { scanStrings } from './scanStrings.ts';
import { scanStyles, styleComments, styleLineComments } from './scanStyles.ts';

type Scan = (text: string) => Reference[];

const markupComments = /<!--[^]*?(?:-->|$)/gu;
/** Not those in `image/*` or a pattern of files. */
const blockComments = /((?:^|[\s{}()[\];,=:>]))\/\*[^]*?(?:\*\/|$)/gu;
const lineComments = /((?:^|[\s{}();,]))\/\/.*/gmu;

const scanAll =
  (...scans: readonly Scan[]): Scan =>
  (text) =>
    scans.flatMap((scan) => scan(text));

const scanPage: Scan = (text) => scanAll(scanMarkup, scanStyles)(masked(text, markupComments));
const withoutComments = (text: string): string =>
  masked(masked(masked(text, markupComments), blockComments), lineComments);
// What markup says of a string counts for more than what is around it.
const scanComponent: Scan = (text) =>
  scanAll(scanStrings, scanMarkup, scanStyles, scanModules)(withoutComments(text));
/** Which files a script names is not known: only what is a placeholder everywhere. */
const scanScript: Scan = (text) =>
  mentionsPlaceholders(text)
    ? scanAll(scanStrings, scanMarkup)(withoutComments(text)).filter(({ address }) => placeholderAt(address))
    : [];
const scanProse: Scan = (text) => {
  const prose = masked(withoutMarkdownCode(text), markupComments);
  return [...scanFrontMatter(text), ...scanAll(scanMarkdown, scanMarkup)(prose)];
};
const scanSheet: Scan = (text) => scanStyles(masked(text, styleComments));
const scanNestedSheet: Scan = (text) => scanSheet(masked(text, styleLineComments));

/** How the documents of a language are read, by VS Code's id of it. */
export const scans: Readonly<Record<string, Scan>> = {
  markdown: scanProse,
  mdx: (text) => [...scanProse(text), ...scanModules(withoutMarkdownCode(text))],
  html: scanPage,
  vue: scanComponent,
  svelte: scanComponent,
  astro: scanComponent,
  javascriptreact: scanComponent,
  typescriptreact: scanComponent,
  javascript: scanScript,
  typescript: scanScript,
  json: scanScript,
  css: scanSheet,
  postcss: scanSheet,
  scss: scanNestedSheet,
  less: scanNestedSheet,
  asciidoc: scanAsciiDoc,
};
