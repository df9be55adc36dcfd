import { load as loadAsciiDoc, SafeMode } from '@asciidoctor/core';
import { parse as parseAstro } from '@astrojs/compiler';
import { parse as parseVue } from '@vue/compiler-sfc';
import { parseSync } from 'oxc-parser';
import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { parse as parseCss } from 'postcss';
import { parse as parseScss } from 'postcss-scss';
import parseValue from 'postcss-value-parser';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import { parse as parseSvelte } from 'svelte/compiler';
import { unified } from 'unified';
import type { ReadLanguage } from '../../src/pages/find/languages.ts';
import { listsImages, mayNameImage, takesAsPath } from '../../src/pages/scan/scanMarkup.ts';

/** What a parser finds in a document. */
export interface Judged {
  /** Addresses where images are shown, among others. */
  images: string[];
  /** Texts in which it is for Limner to say whether something is an image: strings of programs, notes of generators. */
  texts: string[];
}

/** @throws Error for a document that is no valid one of its language */
export type Judge = (text: string) => Judged | Promise<Judged>;

/** A node of any of these parsers. */
type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function* nodesIn(tree: unknown, known = new Set<unknown>()): Generator<Node> {
  if (!isNode(tree) || known.has(tree)) {
    return;
  }
  known.add(tree);
  yield tree;
  for (const child of Object.values(tree)) {
    yield* nodesIn(child, known);
  }
}

function all(...parts: readonly Judged[]): Judged {
  return { images: parts.flatMap(({ images }) => images), texts: parts.flatMap(({ texts }) => texts) };
}

/** Judges an element by its name and its literal attributes. Which attributes show images is Limner's own rule. */
function judgeElement(name: string, attributes: Iterable<readonly [string, string]>): Judged {
  const values = new Map([...attributes].map(([key, value]) => [key.toLowerCase(), value]));
  const images = [...values].flatMap(([key, value]) => {
    if (listsImages(key)) {
      return candidatesIn(value);
    }
    return mayNameImage(name, key, (other) => values.get(other)) ? [value] : [];
  });
  const named = images.filter((address) => takesAsPath(name, address));
  return { images: [...named, ...urlsIn(values.get('style') ?? '')], texts: [] };
}

/** Returns the addresses of a `srcset`, as the standard divides it. */
function candidatesIn(set: string): string[] {
  return [...set.matchAll(/[\s,]*(\S*[^\s,])(?:,|\s[^,]*)?/gu)].map(([, address = '']) => address);
}

function urlsIn(value: string): string[] {
  const found: string[] = [];
  parseValue(value).walk((node) => {
    if (node.type !== 'function') {
      return;
    }
    const name = node.value.toLowerCase();
    const strings = node.nodes.filter(({ type }) => type === 'string' || type === 'word');
    if (name === 'url' && strings.length === 1) {
      found.push(...strings.map((one) => one.value));
    } else if (/^(?:-webkit-)?image-set$/u.test(name)) {
      found.push(...node.nodes.flatMap((one) => (one.type === 'string' ? [one.value] : [])));
    }
  });
  return found;
}

/** Less is near enough to SCSS. */
const sheets = {
  css: parseCss,
  postcss: parseCss,
  scss: parseScss,
  less: parseScss,
};

