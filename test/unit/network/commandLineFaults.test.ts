import { describe } from 'node:test';
import { UndiciTransport } from '../../../src/cli/undiciTransport.ts';
import { Exchange } from '../../../src/service/exchange.ts';
import { describeFaults } from './faults.ts';

describe("A task that meets a fault, with the command line's transport", () => {
  const undici = new UndiciTransport(Exchange);
  describeFaults({ posts: undici, polls: undici, downloads: undici });
});
