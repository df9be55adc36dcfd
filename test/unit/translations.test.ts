import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { projectFolder } from '../support/folders.ts';

const texts = v.record(v.string(), v.union([v.string(), v.object({ message: v.string() })]));

const languages = ['de', 'es', 'fr', 'ja', 'ko', 'pt-br', 'zh-cn', 'zh-tw'];

/** What a translation keeps: placeholders, icons, code, settings, variables, and options. */
const kept = /\{\w+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)|\b(?:limner\.[\w.]+|LIMNER_\w+)\b|--[a-z][\w-]+/gu;

/** Single words up to this length, in columns, are states, tabs, and choices that stand side by side. */
const longestLabel = 12;

/** Returns the texts of a file, by their keys. */
function read(name: string): Map<string, string> {
  const found = v.parse(texts, JSON.parse(readFileSync(join(projectFolder, name), 'utf8')));
  return new Map(
    Object.entries(found).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
}

function keptIn(text: string): string[] {
  return [...text.matchAll(kept)].map(([one]) => one).toSorted();
}

/** The width of a text in columns: characters of East Asia fill two. */
function widthOf(text: string): number {
  return text.length + text.replaceAll(/[^\u2e80-\uffff]/gu, '').length;
}

describe('the translations', () => {
  for (const [file, name] of [
    ['l10n/bundle.l10n', 'l10n/bundle.l10n.json'],
    ['package.nls', 'package.nls.json'],
  ] as const) {
    const english = read(name);
    for (const language of languages) {
      const translated = read(`${file}.${language}.json`);

      it(`are complete and up to date: ${file}.${language}.json`, () => {
        const missing = [...english.keys()].filter((key) => !translated.has(key));
        const stale = [...translated.keys()].filter((key) => !english.has(key));
        assert.deepEqual({ missing, stale }, { missing: [], stale: [] });
      });

      it(`keep what is not language, and the shape of a text: ${file}.${language}.json`, () => {
        for (const [key, text] of translated) {
          const source = english.get(key) ?? text;
          assert.deepEqual(keptIn(text), keptIn(source), key);
          assert.equal(text.split('\n').length, source.split('\n').length, key);
          assert.doesNotMatch(text, /\((?:s|n|en|es|e)\)/u, key);
        }
      });

      it(`fit where a label can't grow: ${file}.${language}.json`, () => {
        const long = [...translated].filter(([key, text]) => {
          const source = english.get(key) ?? text;
          const isLabel = widthOf(source) <= longestLabel && /^[\p{L}-]+$/u.test(source);
          return isLabel && widthOf(text) > Math.max(1.6 * widthOf(source), longestLabel + 4);
        });
        assert.deepEqual(long, []);
      });
    }
  }
});
