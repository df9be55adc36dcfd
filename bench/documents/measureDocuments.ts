import { Readings } from '../../src/references/references.ts';
import { scans } from '../../src/references/scan/scans.ts';
import { Random } from '../../test/support/random.ts';
import { placeholder, repeated, slowPieces } from '../../test/support/slowDocuments.ts';
import type { Bench } from '../bench.ts';
import { timeOf } from '../measure.ts';
import { maxDocumentStall, maxDocumentTime } from '../rows.ts';
import { stallOf } from '../stall.ts';

/** In UTF-16 units. */
const length = 1_000_000;

/** Reads documents that are made to be read slowly, drawn anew each time, in every language: what they hold up, and how long it takes. */
export async function measureDocuments({ rounds, report }: Bench): Promise<void> {
  const seed = Math.trunc(Math.random() * 2 ** 31);
  const random = new Random(seed);
  report.title(`The slowest of ${rounds} documents of 1 MB in each language, drawn with the seed ${seed}`);
  const readings = new Readings();
  // The start of the thread is no part of it.
  await readings.read('first', repeated('a', length), 'markdown');
  for (const language of Object.keys(scans)) {
    const stalls: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const text = draw(random);
      let time = 0;
      stalls.push(
        await stallOf(async () => {
          [time] = await timeOf(async () => readings.read(`${language} ${round}`, text, language));
        }),
      );
      times.push(time);
    }
    report.judge(`${language}: longest stall`, Math.max(...stalls), maxDocumentStall, ' ms');
    report.judge(`${language}: longest time`, Math.max(...times), maxDocumentTime, ' ms');
  }
  await readings.dispose();
}

/** Draws a document of one to three pieces, again and again. */
function draw(random: Random): string {
  const pieces = Array.from({ length: 1 + random.below(3) }, () => random.pick(slowPieces));
  return `${placeholder}\n${repeated(pieces.join(''), length)}`;
}
