import { describe } from 'node:test';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { Random } from '../../support/random.ts';
import { undiciTransport } from '../../support/cli/undici.ts';
import { describeFaults } from './faults.ts';
import { wordings } from './faultTable.ts';

describe("A task that meets a fault, with the command line's transport", () => {
  const undici = undiciTransport();
  const tried = fuzzRuns(['empty'], Object.keys(wordings));
  const random = new Random(Date.now() % 1_000_000);
  // The editor's table has every row. The engine is the same, and only what a transport makes of a fault could differ.
  const isDrawn = fuzzRuns(
    () => random.below(3) === 0,
    () => true,
  );
  describeFaults({ posts: undici, polls: undici, downloads: undici }, tried, random.below(2), isDrawn);
});
