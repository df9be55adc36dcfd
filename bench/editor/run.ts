/**
 * `npm run bench:editor [-- <rounds> [row …]]`: what Limner costs in a real VS Code, by the named rows or by all
 * (`bench/editor/README.md`). Printed are medians, and for ratios the medians of those within each window. Needs the
 * built bundles; VS Code and Chromium are fetched first if need be.
 */
import { median, Report } from '../report.ts';
import { measureActivation } from './activation.ts';
import { measureArrival } from './arrival.ts';
import { measureComparing } from './comparing.ts';
import { measureDocuments } from './documents.ts';
import { measureMemory } from './memory.ts';
import { measurePainting } from './painting.ts';
import { measureStudio } from './studio.ts';
import { measureTaskTree } from './taskTree.ts';

/** Milliseconds, but for a ratio and for MB. */
const budgets = {
  activation: 1.5,
  sent: 30,
  saved: 100,
  stall: 10,
  page: 50,
  change: 5,
  search: 30,
  firstPaint: 250,
  largeView: 200,
  compared: 300,
  kept: 10,
  memory: 20,
  reading: 20,
};

/** Every row by its name, in the order in which they are measured. */
const rows: Record<string, () => Promise<void>> = {
  activation,
  painting,
  arrival,
  tree,
  studio,
  comparing,
  memory,
  documents,
};

const [given = '9', ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(rows, name));
if (!/^[1-9]\d*$/u.test(given) || unknown.length > 0) {
  console.error(
    `npm run bench:editor -- <rounds> [row …], where a row is one of ${Object.keys(rows).join(', ')}`,
  );
  process.exit(2);
}
const rounds = Number(given);
const report = new Report();
for (const [name, measure] of Object.entries(rows)) {
  if (names.length === 0 || names.includes(name)) {
    await measure();
  }
}
report.end();

async function activation(): Promise<void> {
  for (const language of [undefined, 'ja']) {
    await activationIn(language);
  }
}

async function activationIn(language: string | undefined): Promise<void> {
  const where = language === undefined ? '' : `, in the language "${language}"`;
  report.title(`Limner starts in a new window${where} (median of ${rounds})`);
  const { limner, empty } = await measureActivation(rounds, language);
  for (const [name, measured] of Object.entries({ limner, 'an empty extension': empty })) {
    note(
      `${name}: activated`,
      measured.map(({ whole }) => whole),
    );
    note(
      `${name}: its code loaded, in that`,
      measured.map(({ require }) => require),
    );
  }
  const ratios = limner.map(({ whole }, round) => whole / (empty[round]?.whole ?? Number.NaN));
  report.judge(`activation / an empty extension${where}`, median(ratios), budgets.activation, ' ×');
}

async function painting(): Promise<void> {
  report.title(`A prompt on its way, and its image (median of ${rounds})`);
  const { heard, sent, interval, saved } = await measurePainting(rounds);
  note('Enter in a box that does nothing → the extension host', heard);
  report.judge('Enter in the prompt box → request at the service', median(sent), budgets.sent, ' ms');
  note('completed at the service → the next question', interval);
  report.judge('that question → file in the workspace', median(saved), budgets.saved, ' ms');
}

async function arrival(): Promise<void> {
  report.title(`4 × 15 MB arrive inline (median of ${rounds})`);
  const stalls = await measureArrival(rounds);
  report.judge('longest stall of the extension host', median(stalls), budgets.stall, ' ms');
}

async function tree(): Promise<void> {
  for (const tasks of [10_000, 100_000]) {
    report.title(`A list of ${tasks.toLocaleString('en')} tasks (median of ${rounds} windows)`);
    const { opening, page, row, list, rare, common } = await measureTaskTree(tasks, rounds);
    note('the engine opens', opening);
    report.judge('first page of the tree', median(page), budgets.page, ' ms');
    report.judge('a change of a row', median(row), budgets.change, ' ms');
    report.judge('a task that comes, ends, or goes', median(list), budgets.change, ' ms');
    report.judge('search for a rare word', median(rare), budgets.search, ' ms');
    report.judge('search for a common word', median(common), budgets.search, ' ms');
  }
}

async function studio(): Promise<void> {
  report.title(`The studio in a new window (median of ${rounds})`);
  const { bareWebview, firstPaint, largeView } = await measureStudio(rounds);
  note('first paint of a webview with one word', bareWebview);
  report.judge('first paint of the studio', median(firstPaint), budgets.firstPaint, ' ms');
  report.judge('large view of 4096 × 4096 pixels', median(largeView), budgets.largeView, ' ms');
}

async function comparing(): Promise<void> {
  report.title(`A PNG of 20 MB beside the last commit (median of ${rounds})`);
  const { shown, again, kept } = await measureComparing(rounds);
  report.judge('from the command to both versions', median(shown), budgets.compared, ' ms');
  note('a second time', again);
  report.judge('memory that the extension host keeps', median(kept), budgets.kept, ' MB');
}

async function memory(): Promise<void> {
  report.title(`Memory of the extension host (median of ${rounds})`);
  const { limner, empty } = await measureMemory(rounds);
  report.note('limner after 100 tasks', median(limner), ' MB');
  report.note('an empty extension', median(empty), ' MB');
  const more = limner.map((used, round) => used - (empty[round] ?? Number.NaN));
  report.judge('limner above an empty extension', median(more), budgets.memory, ' MB');
}

async function documents(): Promise<void> {
  report.title(`Documents are read for their images (${rounds} times)`);
  const { reading, again, search, stall } = await measureDocuments(rounds);
  for (const [language, longest] of Object.entries(reading)) {
    report.judge(`5,000 lines of ${language}, at most`, longest, budgets.reading, ' ms');
  }
  for (const [language, longest] of Object.entries(again)) {
    report.judge(`a change in 2 MB of ${language}, at most`, longest, budgets.reading, ' ms');
  }
  note('20,000 documents of a workspace, until all are searched', search);
  note('longest stall of the extension host in that', stall);
}

function note(what: string, times: readonly number[]): void {
  report.note(what, median(times), ' ms');
}
