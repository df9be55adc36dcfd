import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { filesLike, projectFolder } from '../support/folders.ts';

/**
 * Speak English: the launcher is copied to where no translations are, what `mcp` says goes into logs, and agents read the
 * rest.
 */
const english = new Set([
  'cli/setup/launcher.ts',
  'cli/setup/launcherSettings.ts',
  'cli/setup/diskPages.ts',
  'cli/commands/mcpHost.ts',
  'cli/commands/mcp.ts',
]);

/** Parts of what only a mistake in Limner itself would say. */
const mistakes = new Set([
  ' takes no "',
  'A task that is ',
  ' pixels do not fit ',
  ' pixels are too many for a thumbnail.',
  'This transport sends no body and resolves no names.',
]);

const isSentence = /\p{L}{2,} \p{Ll}{2,}/u;

describe('every sentence of the command line is marked for translation', () => {
  for (const file of sources('cli').filter((one) => !english.has(one))) {
    it(file, () => {
      assert.deepEqual(
        textsIn(file).filter((text) => isSentence.test(text) && !/^(?:limner|cmd) /u.test(text)),
        [],
      );
    });
  }
});

describe('every cause of an error that people read is marked for translation', () => {
  for (const file of ['common', 'images', 'service', 'engine', 'agents/clients'].flatMap(sources)) {
    it(file, () => {
      assert.deepEqual(
        textsIn(file, /^(?:LimnerError|CodecError|DamagedImage|UnreadableFile|saveFailed|refuse)$/u).filter(
          (text) => isSentence.test(text) && !mistakes.has(text),
        ),
        [],
      );
    });
  }
});

/** Returns the files of a house, below `src`. */
function sources(house: string): string[] {
  return filesLike('**/*.ts', join(projectFolder, 'src', house)).map((file) => `${house}/${file}`);
}

/**
 * Returns the texts of a file that aren't marked.
 *
 * @param makers names of what is called with them; by default, the texts may be anywhere
 */
function textsIn(file: string, makers?: RegExp): string[] {
  const source = readFileSync(join(projectFolder, 'src', file), 'utf8');
  const marked: { start: number; end: number }[] = [];
  const made: { start: number; end: number }[] = [];
  const texts: { text: string; at: number }[] = [];
  const call = (callee: { start: number; end: number }, place: { start: number; end: number }): void => {
    const name = source.slice(callee.start, callee.end);
    if (/^(?:l10n|english)\.t$/u.test(name)) {
      marked.push(place);
    } else if (makers?.test(name) === true) {
      made.push(place);
    }
  };
  new Visitor({
    CallExpression: ({ callee, start, end }) => call(callee, { start, end }),
    NewExpression: ({ callee, start, end }) => call(callee, { start, end }),
    Literal({ value, start }) {
      if (typeof value === 'string') {
        texts.push({ text: value, at: start });
      }
    },
    TemplateElement({ value, start }) {
      texts.push({ text: value.raw, at: start });
    },
  }).visit(parseSync('file.ts', source).program);
  const within = (places: typeof marked, at: number): boolean =>
    places.some(({ start, end }) => start < at && at < end);
  return texts
    .filter(({ at }) => !within(marked, at) && (makers === undefined || within(made, at)))
    .map(({ text }) => text);
}
