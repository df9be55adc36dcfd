import type { ReadLanguage } from './languages.ts';
import { mentionsPlaceholders, placeholderAt } from '../scan/placeholders.ts';
import { markupElements } from '../scan/markupElements.ts';
import { type Findings, placed, type Reference } from '../scan/reference.ts';
import {
  withoutComments,
  withoutMarkupCode,
  withoutMdxComments,
  withoutStyleComments,
  withoutStyleLineComments,
  withoutTemplateComments,
  scriptsIn,
} from '../scan/masked.ts';
import {
  byHeadings,
  byItems,
  byRules,
  bySections,
  bySectionsOfMdx,
  byStatements,
  byTitles,
  type Division,
} from '../scan/divisions.ts';
import { plainMarkdown } from '../scan/markdownCode.ts';
import { scanAsciiDoc } from '../scan/scanAsciiDoc.ts';
import { scanFrontMatter, withoutFrontMatter } from '../scan/scanFrontMatter.ts';
import { scanMarkdown } from '../scan/scanMarkdown.ts';
import { scanMarkup } from '../scan/scanMarkup.ts';
import { scanModules, scanStrings } from '../scan/scanStrings.ts';
import { scanStyles } from '../scan/scanStyles.ts';

type Scan = (text: string) => Reference[];
/** @param isStart whether a part is the first of its document */
type PartScan = (text: string, isStart: boolean) => Findings;

interface LanguageScan {
  division: Division;
  scan: PartScan;
}

const scanAll =
  (...scans: readonly Scan[]): Scan =>
  (text) =>
    scans.flatMap((scan) => scan(text));

/** Markup describes the image of a string better than the surrounding code. @param codeOf returns the text of programs */
const scanMarkupAnd =
  (codeOf: (text: string) => string): Scan =>
  (text) => {
    const found = scanMarkup(text);
    return [...found, ...scanStrings(codeOf(text), new Set(found.map(({ start }) => start)))];
  };
const scanMarkupAndStrings = scanMarkupAnd((text) => text);
const scanPage: Scan = (text) =>
  scanAll(scanMarkupAnd(scriptsIn), scanStyles)(withoutMarkupCode(withoutTemplateComments(text)));
/** Strings of several lines, or parts of programs, that a component computes rather than shows. */
const templates = /(?<=(?:[=(,:?[+]|\breturn|\bdefault)\s*)`(?:[^`\\$]|\\.|\$(?!\{)|\$\{[^{}`]*\})*`/gu;
/** In the text of a program, only placeholders are meant as images. */
const scanComponentMarkup: Scan = (text) => {
  const programs = text.includes('`') ? [...text.matchAll(templates)] : [];
  return scanMarkupAndStrings(text).filter(
    ({ address, wholes: [[start] = [0]] }) =>
      placeholderAt(address) ||
      !programs.some(({ index, 0: { length } }) => index < start && start < index + length),
  );
};
const scanComponent: Scan = (text) =>
  scanAll(scanComponentMarkup, scanStyles, scanModules)(withoutComments(text));
/** Paths in a script are unknown, so only unambiguous placeholders count. */
const scanScript: Scan = (text) =>
  mentionsPlaceholders(text)
    ? scanMarkupAndStrings(withoutComments(text)).filter(({ address }) => placeholderAt(address))
    : [];
/** Returns the reader for pages with optional front matter. @param isMdx whether they are programs, too */
const scanPages =
  (isMdx: boolean, ...others: readonly Scan[]): PartScan =>
  (text, isStart) => {
    const plain = plainMarkdown(isStart ? withoutFrontMatter(text) : text, isMdx);
    const prose = withoutMarkupCode(isMdx ? withoutMdxComments(plain.text) : plain.text);
    const { references, ...labels } = scanMarkdown(plain.withoutHtml(prose));
    const above = isStart ? scanFrontMatter(text) : [];
    return { references: [...above, ...references, ...scanAll(...others)(prose)], ...labels };
  };
/** Finds the images of styles in tags: elsewhere in prose, `url(…)` is only text. */
const scanTagStyles: Scan = (text) =>
  [...markupElements(text)].flatMap(({ attributes }) => {
    const style = attributes.get('style');
    return style ? scanStyles(style.value).map((one) => placed(one, style.start)) : [];
  });
const scanProse = scanPages(false, scanMarkup, scanTagStyles);
const scanMdx = scanPages(true, scanMarkup, scanModules);
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

/** How documents are read, and divided into parts that are read on their own. */
export const scans: Readonly<Partial<Record<string, LanguageScan>>> = {
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
} satisfies Readonly<Record<ReadLanguage, LanguageScan>>;
