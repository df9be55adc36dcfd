import { markupElements } from './scan/markupElements.ts';
import { imagesFolderOf } from './scan/scanAsciiDoc.ts';
import { withoutMarkupCode } from './scan/comments.ts';

/** How far into a page its base is looked for, in UTF-16 units. */
const reach = 10_000;

/** What is not on disk, or not known before it is rendered. */
const elsewhere = /^[a-z][\w+.-]+:|^\/\/|[{}<>%]/iu;

/**
 * Returns what a document puts before its relative addresses, which ends with a slash; empty if nothing, undefined if it
 * is not on disk, or computed.
 *
 * @param language VS Code's id
 */
export function baseIn(text: string, language: string | undefined): string | undefined {
  const base = language === 'asciidoc' ? imagesFolderOf(text) : language === 'html' ? baseOfPage(text) : '';
  return base === undefined || elsewhere.test(base) ? undefined : base;
}

function baseOfPage(text: string): string {
  const head = text.slice(0, reach);
  if (!/<base\s/iu.test(head)) {
    return '';
  }
  for (const { name, attributes } of markupElements(withoutMarkupCode(head))) {
    const address = attributes.get('href')?.value;
    if (name.toLowerCase() === 'base' && address !== undefined) {
      return elsewhere.test(address) ? address : address.slice(0, address.lastIndexOf('/') + 1);
    }
  }
  return '';
}
