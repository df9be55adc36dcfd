import { Readings } from '../../src/pages/find/references.ts';
import type { CardImage } from '../../src/pages/cards/cardImage.ts';
import { languageBy } from '../../src/pages/find/languages.ts';
import { scans } from '../../src/pages/find/scans.ts';
import { Random } from '../../test/support/random.ts';
import { placeholder, repeated, slowPieces } from '../../test/support/slowDocuments.ts';
import type { Bench } from '../bench.ts';
import { timeOf } from '../measure.ts';
import { maxDocumentStall, maxDocumentTime } from '../rows.ts';
import { stallOf } from '../stall.ts';

/** In UTF-16 units. */
const length = 1_000_000;

/** What pages are to name. */
const card: CardImage = {
  alt: 'A fox',
  width: 1200,
  height: 630,
  fromPage: '../a.png',
  fromSite: '/a.png',
  isPublic: true,
  page: 'pages/a.html',
};

/** Reads documents that are made to be read slowly, drawn anew each time, in every language: what they hold up, and how long it takes. */
export async function measureDocuments({ rounds, report }: Bench): Promise<void> {
  const seed = Math.trunc(Math.random() * 2 ** 31);
  const random = new Random(seed);
  report.title(`The slowest of ${rounds} documents of 1 MB in each language, drawn with the seed ${seed}`);
  const readings = new Readings();
  // The start of the thread is no part of it.
  await readings.read('first', repeated('a', length), 'markdown');
  const pages = Object.keys(scans).filter((language) => languageBy(language)?.traits.includes('page'));
  const reads: [what: string, read: (text: string, name: string) => Promise<unknown>][] = [
    ...Object.keys(scans).map((language): (typeof reads)[number] => [
      language,
      async (text, name) => readings.read(`${language} ${name}`, text, language),
    ]),
    ...pages.map((language): (typeof reads)[number] => [
      `${language}, as a page with a social card`,
      async (text) => {
        await readings.readPage(text, language);
        await readings.writePage(text, language, card);
      },
    ]),
  ];
  for (const [what, read] of reads) {
    const stalls: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const text = draw(random);
      let time = 0;
      stalls.push(
        await stallOf(async () => {
          [time] = await timeOf(async () => read(text, String(round)));
        }),
      );
      times.push(time);
    }
    report.judge(`${what}: longest stall`, Math.max(...stalls), maxDocumentStall, ' ms');
    report.judge(`${what}: longest time`, Math.max(...times), maxDocumentTime, ' ms');
  }
  await readings.dispose();
}

/** How documents begin: with nothing, or with what pages say of themselves in. */
const openings = ['', '', '---\n', '<html>\n<head>'];

/** Draws a document of one to three pieces, again and again. */
function draw(random: Random): string {
  const pieces = Array.from({ length: 1 + random.below(3) }, () => random.pick(slowPieces));
  return `${random.pick(openings)}${placeholder}\n${repeated(pieces.join(''), length)}`;
}
