/** What a pasted text says of a connection. */
export interface PastedConnection {
  /** The URL of a service, or what else stands where one should. */
  address: string;
  /** An API key that stands beside the URL, as in a whole curl command. */
  key?: string | undefined;
}

const anyUrl = /https?:\/\/[^\s"'`<>\\,;)}]+/iu;
const keyHeader = /\b(?:bearer|x-goog-api-key:|api-key:|x-api-key:)\s*["'`]?([^\s"'`]+)/iu;
/** `NAME=value` of a shell or an .env file, `"name": "value"` of JSON. */
const assignment = /^(?:(?:export|set)\s+|\$env:)?(?:[A-Z][A-Z0-9_]+\s*=(?!=)|["'][\w.-]+["']\s*:)\s*/u;
/** What instructions write where the reader's own key belongs. */
const placeholder = /^[$<{%]|^your[-_ ]/iu;

/** Reads the URL, and the API key if there is one, from an address, in quotes or not, an assignment or a curl command. */
export function readPastedAddress(text: string): PastedConnection {
  const url = anyUrl.exec(text)?.[0];
  return { address: url ?? bareValue(text), key: url === undefined ? undefined : keyInHeader(text) };
}

/** Reads an API key, in quotes or not, from an assignment or a header. */
export function readPastedKey(text: string): string {
  return keyInHeader(text) ?? bareValue(text);
}

/** Whether a text is rather an API key than the address of a service. */
export function looksLikeKey(text: string): boolean {
  return /^(?:sk|pk|rk|key|api)[-_]\w/iu.test(text) || /^[\w-]{32,}$/u.test(text);
}

export function looksLikeUrl(text: string): boolean {
  return /^https?:\/\//iu.test(text);
}

function keyInHeader(text: string): string | undefined {
  const key = keyHeader.exec(text)?.[1];
  return key === undefined || placeholder.test(key) ? undefined : key;
}

/** A value without its name and its quotes. */
function bareValue(text: string): string {
  const value = text.trim().replace(assignment, '');
  const [, quoted] = /^(["'`])(.*?)\1[,;]?$/u.exec(value)?.slice(1) ?? [];
  return (quoted ?? value).trim();
}
