import { mentionsPlaceholders } from './placeholders.ts';
import type { Findings, Reference } from './reference.ts';
import { cutsIn } from './scan/divisions.ts';
import { scans } from './scan/scans.ts';

/** A part of a document, and what it says about images, at places that count from its beginning. */
interface Part {
  text: string;
  findings: Findings;
}

const noFindings: Findings = { references: [] };
const imageName = /\.(?:png|jpe?g|webp)|!\[/iu;

/** What a document says about images, and what it takes to read it again once it has changed. */
export interface Reading {
  language: string | undefined;
  parts: readonly Part[];
  /** The places that name an image, in order and each once. */
  references: readonly Reference[];
}

/**
 * Reads a document. Of one that was read before, only those parts are read again that have changed since, with the one
 * above them.
 *
 * @param language VS Code's id; documents of other languages name no images
 */
export function readingOf(text: string, language: string | undefined, before?: Reading): Reading {
  const known = before?.language === language ? (before?.parts ?? []) : [];
  const parts = [...partsOf(text, language, known)];
  return { language, parts, references: referencesIn(parts) };
}

/** @param known parts of an earlier text: one that begins at the same place as now, or ends there, stays */
function* partsOf(text: string, language: string | undefined, known: readonly Part[]): Generator<Part> {
  const rules = language === undefined ? undefined : scans[language];
  if (!rules) {
    return;
  }
  const above = unchangedAbove(text, known);
  const below = unchangedBelow(text, known, above);
  yield* above;
  let from = above.reduce((sum, part) => sum + part.text.length, 0);
  const partTo = (to: number): Part => {
    const own = detached(text.slice(from, to));
    return { text: own, findings: mayNameImages(own) ? rules.scan(own, from === 0) : noFindings };
  };
  for (const cut of cutsIn(text, rules.division, from)) {
    yield partTo(cut);
    from = cut;
    const rest = below.get(cut);
    if (rest !== undefined) {
      yield* known.slice(rest);
      return;
    }
  }
  yield partTo(text.length);
}

/** Returns the first parts that are as they were, but for the last of them: where that ends, what comes next decides. */
function unchangedAbove(text: string, known: readonly Part[]): readonly Part[] {
  let at = 0;
  const changed = known.findIndex((part) => {
    const isSame = text.startsWith(part.text, at);
    at += part.text.length;
    return !isSame;
  });
  return known.slice(0, Math.max(0, (changed < 0 ? known.length : changed) - 1));
}

/** Returns where the last parts begin that are as they were, with their numbers. */
function unchangedBelow(
  text: string,
  known: readonly Part[],
  above: readonly Part[],
): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  let end = text.length;
  for (let index = known.length - 1; index > above.length; index--) {
    const part = known[index]?.text ?? '';
    if (!text.endsWith(part, end)) {
      break;
    }
    end -= part.length;
    starts.set(end, index);
  }
  return starts;
}

/** Whether a part may name an image, or use a label of one: told much faster than where. */
function mayNameImages(text: string): boolean {
  return imageName.test(text) || mentionsPlaceholders(text);
}

/** Returns a text that does not keep the whole one in memory that it is taken from. */
function detached(text: string): string {
  // Most texts take half the room in UTF-8's way, which half a surrogate pair does not survive.
  const encoding = text.isWellFormed() ? 'utf8' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}

/** Returns what parts say together: what a label stands for may be in another one than where it is used. */
function referencesIn(parts: readonly Part[]): Reference[] {
  const uses = new Map(parts.flatMap(({ findings }) => findings.uses ?? []));
  const all: Reference[] = [];
  let start = 0;
  for (const { text, findings } of parts) {
    if (findings === noFindings) {
      start += text.length;
      continue;
    }
    const defined: Reference[] = [];
    for (const { label, reference } of findings.definitions ?? []) {
      const words = uses.get(label);
      if (words) {
        defined.push({ ...reference, words: { ...words, ...reference.words } });
      }
    }
    const own = new Map([...findings.references, ...defined].map((one) => [one.start, one]));
    for (const one of [...own.values()].toSorted((left, right) => left.start - right.start)) {
      all.push({ ...one, start: start + one.start, end: start + one.end });
    }
    start += text.length;
  }
  return all;
}
