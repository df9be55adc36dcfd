import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type AST, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { isMap, isScalar, isSeq, parseDocument, stringify, type YAMLSeq } from 'yaml';
import * as english from '../../common/english.ts';
import { LimnerError, messageOf } from '../../common/limnerError.ts';
import type { Client } from './clients.ts';
import { asSentence } from '../../common/text.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * Returns the text of a client's file with the entry of `limner` in place of the one that it has. All else stays as it
 * is, with its comments.
 *
 * @param text empty for a new file
 * @throws LimnerError `invalid_request` when the text is damaged, or lists servers in a way that is not understood
 */
export function withEntry(text: string, client: Client, entry: Entry): string {
  const lines = text.replaceAll('\r\n', '\n');
  const changed = requireSound(client, () => changes[client.format](lines, client, entry));
  requireSound(client, () => changes[client.format](changed, client, entry));
  return text.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed;
}

const changes = { json: inJson, toml: inToml, yaml: inYaml };

function requireSound<T>({ label, format }: Client, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new LimnerError(
      'invalid_request',
      english.t(
        "The file of {0} can't be changed: {1} Repair it as {2}, or add the entry yourself.",
        label,
        asSentence(messageOf(error)),
        format.toUpperCase(),
      ),
    );
  }
}

function inJson(text: string, { list, inputs = [] }: Client, entry: Entry): string {
  return inputs.reduce(withInput, withServer(text.trim() === '' ? '{}\n' : text, list, entry));
}

function withServer(text: string, list: string, entry: Entry): string {
  const root = json(text);
  const own = findNodeAtLocation(root, [list, 'limner']);
  if (own) {
    const lines = linesOf(entry, unitOf(text), indentAt(text, own.offset));
    return text.slice(0, own.offset) + lines + text.slice(own.offset + own.length);
  }
  const servers = findNodeAtLocation(root, [list]);
  if (servers && servers.type !== 'object') {
    throw new TypeError(english.t('"{0}" is no object.', list));
  }
  return servers ? withFirst(text, servers, entry, 'limner') : withFirst(text, root, { limner: entry }, list);
}

function withInput(text: string, input: Entry): string {
  const root = json(text);
  const asked = findNodeAtLocation(root, ['inputs']);
  if (!asked) {
    return withFirst(text, root, [input], 'inputs');
  }
  const isThere = asked.children?.some((one) => findNodeAtLocation(one, ['id'])?.value === input['id']);
  return isThere ? text : withFirst(text, asked, input);
}

/** Puts a value in front of what an object or list has: no comment and no last comma is in its way there. */
function withFirst(
  text: string,
  { offset, children: [first] = [] }: Node,
  value: unknown,
  name?: string,
): string {
  const outer = indentAt(text, offset);
  const isBelow = first && text.slice(offset, first.offset).includes('\n');
  const indent = isBelow ? indentAt(text, first.offset) : outer + unitOf(text);
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const after = text.slice(offset + 1);
  const isApart = /^[\t ]*(?:\n|\/)/u.test(after);
  const rest = isApart ? after : `\n${first ? indent : outer}${after.trimStart()}`;
  const put = `\n${indent}${label}${linesOf(value, unitOf(text), indent)}${first ? ',' : ''}`;
  return text.slice(0, offset + 1) + put + rest;
}

function linesOf(value: unknown, unit: string, indent: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `\n${indent}`);
}