function judgeSheet(text: string, language: string): Judged {
  if (!Object.hasOwn(sheets, language)) {
    return { images: [], texts: [text] };
  }
  const images: string[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  sheets[language as keyof typeof sheets](text).walk((node) => {
    images.push(...urlsIn(node.type === 'decl' ? node.value : node.type === 'atrule' ? node.params : ''));
  });
  return { images, texts: [] };
}

function literalOf(node: unknown): string | undefined {
  if (!isNode(node)) {
    return undefined;
  }
  if (node['type'] === 'Literal') {
    return typeof node['value'] === 'string' ? node['value'] : undefined;
  }
  if (node['type'] !== 'TemplateLiteral') {
    return node['type'] === 'JSXExpressionContainer' ? literalOf(node['expression']) : undefined;
  }
  const parts = [...nodesIn(node['quasis'])].filter(({ type }) => type === 'TemplateElement');
  const [only] = parts;
  const value = only?.['value'];
  return parts.length === 1 && isNode(value) ? String(value['cooked']) : undefined;
}

function nameIn(node: unknown): string {
  const { type, name, object, property, namespace } = isNode(node) ? node : {};
  if (type === 'JSXMemberExpression') {
    return `${nameIn(object)}.${nameIn(property)}`;
  }
  return typeof name === 'string' ? name : `${nameIn(namespace)}:${nameIn(name)}`;
}

/** Judges a syntax tree of JavaScript. */
function judgeTree(tree: unknown): Judged {
  const images: string[] = [];
  const texts: string[] = [];
  for (const node of nodesIn(tree)) {
    const [first] = listIn(node['arguments']);
    const source = node['source'] ?? first;
    const { callee } = node;
    switch (node['type']) {
      case 'JSXOpeningElement': {
        const attributes = listIn(node['attributes']).flatMap((attribute) => {
          const { name, value } = isNode(attribute) ? attribute : {};
          const literal = literalOf(value);
          return name === undefined || literal === undefined ? [] : [[nameIn(name), literal] as const];
        });
        images.push(...judgeElement(nameIn(node['name']), attributes).images);
        break;
      }
      case 'ImportDeclaration':
      case 'ImportExpression':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        images.push(literalOf(source) ?? '');
        break;
      case 'CallExpression':
      case 'NewExpression':
        if (isNode(callee) && ['require', 'URL'].includes(String(callee['name']))) {
          images.push(literalOf(source) ?? '');
        }
        break;
      case 'Literal':
      case 'TemplateElement':
      case 'JSXText': {
        const { value } = node;
        texts.push(isNode(value) ? String(value['raw']) : String(value));
      }
    }
  }
  return { images, texts: [...texts, ...texts.flatMap(urlsIn)] };
}

function judgeScript(text: string, lang: 'js' | 'ts' | 'jsx' | 'tsx'): Judged {
  const { program, errors } = parseSync(`a.${lang}`, text, { lang, sourceType: 'module' });
  if (errors.length > 0) {
    throw new Error(errors[0]?.message);
  }
  return judgeTree(program);
}

/** Judges a program that may be of any kind. */
function judgeProgram(text: string): Judged {
  try {
    return judgeScript(text, 'ts');
  } catch {
    return judgeScript(text, 'tsx');
  }
}

/** In the scripts of a page, only the placeholders count. */
function textsOfProgram(text: string): Judged {
  return { images: [], texts: [text] };
}

/** Elements whose content is shown as it is written. */
const shownAsWritten: ReadonlySet<string> = new Set(['pre', 'code', 'textarea']);

function judgeMarkup(root: DefaultTreeAdapterTypes.Node): Judged {
  const parts: Judged[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (defaultTreeAdapter.isElementNode(node)) {
      const { tagName, attrs } = node;
      if (shownAsWritten.has(tagName)) {
        return;
      }
      const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
      const names = attrs.map(
        ({ name, prefix, value }) =>
          [prefix === undefined || prefix === '' ? name : `${prefix}:${name}`, value] as const,
      );
      parts.push(
        judgeElement(tagName, names),
        tagName === 'style' ? judgeSheet(text, 'css') : tagName === 'script' ? textsOfProgram(text) : all(),
      );
    }
    for (const child of [
      ...('childNodes' in node ? node.childNodes : []),
      ...('content' in node ? [node.content] : []),
    ]) {
      visit(child);
    }
  };
  visit(root);
  return all(...parts);
}

/** Returns the attributes of all elements of a name. */
export function readHtml(text: string, name: string): Record<string, string>[] {
  return [...nodesIn(parseFragment(text))].flatMap((node) =>
    node['tagName'] === name && Array.isArray(node['attrs'])
      ? [
          Object.fromEntries(
            node['attrs'].map((one: { name: string; value: string }) => [one.name, one.value]),
          ),
        ]
      : [],
  );
}

const judgeHtml: Judge = (text) => judgeMarkup(parse(text, { scriptingEnabled: false }));

function imageOf(address: unknown): string {
  return typeof address === 'string'
    ? `<img src="${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
    : '';
}

/** Writes what a document of Markdown shows, but for its words, as HTML. */
function markupOf(node: Node, definitions: ReadonlyMap<unknown, unknown>): string {
  switch (node['type']) {
    case 'html':
      return String(node['value']);
    case 'image':
      return imageOf(node['url']);
    case 'imageReference':
      return imageOf(definitions.get(node['identifier']));
    default: {
      const children = Array.isArray(node['children']) ? node['children'] : [];
      return children.map((child: unknown) => (isNode(child) ? markupOf(child, definitions) : '')).join('\n');
    }
  }
}

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter, ['yaml', 'toml']);
const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).use(remarkFrontmatter, ['yaml', 'toml']);
/** Lines with which some site generators begin what is indented and no code. */
const indenting = /^[ \t]*(?:!!!|\?\?\?\+?|===|\[\^.+\]:|:)[ \t]/mu;
/** A tag with which some read Markdown in HTML. */
const markdownInside = /^<[^<>]*\smarkdown\b/iu;

function definitionsIn(tree: unknown): ReadonlyMap<unknown, unknown> {
  const found = [...nodesIn(tree)].filter(({ type }) => type === 'definition').toReversed();
  return new Map(found.map((node) => [node['identifier'], node['url']]));
}

const judgeMarkdown: Judge = (text) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const tree = markdown.parse(text) as unknown as Node;
  const texts = [...nodesIn(tree)].flatMap(({ type, value, lang }) =>
    (type === 'code' && lang === null && indenting.test(text)) ||
    (type === 'html' && markdownInside.test(String(value)))
      ? [String(value)]
      : [],
  );
  return all(judgeMarkup(parseFragment(markupOf(tree, definitionsIn(tree)))), { images: [], texts });
};

/** Returns the addresses of the images that CommonMark shows. */
export function markdownImages(text: string): string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const tree = unified().use(remarkParse).use(remarkFrontmatter).parse(text) as unknown as Node;
  return judgeMarkup(parseFragment(markupOf(tree, definitionsIn(tree)))).images;
}

const judgeMdx: Judge = (text) => {
  const tree = mdx.parse(text);
  const definitions = definitionsIn(tree);
  const parts: Judged[] = [];
  for (const node of nodesIn(tree)) {
    const { type, name, attributes, url, identifier } = node;
    if (type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement') {
      const values = (Array.isArray(attributes) ? attributes : []).flatMap((attribute: unknown) => {
        const { name: key, value } = isNode(attribute) ? attribute : {};
        const literal = typeof value === 'string' ? value : literalOf(expressionIn(value));
        return typeof key === 'string' && literal !== undefined ? [[key, literal] as const] : [];
      });
      parts.push(judgeElement(String(name), values));
    } else if (type === 'image' || type === 'imageReference') {
      parts.push({ images: [String(type === 'image' ? url : definitions.get(identifier))], texts: [] });
    } else if (type === 'Program') {
      parts.push(judgeTree(node));
    }
  }
  return all(...parts);
};

function expressionIn(value: unknown): unknown {
  return [...nodesIn(value)].find(({ type }) => type === 'ExpressionStatement')?.['expression'];
}

/** Returns the value of an expression that is only a string. */
function literalIn(code: unknown): string | undefined {
  try {
    return literalOf(
      expressionIn(parseSync('a.tsx', `(${String(code)})`, { preserveParens: false }).program),
    );
  } catch {
    return undefined;
  }
}

/** Judges an expression, about which a parser may say nothing. */
function judgeExpression(code: string): Judged {
  try {
    return judgeScript(`(${code})`, 'tsx');
  } catch {
    return textsOfProgram(code);
  }
}

function contentOf(value: unknown): unknown {
  return isNode(value) ? value['content'] : undefined;
}

const judgeVue: Judge = (text) => {
  const { descriptor, errors } = parseVue(text, { ignoreEmpty: false });
  if (errors.length > 0) {
    throw new Error(errors[0]?.message);
  }
  const parts: Judged[] = [];
  for (const { tag, props, type, content } of nodesIn(descriptor.template?.ast)) {
    if (typeof tag === 'string' && Array.isArray(props)) {
      const values = props.flatMap((prop: unknown) => {
        const { type: kind, name, value, arg, exp } = isNode(prop) ? prop : {};
        if (kind === 6) {
          return [[String(name), textIn(contentOf(value))] as const];
        }
        const literal = name === 'bind' ? literalIn(contentOf(exp)) : undefined;
        return literal === undefined ? [] : [[String(contentOf(arg)), literal] as const];
      });
      parts.push(judgeElement(tag, values));
    } else if (type === 4 && typeof content === 'string') {
      parts.push(textsOfProgram(content));
    }
  }
  for (const script of [descriptor.script, descriptor.scriptSetup]) {
    parts.push(script ? judgeProgram(script.content) : all());
  }
  return all(...parts, ...descriptor.styles.map(({ content, lang }) => judgeSheet(content, lang ?? 'css')));
};

const judgeSvelte: Judge = (text) => {
  const tree = parseSvelte(text, { modern: true });
  const parts: Judged[] = [judgeTree([tree.instance, tree.module, tree.fragment])];
  for (const { type, name, attributes } of nodesIn(tree.fragment)) {
    if (Array.isArray(attributes) && typeof name === 'string' && type !== 'Attribute') {
      const values = attributes.flatMap((attribute: unknown) => {
        const { type: kind, name: key, value } = isNode(attribute) ? attribute : {};
        const pieces: unknown[] = Array.isArray(value) ? value : [value];
        const literals = pieces.map((piece) =>
          isNode(piece) && piece['type'] === 'Text'
            ? String(piece['data'])
            : literalOf(isNode(piece) ? piece['expression'] : undefined),
        );
        const isLiteral = kind === 'Attribute' && literals.every((literal) => literal !== undefined);
        return isLiteral ? [[String(key), literals.join('')] as const] : [];
      });
      parts.push(judgeElement(name, values));
    }
  }
  const css = tree.css?.content.styles;
  return all(...parts, css === undefined ? all() : judgeSheet(css, 'scss'));
};

const judgeAstro: Judge = async (text) => {
  const { ast, diagnostics } = await parseAstro(text);
  if (diagnostics.some(({ severity }) => severity.valueOf() === 1)) {
    throw new Error(diagnostics[0]?.text);
  }
  const parts: Judged[] = [];
  for (const { type, name, attributes, value, children } of nodesIn(ast)) {
    if (type === 'frontmatter') {
      parts.push(judgeProgram(String(value)));
    } else if (type === 'expression') {
      parts.push(...[...nodesIn(children)].map((node) => textsOfProgram(String(node['value']))));
    } else if (Array.isArray(attributes) && typeof name === 'string') {
      const values = attributes.flatMap((attribute: unknown) => {
        const { kind, name: key, value: said } = isNode(attribute) ? attribute : {};
        const literal = kind === 'quoted' ? String(said) : literalIn(said);
        if (kind === 'expression') {
          parts.push(judgeExpression(String(said)));
        }
        return literal === undefined ? [] : [[String(key), literal] as const];
      });
      const inside = [...nodesIn(children)].map((node) => textIn(node['value'])).join('');
      parts.push(
        judgeElement(name, values),
        name === 'style' ? judgeSheet(inside, 'scss') : name === 'script' ? judgeProgram(inside) : all(),
      );
    }
  }
  return all(...parts);
};

/** Converts AsciiDoc to HTML. */
export async function readAsciiDoc(text: string): Promise<string> {
  return (await loadAsciiDoc(text, { safe: SafeMode.SECURE })).convert();
}

const judgeAsciiDoc: Judge = async (text) => {
  const document = await loadAsciiDoc(text, { catalog_assets: true, safe: SafeMode.SECURE });
  await document.convert();
  const images = document.getImages().map(({ target }: { target: string }) => target);
  // What holds nowhere here may hold elsewhere.
  return { images, texts: /^(?:ifn?def|ifeval|include)::/mu.test(text) ? [text] : [] };
};

/** What each language is judged by. What a script alone imports is not shown by it. */
export const judges: Readonly<Record<ReadLanguage, Judge>> = {
  markdown: judgeMarkdown,
  mdx: judgeMdx,
  asciidoc: judgeAsciiDoc,
  html: judgeHtml,
  vue: judgeVue,
  svelte: judgeSvelte,
  astro: judgeAstro,
  javascriptreact: (text) => judgeScript(text, 'jsx'),
  typescriptreact: (text) => judgeScript(text, 'tsx'),
  javascript: (text) => ({ ...judgeScript(text, 'jsx'), images: [] }),
  typescript: (text) => ({ ...judgeScript(text, 'ts'), images: [] }),
  json: (text) => judgeScript(`(${text}\n)`, 'js'),
  css: (text) => judgeSheet(text, 'css'),
  scss: (text) => judgeSheet(text, 'scss'),
  less: (text) => judgeSheet(text, 'less'),
  postcss: (text) => judgeSheet(text, 'postcss'),
};
