/** Address, key, and model found in a pasted text. */
export interface PastedConnection {
  /** URL of a service, or the pasted value if it contains none. */
  address: string;
  /** API key beside the URL, as in a curl command. */
  key?: string | undefined;
  /** Model in the body of a curl command. */
  model?: string | undefined;
}

const anyUrl = /https?:\/\/[^\s"'`<>\\,;)}]+/iu;
const keyHeader = /\b(?:bearer|x-goog-api-key:|api-key:|x-api-key:)\s*["'`]?([^\s"'`]+)/iu;
/** Model in JSON, possibly with quotes escaped for a shell, or in a form. */
const modelField = /(?:"model\\?"\s*:\s*\\?"|\s(?:-F|--form|--form-string)[\s=]+["']?model=)([^"'\\\s]+)/u;
/** Name in `NAME=value` of a shell or an .env file, or in `"name": "value"` of JSON. */
const assignment = /^(?:(?:export|set)\s+|\$env:)?(?:[A-Z][A-Z0-9_]+\s*=(?!=)|["'][\w.-]+["']\s*:)\s*/u;
/** Placeholder for the reader's own key or model, as in instructions. */
const placeholder = /^[$<{%]|^your[-_ ]/iu;

/** Reads the URL from an address, assignment, or curl command, quoted or not, and the API key and model if present. */
export function readPastedAddress(text: string): PastedConnection {
  const url = anyUrl.exec(text)?.[0];
  return url === undefined
    ? { address: bareValue(text) }
    : { address: url, key: keyInHeader(text), model: ownValue(modelField.exec(text)) };
}

/** Reads an API key, possibly in quotes, an assignment, or a header. */
export function readPastedKey(text: string): string {
  return keyInHeader(text) ?? bareValue(text);
}

export function looksLikeKey(text: string): boolean {
  return /^(?:sk|pk|rk|key|api)[-_]\w/iu.test(text) || /^[\w-]{32,}$/u.test(text);
}

export function looksLikeUrl(text: string): boolean {
  return /^https?:\/\//iu.test(text);
}

function keyInHeader(text: string): string | undefined {
  return ownValue(keyHeader.exec(text));
}

/** Returns a value unless it is a placeholder. */
function ownValue(found: RegExpExecArray | null): string | undefined {
  const value = found?.[1];
  return value === undefined || placeholder.test(value) ? undefined : value;
}

/** Returns a value without its name, its quotes, and anything after it, such as a comment. */
function bareValue(text: string): string {
  const value = text.trim().replace(assignment, '');
  const [, quoted] = /^(["'`])(.*?)\1(?:[\s,;#]|$)/u.exec(value)?.slice(1) ?? [];
  return (quoted ?? value.replace(/\s#.*$/su, '')).trim();
}