/** The white space with which the line of an offset begins. */
function indentAt(text: string, offset: number): string {
  return /^[\t ]*/u.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

/** The white space by which each level of a text is indented. */
function unitOf(text: string): string {
  return /^[\t ]+/mu.exec(text)?.[0] ?? '  ';
}

function json(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (!root || errors[0]) {
    throw new SyntaxError(english.t('Line {0} is no JSON.', lineAt(text, errors[0]?.offset ?? 0)));
  }
  if (root.type !== 'object') {
    throw new TypeError(english.t('It holds no object.'));
  }
  return root;
}

function inToml(text: string, { list }: Client, entry: Entry): string {
  const program = parseTOML(text);
  const block = tomlTable([list, 'limner'], entry).trimEnd();
  const own = program.body[0].body.filter(
    (node): node is AST.TOMLTable =>
      node.type === 'TOMLTable' && node.resolvedKey[0] === list && node.resolvedKey[1] === 'limner',
  );
  const [first, ...others] = own;
  if (!first) {
    const servers = objectIn(getStaticTOMLValue(program), list);
    if ('limner' in servers) {
      throw new TypeError(english.t('It has "limner" outside of a table [{0}.limner].', list));
    }
    const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return `${text}${gap}${block}\n`;
  }
  const rest = others
    .toReversed()
    .reduce((last, { range: [start, end] }) => last.slice(0, start) + last.slice(end).trimStart(), text);
  const [start, end] = first.range;
  const after = rest.slice(end);
  const next = others.length > 0 ? `\n\n${after.trimStart()}` : after;
  return `${rest.slice(0, start)}${block}${after.trim() === '' ? '\n' : next}`;
}

/** Returns a table, and those below it. */
function tomlTable(path: readonly string[], values: Entry): string {
  const pairs = Object.entries(values);
  const own = pairs.filter(([, value]) => !isObject(value));
  const head = own.length > 0 ? [`[${path.join('.')}]`] : [];
  const lines = own.map(
    ([name, value]) =>
      `${name} = ${Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]` : JSON.stringify(value)}`,
  );
  const below = pairs.flatMap(([name, value]) =>
    isObject(value) ? [tomlTable([...path, name], value)] : [],
  );
  return [...(head.length > 0 ? [[...head, ...lines, ''].join('\n')] : []), ...below].join('\n');
}

/** Lines that a configuration file of Continue must have. */
const newYaml = 'name: Local configuration\nversion: 1.0.0\nschema: v1\n';

function inYaml(text: string, { list }: Client, entry: Entry): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) {
    throw error;
  }
  const items = (indent: number): string =>
    stringify([entry], { lineWidth: 0 }).trimEnd().replaceAll(/^/gmu, ' '.repeat(indent));
  const { contents } = document;
  if (contents !== null && !isMap(contents)) {
    throw new TypeError(english.t('It holds no map.'));
  }
  const pair = contents?.items.find(({ key }) => isScalar(key) && key.value === list);
  if (!pair || !isScalar(pair.key)) {
    const before = contents === null ? `${text}${newYaml}` : text;
    return `${before}${before.endsWith('\n') ? '' : '\n'}${list}:\n${items(2)}\n`;
  }
  const { value } = pair;
  if (
    value === null ||
    (isScalar(value) && value.value === null) ||
    (isSeq(value) && value.items.length === 0)
  ) {
    const colon = text.indexOf(':', pair.key.range?.[1]) + 1;
    const end = isSeq(value) ? (value.range?.[1] ?? colon) : colon;
    return `${text.slice(0, colon)}\n${items(2)}${text.slice(end)}${text.slice(end) === '' ? '\n' : ''}`;
  }
  if (!isSeq(value) || value.flow === true) {
    throw new TypeError(english.t('"{0}" is not a list of one item a line.', list));
  }
  return inYamlList(text, value, items);
}

function inYamlList(text: string, list: YAMLSeq, items: (indent: number) => string): string {
  const [start = 0, end = text.length] = list.range ?? [];
  const indent = start - (text.lastIndexOf('\n', start - 1) + 1);
  const own = list.items.find((item) => isMap(item) && item.get('name') === 'limner');
  const range = isMap(own) ? own.range : undefined;
  if (range) {
    const tail = /\s*$/u.exec(text.slice(range[0], range[1]))?.[0] ?? '';
    return `${text.slice(0, range[0])}${items(indent).slice(indent + 2)}${tail}${text.slice(range[1])}`;
  }
  const before = text.slice(0, end).trimEnd();
  const after = text.slice(before.length);
  return `${before}\n${items(indent)}${after === '' ? '\n' : after}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(value: unknown, name: string): Record<string, unknown> {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
