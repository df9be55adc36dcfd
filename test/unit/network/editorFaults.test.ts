import { describe } from 'node:test';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { FetchTransport } from '../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import { describeFaults } from './faults.ts';

describe("A task that meets a fault, with the editor's transports", () => {
  const https = new HttpsTransport();
  describeFaults(
    { posts: https, polls: new FetchTransport(), downloads: https },
    fuzzRuns(['OpenAI'], ['OpenAI', 'empty']),
    0,
  );
});
