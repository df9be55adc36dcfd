import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { contentBody, generationBody } from '../../../../src/service/wire/requestBodies.ts';
import { jq } from '../../../readers/scripts.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';
import { generation } from '../../../support/service/requestBuilders.ts';

/** Any text, and such as breaks strings and characters. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\0', '\u2028', '\ud83e', '\udd8a', '🦊', '日本'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((parts) => parts.join(''));

describe('the JSON of a request, read by jq', () => {
  for (const [style, bodyOf, filter] of [
    ['image', generationBody, '[.model, .prompt, .n, .style]'],
    ['native', contentBody, '[.contents[0].role, .contents[0].parts[0].text, .style]'],
  ] as const) {
    it(`says what is asked for, ${style}`, async () => {
      await fc.assert(
        fc.asyncProperty(texts, texts, fc.integer({ min: 1, max: 10 }), async (prompt, extra, n) => {
          const request = generation({ family: style, prompt, n, extra: { style: extra } });
          const { body } = bodyOf(request);
          const sent = await text(body.open());
          assert.equal(Buffer.byteLength(sent), body.length);
          const [whole, more] = [prompt.toWellFormed(), extra.toWellFormed()];
          assert.deepEqual(
            JSON.parse(await jq(sent, filter, '-c')),
            style === 'image' ? ['painter', whole, n, more] : ['user', whole, more],
          );
        }),
        { numRuns: 60 },
      );
    });
  }
});

describe('the JSON of a whole task', () => {
  for (const [style, bodyOf, keys] of [
    ['image', generationBody, ['model', 'n', 'prompt', 'quality', 'size', 'style']],
    ['native', contentBody, ['contents', 'generationConfig', 'style']],
  ] as const) {
    it(`holds nothing that is for Limner alone, ${style}`, async () => {
      const extra = { style: 'ink' };
      const {
        images: _,
        mask: __,
        ...request
      } = aRequest({ family: style, size: '1x1', quality: 'low', extra });
      const { body } = bodyOf(request);
      assert.deepEqual(JSON.parse(await jq(await text(body.open()), 'keys', '-c')), keys);
    });
  }
});
