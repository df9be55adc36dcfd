import { markupElements } from '../scan/markupElements.ts';
import { imagesFolderOf } from '../scan/scanAsciiDoc.ts';
import { withoutMarkupCode } from '../scan/masked.ts';

/** Length of the beginning of a page that is searched for its base, in UTF-16 units. */
const reach = 10_000;

/** Addresses that are not on disk, or are known only after rendering. */
const elsewhere = /^[a-z][\w+.-]+:|^\/\/|[{}<>%]/iu;

/**
 * Returns the base of a document's relative addresses, with a trailing slash; empty if it has none, undefined if it is
 * not on disk, or computed.
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
