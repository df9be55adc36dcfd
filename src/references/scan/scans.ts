// Room: how each language names images, and what it says of them.
// Never: where the files are.

import { mentionsPlaceholders, placeholderAt } from '../placeholders.ts';
import type { Reference } from '../reference.ts';
import {
  withoutComments,
  withoutMarkupCode,
  withoutMdxComments,
  withoutStyleComments,
  withoutStyleLineComments,
} from './comments.ts';
import { withoutMarkdownCode } from './markdownCode.ts';
import { maskedAt } from './masked.ts';
import { scanAsciiDoc } from './scanAsciiDoc.ts';
import { frontMatterOf, scanFrontMatter } from './scanFrontMatter.ts';
import { scanMarkdown } from './scanMarkdown.ts';
import { scanMarkup } from './scanMarkup.ts';
import { scanModules } from './scanModules.ts';
import { scanStrings } from './scanStrings.ts';
import { scanStyles } from './scanStyles.ts';

type Scan = (text: string) => Reference[];

const scanAll =
  (...scans: readonly Scan[]): Scan =>
  (text) =>
    scans.flatMap((scan) => scan(text));

const scanPage: Scan = (text) => scanAll(scanMarkup, scanStyles)(withoutMarkupCode(text));
/** What markup says of a string counts for more than what is around it. */
const scanMarkupAndStrings: Scan = (text) => {
  const found = scanMarkup(text);
  return [...found, ...scanStrings(text, new Set(found.map(({ start }) => start)))];
};
const scanComponent: Scan = (text) =>
  scanAll(scanMarkupAndStrings, scanStyles, scanModules)(withoutComments(text));
/** Which files a script names is not known: only what is a placeholder everywhere. */
const scanScript: Scan = (text) =>
  mentionsPlaceholders(text)
    ? scanMarkupAndStrings(withoutComments(text)).filter(({ address }) => placeholderAt(address))
    : [];
const withoutFrontMatter = (text: string): string => {
  const range = frontMatterOf(text);
  return range ? maskedAt(text, [range]) : text;
};
const scanProse: Scan = (text) => {
  const prose = withoutMarkupCode(withoutMarkdownCode(withoutFrontMatter(text)));
  return [...scanFrontMatter(text), ...scanAll(scanMarkdown, scanMarkup)(prose)];
};
const scanMdx: Scan = (text) => {
  const prose = withoutMdxComments(withoutMarkdownCode(withoutFrontMatter(text), true));
  const markup = withoutMarkupCode(prose);
  return [...scanFrontMatter(text), ...scanAll(scanMarkdown, scanMarkup, scanModules)(markup)];
};
const scanSheet: Scan = (text) => scanStyles(withoutStyleComments(text));
const scanNestedSheet: Scan = (text) => scanSheet(withoutStyleLineComments(text));

/** How the documents of a language are read, by VS Code's id of it. */
export const scans: Readonly<Record<string, Scan>> = {
  markdown: scanProse,
  mdx: scanMdx,
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
