import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { InlineImages } from '../../../../src/service/wire/inlineImages.ts';
import { base64, imageBytes } from '../../../support/service/requestBuilders.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';

function body(...pieces: string[]): Readable {
  return Readable.from(pieces.map((piece) => Buffer.from(piece)));
}

describe('InlineImages', () => {
  it('takes no more of an answer than a sensible length, and keeps what came until then', async () => {
    const sinks = new MemorySinks();
    const images = new InlineImages(sinks.openSink, 'sk-secret', 2000);
    const { broken, kept } = await images.read(
      body(
        `{"data":[{"b64_json":"${base64('a fox')}"},{"b64_json":"`,
        ...Array<string>(9).fill('A'.repeat(400)),
      ),
    );
    assert.deepEqual(
      { code: broken?.code, message: broken?.message },
      { code: 'protocol', message: 'The response is too long.' },
    );
    assert.equal(kept.length, 1);
    assert.deepEqual(sinks.kept, [imageBytes('a fox')]);
  });

  it('takes an answer of just that length', async () => {
    const text = JSON.stringify({ data: [{ b64_json: base64('a fox') }] });
    for (const [limit, broken] of [
      [text.length, undefined],
      [text.length - 1, 'protocol'],
    ] as const) {
      const images = new InlineImages(new MemorySinks().openSink, 'sk-secret', limit);
      const read = await images.read(body(text.slice(0, 20), text.slice(20)));
      assert.equal(read.broken?.code, broken);
    }
  });

  for (const [what, piece] of [
    ['blanks', ' '.repeat(400)],
    ['comments', ': still here\n'.repeat(40)],
    ['a line without a colon', 'still here '.repeat(40)],
  ] as const) {
    it(`passes over no more of ${what} before a native answer`, async () => {
      const images = new InlineImages(new MemorySinks().openSink, 'sk-secret', 2000);
      const { broken } = await images.read(body(...Array<string>(9).fill(piece)));
      assert.equal(broken?.message, 'The response is too long.');
    });
  }
});
