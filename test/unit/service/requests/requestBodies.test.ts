import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { contentFields, generationFields, jsonBody } from '../../../../src/service/requests/requestBodies.ts';
import { jq } from '../../../readers/scripts.ts';
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
  for (const [style, fields, filter] of [
    ['image', generationFields, '[.model, .prompt, .n, .style]'],
    ['native', contentFields, '[.contents[0].role, .contents[0].parts[0].text, .style]'],
  ] as const) {
    it(`says what is asked for, ${style}`, async () => {
      await fc.assert(
        fc.asyncProperty(texts, texts, fc.integer({ min: 1, max: 10 }), async (prompt, extra, n) => {
          const request = generation({ family: style, prompt, n, extra: { style: extra } });
          const body = jsonBody(fields(request));
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
