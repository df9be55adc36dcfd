import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { readByPngjs, readBySharp } from '../../readers/images.ts';
import { readTags } from '../../readers/tags.ts';
import { jq, noShell, Shell } from '../../readers/scripts.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { linesOf } from '../../support/cli/limner.ts';
import { pngFile } from '../../support/images/pngFile.ts';
import { DemoClient, imagesOf } from '../../support/demo/demoClient.ts';

const formats = ['png', 'jpeg', 'webp'] as const;
const Inline = v.object({ inlineData: v.object({ mimeType: v.string(), data: v.string() }) });

describe('what the demo service answers, read by others', () => {
  let client: DemoClient;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-demo-'));
    client = await DemoClient.start({ clock: 'frozen', taskDuration: 1000, workers: 4 });
  });
  after(async () => {
    await client.stop();
    await rm(folder, { recursive: true });
  });

  const cases = fc.record({
    format: fc.constantFrom(...formats),
    // Odd sizes, strips and small ones.
    size: fc.oneof(
      fc.constantFrom<[number, number]>([64, 64], [65, 67], [1024, 64], [64, 1024]),
      fc.tuple(fc.integer({ min: 64, max: 300 }), fc.integer({ min: 64, max: 300 })),
    ),
    prompt: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== ''),
  });

  it('is a picture of the size and format that were asked for, in its answer and at its result host', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ format, size: [width, height], prompt }) => {
        const fields = { prompt, size: `${width}x${height}`, output_format: format, n: 2 };
        for (const image of await imagesOf(await client.generate(fields))) {
          await assertPicture(image, { format, width, height });
        }
        const { id } = await client.submit(fields);
        await client.service.advance(1000);
        const { data = [] } = await client.query(id);
        assert.equal(data.length, 2);
        for (const { url } of data) {
          const response = await fetch(url);
          assert.equal(response.headers.get('content-type'), `image/${format}`);
          await assertPicture(Buffer.from(await response.arrayBuffer()), { format, width, height });
        }
      }),
      { numRuns: fuzzRuns(4, 50) },
    );
  });

  it('keeps every pixel outside the mask of an edit', async () => {
    const [width, height] = [70, 65];
    const original = striped(width, height, () => 255);
    const mask = striped(width, height, (x) => (x < 30 ? 0 : 255));
    for (const format of ['png', 'webp'] as const) {
      const fields = { model: 'demo-painter', prompt: 'a hat', image: original, mask, output_format: format };
      const [image] = await imagesOf(await client.edit(fields));
      assert.ok(image);
      await assertPicture(image, { format, width, height });
      const [read, before] = [await readBySharp(image), readByPngjs(original)];
      const outside = (bytes: Uint8Array): Uint8Array =>
        bytes.filter((_, at) => Math.floor(at / 4) % width >= 30);
      assert.ok(Buffer.compare(outside(read.rgba), outside(before.rgba)) === 0);
      assert.ok(Buffer.compare(read.rgba, before.rgba) !== 0);
    }
  });

  const contents = [{ role: 'user', parts: [{ text: 'a "red"\nfox \u2028 🦊' }] }];
  const body = { contents, generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } };

  it('is one picture in a native answer, of the type that it says', async () => {
    for (const [model, format] of [
      ['demo-sketch-a', 'png'],
      ['demo-sketch-b', 'webp'],
    ] as const) {
      const response = await client.post(`/v1beta/models/${model}:generateContent`, body);
      const Answer = v.object({
        candidates: v.tuple([v.object({ content: v.object({ parts: v.tuple([v.unknown(), Inline]) }) })]),
      });
      const [{ content }] = v.parse(Answer, await response.json()).candidates;
      const { mimeType, data } = content.parts[1].inlineData;
      assert.equal(mimeType, `image/${format}`);
      const { width, height } = await readBySharp(Buffer.from(data, 'base64'));
      await assertPicture(Buffer.from(data, 'base64'), { format, width, height });
    }
  });

  it('is a stream of events that a script takes apart', { skip: noShell }, async () => {
    const response = await client.post('/v1beta/models/demo-sketch-a:streamGenerateContent?alt=sse', body);
    const stream = await response.text();
    // As the clients of that protocol do it: events end with an empty line and are one line of data each.
    const events = stream.split(/\r\n\r\n|\n\n|\r\r/u);
    assert.equal(events.pop(), '');
    assert.ok(events.every((event) => /^data: \{.*\}$/u.test(event)));
    await using shell = await Shell.open();
    const { code, stdout } = await shell.run(
      `set -e
       tr -d '\\r' | sed -n 's/^data: //p' > events
       wc -l < events
       head -n 1 events | jq '.candidates[0].content.parts[0].text'
       sed 's/"data":"[^"]*"/"data":""/' events | jq -r '.candidates[0].content.parts[] | keys[]'
       sed 's/"data":"[^"]*"/"data":""/' events | jq -r '.candidates[0].finishReason // empty'
       sed -n 's/.*"data":"\\([^"]*\\)".*/\\1/p' events`,
      { input: stream, cwd: folder },
    );
    assert.equal(code, 0);
    const [count, text = '', firstKey, secondKey, reason, data = ''] = linesOf(stdout);
    assert.equal(count?.trim(), '2');
    assert.ok(String(JSON.parse(text)).includes('a "red" fox 🦊'), text);
    assert.deepEqual([firstKey, secondKey, reason], ['text', 'inlineData', 'STOP']);
    assert.equal(readByPngjs(Buffer.from(data, 'base64')).width, 1024);
  });

  it('is JSON that jq takes, with its errors', async () => {
    const hostile = 'a "red"\nfox\\n \0\u2028 🦊';
    const refused = await client.generate({ size: hostile, prompt: hostile });
    assert.equal(await jq(await refused.text(), '.error.code', '-r'), 'invalid_size\n');
    const painted = await client.generate({ prompt: hostile, size: '64x64', output_format: 'jpeg' });
    assert.equal(await jq(await painted.text(), '.data | length'), '1\n');
  });

  it('says in one line of JSON where it is', { skip: noShell }, async () => {
    await using shell = await Shell.open();
    const { code, stdout } = await shell.run(
      `set -e
       limner-service --idle-exit 1 > said
       wc -l < said
       jq -r '.baseUrl, .resultHost, .apiKeys[0], .models[0].id' < said`,
      { cwd: folder },
    );
    assert.equal(code, 0);
    const [count, baseUrl = '', resultHost = '', key, model] = linesOf(stdout);
    assert.equal(count?.trim(), '1');
    assert.ok(URL.canParse(baseUrl) && URL.canParse(resultHost));
    assert.deepEqual([key, model], ['demo-key-ada', 'demo-painter']);
  });
});

interface Expected {
  format: (typeof formats)[number];
  width: number;
  height: number;
}

/** Asserts that every decoder reads the file, that it is what it should be, and that nothing else is in it. */
async function assertPicture(file: Buffer, expected: Expected): Promise<void> {
  const { file: about, exif, icc } = await readTags(file);
  assert.equal(about?.FileType?.value, expected.format);
  const { width, height, rgba } = await readBySharp(file);
  assert.deepEqual({ width, height }, { width: expected.width, height: expected.height });
  assert.deepEqual([exif, icc], [undefined, undefined]);
  if (expected.format === 'png') {
    assert.ok(Buffer.compare(readByPngjs(file).rgba, rgba) === 0);
  }
}

/** A PNG in which all columns differ. */
function striped(width: number, height: number, alphaAt: (x: number) => number): Buffer {
  const row = [0, ...Array.from({ length: width }, (_, x) => [x * 3, 255 - x, 7, alphaAt(x)]).flat()];
  const lines = Array.from({ length: height }, () => row).flat();
  return pngFile({ width, height, bitDepth: 8, colourType: 6, lines });
}
