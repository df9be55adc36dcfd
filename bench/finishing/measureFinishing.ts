import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Codecs } from '../../src/images/finish/codecs.ts';
import {
  edgeError,
  type Print,
  printed,
  printedFile,
  printedSubjects,
} from '../../test/support/images/cutouts/printedSubjects.ts';
import { type Bench, inRounds } from '../bench.ts';
import { inside } from '../contend.ts';
import type { Measured } from '../measure.ts';
import { median } from '../report.ts';
import { finishing } from '../rows.ts';
import { writePictures } from './pictures.ts';
import { steps } from './steps.ts';

const here = import.meta.dirname;

/**
 * Measures finishing steps on 4096 × 4096 pixels, each in a fresh process: the codecs' thread with its start, and `sharp`
 * beside it where that does the same.
 */
export async function measureFinishing(bench: Bench): Promise<void> {
  const { rounds, report, scratch } = bench;
  report.title(`4096 × 4096 pixels are finished (median of ${rounds})`);
  const folder = mkdtempSync(join(scratch, 'pictures-'));
  await writePictures(folder);
  for (const [step, { how }] of Object.entries(steps)) {
    const contenders = how.cutout ? ['codecs'] : ['codecs', 'sharp'];
    const runs = await inRounds(bench, contenders, async (contender) =>
      inside(join(here, `${contender}.ts`), [step, folder]),
    );
    const ours = runs.get('codecs') ?? [];
    const theirs = runs.get('sharp');
    report.judge(`${step}: time`, medianOf(ours, 'time'), finishing.time, ' ms');
    report.judge(`${step}: memory growth`, medianOf(ours, 'growth'), finishing.growth, ' MB');
    report.judge(`${step}: longest stall`, medianOf(ours, 'stall'), finishing.stall, ' ms');
    if (theirs) {
      const ratios = ours.map(({ time }, round) => time / (theirs[round]?.time ?? Number.NaN));
      report.note(`${step}: time / sharp`, median(ratios), ' ×');
      report.note(`${step}: memory growth of sharp`, medianOf(theirs, 'growth'), ' MB');
    }
  }
  for (const print of ['PNG', ...halvedPrints] as const) {
    const error = await meanEdgeError(print);
    const title = `edges of 15 cut-outs, ${print}: mean error of alpha, of 255`;
    report.judge(title, error, print === 'PNG' ? finishing.edges : finishing.halvedEdges, '');
  }
}

const halvedPrints = ['JPEG 4:2:0, quality 70', 'WebP, quality 80'] as const;

/** Cuts fifteen drawn subjects out of files as services send them, and compares their alpha with what was drawn. */
async function meanEdgeError(print: Print): Promise<number> {
  const codecs = new Codecs();
  const errors: number[] = [];
  for (const draw of Object.values(printedSubjects)) {
    const { layer, picture } = printed(draw, 1024);
    const file = await printedFile(picture, print);
    const { bytes } = await codecs.finish(file, { cutout: { by: 'key', keepAnyway: true } });
    errors.push(edgeError((await codecs.decode(bytes)).rgba, layer));
  }
  await codecs.dispose();
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

function medianOf(runs: readonly Measured[], what: keyof Measured): number {
  return median(runs.map((run) => run[what] ?? Number.NaN));
}
