import { mentionsPlaceholders } from '../scan/placeholders.ts';
import type { Range } from '../scan/masked.ts';
import { type Findings, type ImageWords, moved, placed, type Reference } from '../scan/reference.ts';
import { cutsIn } from '../scan/divisions.ts';
import { scans } from './scans.ts';

/** A part of a document and its findings, at positions from the beginning of the part. */
interface Part {
  text: string;
  findings: Findings;
}

const noFindings: Findings = { references: [] };
const imageName = /\.(?:png|jpe?g|webp)|!\[/iu;

/** The findings in a document, and the data for reading it again after a change. */
export interface Reading {
  language: string | undefined;
  parts: readonly Part[];
  /** The positions that name an image, in order and each once. */
  references: readonly Reference[];
}

/**
 * Reads a document. Only parts that have changed since the previous reading, and the part above them, are read again.
 *
 * @param language VS Code's id; documents of other languages name no images
 */
export function readingOf(text: string, language: string | undefined, before?: Reading): Reading {
  const known = before?.language === language ? (before?.parts ?? []) : [];
  const parts = [...partsOf(text, language, known)];
  return { language, parts, references: referencesIn(parts) };
}

/** @param known parts of an earlier text; reused if they still begin or end at the same position */
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

/** Returns the unchanged parts at the beginning, except for the last: its end depends on the text that follows. */
function unchangedAbove(text: string, known: readonly Part[]): readonly Part[] {
  let at = 0;
  const changed = known.findIndex((part) => {
    const isSame = text.startsWith(part.text, at);
    at += part.text.length;
    return !isSame;
  });
  return known.slice(0, Math.max(0, (changed < 0 ? known.length : changed) - 1));
}

/** Returns the starts of the unchanged parts at the end, with their indexes. */
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

/** Whether a part may name an image, or use a label of one: much faster than finding where. */
function mayNameImages(text: string): boolean {
  return imageName.test(text) || mentionsPlaceholders(text);
}

/** Copies a text, so that it doesn't keep the whole document in memory. */
function detached(text: string): string {
  // UTF-8 halves the size of most texts, but loses lone surrogates.
  const encoding = text.isWellFormed() ? 'utf8' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}

/** Combines the findings of parts: a label may be defined in another part than where it is used. */
function referencesIn(parts: readonly Part[]): Reference[] {
  const uses = usesIn(parts);
  const all: Reference[] = [];
  let start = 0;
  for (const { text, findings } of parts) {
    if (findings === noFindings) {
      start += text.length;
      continue;
    }
    const own = new Map(findings.references.map((one) => [one.start, placed(one, start)]));
    for (const { label, reference } of findings.definitions ?? []) {
      const used = uses.get(label);
      if (used) {
        const defined = placed(reference, start);
        const words = { ...used.words, ...reference.words };
        own.set(reference.start, { ...defined, words, wholes: [...defined.wholes, ...used.wholes] });
      }
    }
    all.push(...[...own.values()].toSorted((left, right) => left.start - right.start));
    start += text.length;
  }
  return all;
}

function usesIn(
  parts: readonly Part[],
): ReadonlyMap<string, { words: ImageWords; wholes: readonly Range[] }> {
  const uses = new Map<string, { words: ImageWords; wholes: Range[] }>();
  let start = 0;
  for (const { text, findings } of parts) {
    for (const { label, words, whole } of findings.uses ?? []) {
      const wholes = uses.get(label)?.wholes ?? [];
      wholes.push(moved(whole, start));
      uses.set(label, { words, wholes });
    }
    start += text.length;
  }
  return uses;
}
