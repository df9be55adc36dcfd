/** Strings, which stay, and comments. */
const stringsAndComments =
  /("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)|\/\*[^]*?(?:\*\/|$)|\/\/.*/gu;
/** A literal string. */
const literal = String.raw`(?:'([^'\\\n]{0,300})'|"([^"\\\n]{0,300})"|${'`'}([^${'`'}\\\n]{0,300})${'`'})`;
const literals = new RegExp(literal, 'gu');

export function withoutScriptComments(text: string): string {
  return text.replaceAll(stringsAndComments, '$1');
}

/**
 * Returns the strings that a script gives to a key, in order. Nothing runs: only literals count, and names of literals
 * in them.
 *
 * @param code without comments
 */
export function valuesOf(code: string, key: string): string[] {
  return [
    ...code.matchAll(
      new RegExp(String.raw`(?<![\w$.]|(?:const|let|var)\s{1,9})["']?${key}["']?\s*[:=]\s*${literal}`, 'gu'),
    ),
  ]
    .map(literalIn)
    .flatMap((value) => resolved(code, value) ?? []);
}

/** Returns the strings of the lists that a script gives to a key. @param code without comments */
export function listsOf(code: string, key: string): string[] {
  return [
    ...code.matchAll(new RegExp(String.raw`(?<![\w$.])${key}\s*:\s*\[([^\]]{0,2000})\]`, 'gu')),
  ].flatMap(([, list = '']) => stringsIn(list));
}

export function stringsIn(code: string): string[] {
  return [...code.matchAll(literals)].map(literalIn);
}

/** @param match of `literal` as the first groups */
function literalIn([, single, double, template]: RegExpMatchArray): string {
  return single ?? double ?? template ?? '';
}

/** Puts literals in place of their names in a template; undefined if another part is computed. */
function resolved(code: string, value: string): string | undefined {
  const whole = value.replaceAll(/\$\{\s*([\w$]{1,100})\s*\}/gu, (part, name: string) => {
    const found = new RegExp(
      String.raw`\bconst\s+${name.replaceAll('$', String.raw`\$`)}\s*=\s*${literal}`,
      'u',
    ).exec(code);
    return found ? literalIn(found) : part;
  });
  return whole.includes('${') ? undefined : whole;
}

/** Reads YAML, or JSON with comments; an empty object for anything else. */
export async function readData(text: string): Promise<Data> {
  // Only configurations need the library.
  const { parse } = await import('yaml');
  try {
    // Errors that quote the text would take seconds where there are thousands.
    return asData(parse(text, { logLevel: 'silent', prettyErrors: false }));
  } catch {
    return {};
  }
}

export type Data = Readonly<Record<string, unknown>>;

export function asData(value: unknown): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
