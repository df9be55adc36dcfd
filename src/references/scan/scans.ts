// Room: how each language names images, and what it says of them.
// Never: where the files are.

import { mentionsPlaceholders, placeholderAt } from '../placeholders.ts';
import type { Findings, Reference } from '../reference.ts';
import {
  withoutComments,
  withoutMarkupCode,
  withoutMdxComments,
  withoutStyleComments,
  withoutStyleLineComments,
} from './comments.ts';
import {
  byHeadings,
  byItems,
  byRules,
  bySections,
  bySectionsOfMdx,
  byStatements,
  byTitles,
  type Division,
} from './divisions.ts';
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
/** @param isStart whether a part is the first of its document */
type PartScan = (text: string, isStart: boolean) => Findings;

/** How the documents of a language are read, part by part. */
interface LanguageScan {
  division: Division;
  scan: PartScan;
}

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
/** Returns how a page is read that may begin with front matter. @param proseOf returns what of it is no code */
const scanPages =
  (proseOf: (text: string) => string, ...others: readonly Scan[]): PartScan =>
  (text, isStart) => {
    const prose = withoutMarkupCode(proseOf(isStart ? withoutFrontMatter(text) : text));
    const { references, ...labels } = scanMarkdown(prose);
    const above = isStart ? scanFrontMatter(text) : [];
    return { references: [...above, ...references, ...scanAll(...others)(prose)], ...labels };
  };
const scanProse = scanPages(withoutMarkdownCode, scanMarkup);
const scanMdx = scanPages(
  (text) => withoutMdxComments(withoutMarkdownCode(text, true)),
  scanMarkup,
  scanModules,
);
const scanSheet: Scan = (text) => scanStyles(withoutStyleComments(text));
const scanNestedSheet: Scan = (text) => scanSheet(withoutStyleLineComments(text));

const inParts = (division: Division, scan: Scan): LanguageScan => ({
  division,
  scan: (text) => ({ references: scan(text) }),
});
const component = inParts(byStatements, scanComponent);
const script = inParts(byStatements, scanScript);
const sheet = inParts(byRules, scanSheet);
const nestedSheet = inParts(byRules, scanNestedSheet);

/** How the documents of a language are read, by VS Code's id of it. */
export const scans: Readonly<Record<string, LanguageScan>> = {
  markdown: { division: bySections, scan: scanProse },
  mdx: { division: bySectionsOfMdx, scan: scanMdx },
  html: inParts(byHeadings, scanPage),
  vue: component,
  svelte: component,
  astro: component,
  javascriptreact: component,
  typescriptreact: component,
  javascript: script,
  typescript: script,
  json: inParts(byItems, scanScript),
  css: sheet,
  postcss: sheet,
  scss: nestedSheet,
  less: nestedSheet,
  asciidoc: inParts(byTitles, scanAsciiDoc),
};
