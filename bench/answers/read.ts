/** Reads each of the worst answers once, as every kind of answer that it may be: `node read.ts <base URL>`. */
import { FetchTransport } from '../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../src/service/http/httpsTransport.ts';
import { type AnswerOptions, ImageService } from '../../src/service/wire/imageService.ts';
import type { ImageRequest } from '../../src/service/terms/messages.ts';
import { worstAnswers } from '../../test/support/service/worstAnswers.ts';
import { stallOf } from '../stall.ts';
import { apiKey, type Stalls } from './worst.ts';

const [baseUrl = ''] = process.argv.slice(2);
const posts = new HttpsTransport();
const transports = { posts, polls: new FetchTransport() };
const request: ImageRequest = { model: 'bench', family: 'image', prompt: 'the worst', n: 1 };
const nowhere: AnswerOptions = {
  openSink: () => ({
    write: () => undefined,
    toText: async () => Promise.resolve(),
    close: async () => Promise.resolve(),
    discard: async () => Promise.resolve(),
  }),
};

const stalls: Stalls = { 'a poll': {}, 'an error': {}, 'a synchronous answer': {}, 'a native answer': {} };
for (const [index, [what, { status }]] of Object.entries(worstAnswers(apiKey)).entries()) {
  const service = new ImageService({
    baseUrl: `${baseUrl}/${index}`,
    apiKey,
    transports,
    requestTimeout: 900_000,
  });
  const isError = status >= 400;
  stalls[isError ? 'an error' : 'a poll'][what] = await stallOf(async () => service.query('task_1', nowhere));
  if (!isError) {
    stalls['a synchronous answer'][what] = await stallOf(async () =>
      service.submit(request, 'sync', nowhere),
    );
    stalls['a native answer'][what] = await stallOf(async () => service.submit(request, 'native', nowhere));
  }
}
process.send?.(stalls);
