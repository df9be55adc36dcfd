import { describe } from 'node:test';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { undiciTransport } from '../../support/cli/undici.ts';
import { describeFaults } from './faults.ts';
import { wordings } from './faultTable.ts';

describe("A task that meets a fault, with the command line's transport", () => {
  const undici = undiciTransport();
  const tried = fuzzRuns(['empty'], Object.keys(wordings));
  describeFaults({ posts: undici, polls: undici, downloads: undici }, tried, 1);
});
