import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import english from '../../../l10n/bundle.l10n.json' with { type: 'json' };
import { undoAtExit } from '../cleanup.ts';
import { outFolder } from '../folders.ts';

/** A language that there is not: its texts are the English ones in brackets. */
export const bracketed = shippedTexts(
  Object.fromEntries(
    Object.entries(english).map(([key, text]) => [
      key,
      `⟦${typeof text === 'string' ? text : text.message}⟧`,
    ]),
  ),
);

/** Returns a translation as it ships. */
export function shippedTexts(texts: Record<string, string>): string {
  return JSON.stringify(Object.keys(english).map((key) => texts[key] ?? ''));
}

/**
 * Copies a bundle of `limner` to where it finds other translations, and returns its path there.
 *
 * @param translations the content of each file, by its language
 */
export function translatedProgram(program: string, translations: Record<string, string>): string {
  mkdirSync(outFolder, { recursive: true });
  // Below the project, whose packages the program needs.
  const path = mkdtempSync(join(outFolder, 'translated-'));
  undoAtExit(() => rmSync(path, { recursive: true, force: true }));
  cpSync(dirname(program), join(path, 'dist'), { recursive: true });
  writeFileSync(join(path, 'dist', 'texts.json'), JSON.stringify(Object.keys(english)));
  for (const [language, content] of Object.entries(translations)) {
    writeFileSync(join(path, 'dist', `texts.${language}.json`), content);
  }
  return join(path, 'dist', basename(program));
}

/** Returns what is not in brackets. */
export function outsideBrackets(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/gu, '');
  }
  return rest;
}
