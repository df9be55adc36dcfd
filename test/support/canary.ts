import assert from 'node:assert/strict';
import { inspect } from 'node:util';

/** A key that is recognizable wherever it leaks. */
export const canaryKey = 'sk-canary-7Qf3Zk9xW2mB';
/** Every character in it is written differently somewhere: in JSON, in URLs, in HTML, in regular expressions. */
export const oddCanaryKey = 'sk-canary"\\/<&%+=.*$^{7Qf3Zk9xW2mB';

/** Returns the spellings of a key. */
export function spellingsOf(key: string): Record<string, string> {
  const json = JSON.stringify(key).slice(1, -1);
  return {
    plain: key,
    json,
    'json in json': JSON.stringify(json).slice(1, -1),
    'json, escaped throughout': Array.from(
      key,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ).join(''),
    url: encodeURIComponent(key),
    'url, escaped throughout': [...Buffer.from(key)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join(''),
    html: key.replaceAll('&', '&#38;').replaceAll('"', '&#x22;').replaceAll('<', '&#60;'),
    base64: Buffer.from(key).toString('base64'),
    'base64 of the header': Buffer.from(`Bearer ${key}`).toString('base64'),
    'base64 for URLs': Buffer.from(`user:${key}:x`).toString('base64url'),
  };
}

/** Asserts that the key stands nowhere in a text, in whichever spelling. */
export function assertWithoutKey(text: string, key: string, where: string): void {
  for (const [spelling, sought] of Object.entries(spellingsOf(key))) {
    // The last characters of base64 depend on what follows.
    const found = text.indexOf(spelling.startsWith('base64') ? sought.slice(12, -6) : sought);
    assert.equal(found, -1, `${where} (${spelling}): ${text.slice(Math.max(0, found - 200), found + 200)}`);
  }
}

/** Returns everything that can be read from a value: errors with all their causes, buffers as text. */
export function spilled(value: unknown): string {
  const buffers: string[] = [];
  const seen = new Set<unknown>();
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) {
      return;
    }
    seen.add(part);
    if (part instanceof Uint8Array) {
      buffers.push(Buffer.from(part).toString('latin1'));
    } else {
      for (const name of Reflect.ownKeys(part)) {
        collect(Reflect.get(part, name));
      }
    }
  };
  collect(value);
  const all = { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity, showHidden: true };
  return [inspect(value, all), JSON.stringify(value) ?? '', String(value), ...buffers].join('\n');
}
