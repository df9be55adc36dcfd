import { load } from 'js-yaml';
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from 'parse5';

/** Reads the front matter of a page by js-yaml. @throws Error for what is no YAML */
export function readFrontMatter(page: string): unknown {
  const [, lines = ''] = /^\uFEFF?---\r?\n([^]*?)^---\s*$/mu.exec(page) ?? [];
  return load(lines);
}

/** Returns what the meta tags of a page's head say, as parse5 reads it: each property with its values, in order. */
export function readHead(page: string): Record<string, string[]> {
  const said: Record<string, string[]> = {};
  const read = (node: DefaultTreeAdapterTypes.Node): void => {
    if (defaultTreeAdapter.isElementNode(node) && node.tagName === 'meta') {
      const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
      const property = attributes.get('property') ?? attributes.get('name');
      if (property !== undefined) {
        (said[property] ??= []).push(attributes.get('content') ?? '');
      }
    }
    if ('childNodes' in node) {
      for (const child of node.childNodes) {
        read(child);
      }
    }
  };
  const html = parse(page).childNodes.find((node) => node.nodeName === 'html');
  const head =
    html && 'childNodes' in html ? html.childNodes.find((node) => node.nodeName === 'head') : undefined;
  if (head) {
    read(head);
  }
  return said;
}
