import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findReferences } from '../../src/pages/find/findReferences.ts';
import { readingOf } from '../../src/pages/find/reading.ts';
import { blankPng } from '../../test/ui/blankPng.ts';
import { EditorBench } from './editorBench.ts';
import { bundleProbe } from './helperExtensions.ts';
import type { ProbeMethods } from './hosts/probe.ts';

/** Documents in a workspace that is searched, and how many of them are in a folder. */
const documents = 20_000;
const inFolder = 200;
/** Lines of a document that is read. */
const lines = 5000;

/** Length of a document that is changed, in UTF-16 units, lines of a section of it, and how often it is changed. */
const [longest, inSection, changes] = [2_000_000, 40, 20];

/** What it takes to read documents for their images, in milliseconds. */
export interface DocumentCosts {
  /** The longest reading of a document, by its language. */
  reading: Record<string, number>;
  /** The longest reading after a change of a document that is as long as those that are read, by its language. */
  again: Record<string, number>;
  /** Searching a whole workspace, and the longest time that the extension host stood still in that. */
  search: number[];
  stall: number[];
}

/** Measures the reading of long documents in this process, and the search of a workspace in one window. */
export async function measureDocuments(rounds: number): Promise<DocumentCosts> {
  const reading: DocumentCosts['reading'] = {};
  for (const [language, line] of Object.entries(typicalLines)) {
    for (let round = 0; round < rounds; round++) {
      const text = Array.from({ length: lines }, (_, number) => line(number + round)).join('\n');
      const start = performance.now();
      findReferences(text, language);
      reading[language] = Math.max(reading[language] ?? 0, performance.now() - start);
    }
  }
  return { reading, again: measureChanges(), ...(await measureSearch(rounds)) };
}

/** Types a sign in each of several places of long documents. */
function measureChanges(): DocumentCosts['again'] {
  const again: DocumentCosts['again'] = {};
  for (const [language, line] of Object.entries(typicalLines)) {
    let text = '';
    for (let number = 0; text.length < longest; number++) {
      text += `${number % inSection === 0 ? (sections[language] ?? '') : ''}${line(number)}\n`;
    }
    let reading = readingOf(text, language);
    for (let change = 1; change <= changes; change++) {
      const at = Math.floor((text.length * change) / (changes + 1));
      // As the editor has it, in one piece.
      text = Buffer.from(`${text.slice(0, at)}x${text.slice(at)}`).toString();
      const start = performance.now();
      reading = readingOf(text, language, reading);
      again[language] = Math.max(again[language] ?? 0, performance.now() - start);
    }
  }
  return again;
}

/** What sections of documents begin with, where these are divided by such lines. */
const sections: Record<string, string> = {
  markdown: '\n## A\n\n',
  html: '<h2>A</h2>\n',
  asciidoc: '\n== A\n\n',
};

/** A line of each language: every tenth names an image. */
const typicalLines: Record<string, (number: number) => string> = {
  markdown: (number) =>
    number % 10 === 0
      ? `![Picture ${number}](images/${number}.png "A bay")`
      : `Some *words* of ${number}, [and](a.md) more.`,
  html: (number) =>
    number % 10 === 0
      ? `<img src="/images/${number}.png" alt="Picture ${number}">`
      : `<p class="a b">Words of ${number}</p>`,
  typescriptreact: (number) =>
    number % 10 === 0
      ? `<Image src="/${number}.png" alt="A" />`
      : `const value${number} = { a: '${number}', b: [${number}] };`,
  typescript: (number) =>
    number % 10 === 0
      ? `  { name: 'Ada ${number}', photo: 'https://picsum.photos/${number}' },`
      : `const value${number} = call(${number}, 'text', { a: 1 });`,
  scss: (number) =>
    number % 10 === 0
      ? `.hero-${number} { background: url(${number}.png); }`
      : `.a-${number} { color: red; margin: 1px; }`,
  asciidoc: (number) =>
    number % 10 === 0 ? `image::${number}.png[Picture ${number}]` : `Some words of ${number}.`,
};

async function measureSearch(rounds: number): Promise<Pick<DocumentCosts, 'search' | 'stall'>> {
  const probe = await bundleProbe();
  const bench = await EditorBench.start<ProbeMethods>({ limner: true, extensions: [probe] });
  const costs: Pick<DocumentCosts, 'search' | 'stall'> = { search: [], stall: [] };
  try {
    const workspace = bench.makeWorkspace();
    writeFileSync(join(workspace.images, 'bay.png'), blankPng(64, 48));
    for (let number = 0; number < documents; number++) {
      const folder = join(workspace.path, `part-${Math.floor(number / inFolder)}`);
      mkdirSync(folder, { recursive: true });
      const text = `# Part ${number}\n\n![A bay](../images/bay.png)\n\n${'Some words.\n'.repeat(40)}`;
      writeFileSync(join(folder, `${number}.md`), text);
    }
    const { host } = await bench.open(workspace);
    for (let round = 0; round < rounds; round++) {
      await host.ask('watchEventLoop');
      costs.search.push(await host.ask('searchForMissing'));
      costs.stall.push(await host.ask('longestStall'));
    }
  } finally {
    await bench.dispose();
    probe.remove();
  }
  return costs;
}
