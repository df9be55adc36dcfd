import { describe } from 'node:test';
import { undiciTransport } from '../../support/cli/undici.ts';
import { describeFaults } from './faults.ts';
import { wordings } from './faultTable.ts';

describe("A task that meets a fault, with the command line's transport", () => {
  const undici = undiciTransport();
  describeFaults({ posts: undici, polls: undici, downloads: undici }, Object.keys(wordings));
});
