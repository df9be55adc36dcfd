/**
 * Runs the floors of tests that are named, or the first four: `npm test`. With `--draw <part>`, as in `--draw 0.1`, runs that
 * part of their files, drawn at random. Ends with one line, `N passed, N failed`; a floor that ends badly without having
 * counted a failure counts as one. One that this machine can't run is left out.
 */
import { parseArgs } from 'node:util';
import {
  asFloor,
  drawFiles,
  floors,
  runFloors,
  type FloorName,
  type Run,
  whyLeftOut,
} from './floors/floors.ts';

/** How many of a floor's files are named as its slowest. */
const slowest = 5;

const {
  positionals: names,
  values: { draw },
} = parseArgs({ allowPositionals: true, options: { draw: { type: 'string' } } });
const wanted = (names.length > 0 ? names : ['unit', 'editor', 'ui', 'package']).map((name) => {
  const floor = asFloor(name);
  if (!floor) {
    throw new Error(`There is no floor ${name}, only ${Object.keys(floors).join(', ')}.`);
  }
  return floor;
});
const possible = wanted.filter((name) => {
  const reason = whyLeftOut(name);
  if (reason !== undefined) {
    console.log(`The ${name} floor is left out: ${reason}`);
  }
  return reason === undefined;
});
let passed = 0;
let failed = 0;
const files = (name: FloorName): string[] => (draw === undefined ? [] : drawFiles(name, Number(draw)));
await runFloors(new Map(possible.map((name) => [name, files(name)])), {
  begin: (name) => console.log(`\n== ${name} floor`),
  print: (text) => process.stdout.write(text),
  end(name, run) {
    const count = (outcome: string): number =>
      run.results.filter((result) => result.kind === 'test' && result.outcome === outcome).length;
    passed += count('passed');
    failed += run.exitCode === 0 ? count('failed') : Math.max(1, count('failed'));
    tell(name, run);
  },
});
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && (passed > 0 || possible.length === 0) ? 0 : 1;

/** Prints how long a floor took, and which of its files took longest. */
function tell(name: FloorName, { results, duration }: Run): void {
  console.log(`\n== ${name} floor: ${seconds(duration)}`);
  const files = results
    .flatMap((result) => (result.kind === 'file' ? result : []))
    .toSorted((one, other) => other.duration - one.duration);
  for (const file of files.slice(0, slowest)) {
    console.log(`   ${seconds(file.duration).padStart(8)}  ${file.file}`);
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
