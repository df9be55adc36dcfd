/** The address, key and model found in a pasted text. */
export interface PastedConnection {
  /** The URL of a service, or the pasted value if it contains none. */
  address: string;
  /** An API key found beside the URL, as in a curl command. */
  key?: string | undefined;
  /** A model named in the body of a curl command. */
  model?: string | undefined;
}

const anyUrl = /https?:\/\/[^\s"'`<>\\,;)}]+/iu;
const keyHeader = /\b(?:bearer|x-goog-api-key:|api-key:|x-api-key:)\s*["'`]?([^\s"'`]+)/iu;
/** A model in JSON, whose quotes a shell may want escaped, or in a form. */
const modelField = /(?:"model\\?"\s*:\s*\\?"|\s(?:-F|--form|--form-string)[\s=]+["']?model=)([^"'\\\s]+)/u;
/** The name in `NAME=value` of a shell or an .env file, or in `"name": "value"` of JSON. */
const assignment = /^(?:(?:export|set)\s+|\$env:)?(?:[A-Z][A-Z0-9_]+\s*=(?!=)|["'][\w.-]+["']\s*:)\s*/u;
/** A placeholder for the reader's own key or model, as in instructions. */
const placeholder = /^[$<{%]|^your[-_ ]/iu;

/** Reads the URL from an address, an assignment or a curl command, quoted or not, and its API key and model if any. */
export function readPastedAddress(text: string): PastedConnection {
  const url = anyUrl.exec(text)?.[0];
  return url === undefined
    ? { address: bareValue(text) }
    : { address: url, key: keyInHeader(text), model: ownValue(modelField.exec(text)) };
}

/** Reads an API key, which may be in quotes, an assignment or a header. */
export function readPastedKey(text: string): string {
  return keyInHeader(text) ?? bareValue(text);
}

/** Whether a text looks like an API key rather than the address of a service. */
export function looksLikeKey(text: string): boolean {
  return /^(?:sk|pk|rk|key|api)[-_]\w/iu.test(text) || /^[\w-]{32,}$/u.test(text);
}

export function looksLikeUrl(text: string): boolean {
  return /^https?:\/\//iu.test(text);
}

function keyInHeader(text: string): string | undefined {
  return ownValue(keyHeader.exec(text));
}

/** Returns the value that was found, unless it is a placeholder. */
function ownValue(found: RegExpExecArray | null): string | undefined {
  const value = found?.[1];
  return value === undefined || placeholder.test(value) ? undefined : value;
}

/** Returns a value without its name, its quotes and what follows it, such as a comment. */
function bareValue(text: string): string {
  const value = text.trim().replace(assignment, '');
  const [, quoted] = /^(["'`])(.*?)\1(?:[\s,;#]|$)/u.exec(value)?.slice(1) ?? [];
  return (quoted ?? value.replace(/\s#.*$/su, '')).trim();
}
