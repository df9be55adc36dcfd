import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { editForm } from '../../../../src/service/wire/requestBodies.ts';
import {
  type FormPart,
  readByBusboy,
  readByFormidable,
  readByUndici,
  type SentForm,
} from '../../../readers/forms.ts';
import { edit, inputFile } from '../../../support/service/requestBuilders.ts';

const readers = { undici: readByUndici, busboy: readByBusboy, formidable: readByFormidable };

/** Pieces at which forms break: what ends a name, a line or a part, and letters of many bytes. */
const pieces = [
  ...Array.from('"\'\\\n\r\t\0;= /%&#<'),
  ...Array.from('\u2028\u2029\u0085\u00a0\u202e\u200b\ud83e'),
  '\r\n',
  '--',
  '..',
  'ü',
  'ﬁ',
  'e\u0301',
  '日本',
  'न',
  '🦊',
  '👩‍👩‍👧',
  '\udd8a',
  'fox',
  '.png',
  'name="model"',
  'filename=x; ',
  '\r\n--limner',
  '\r\n\r\n',
  'Content-Type: text/plain',
  'x'.repeat(300),
];
/** Where a byte order mark comes first, some readers take it for one. */
const oddText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 8 })
  .map((parts) => parts.join(''))
  .filter((text) => !text.startsWith('\ufeff'));
/** Formidable takes a number between these for a character, as browsers of old wrote them. */
const fileName = oddText.filter((text) => !/&#\d{4};/u.test(text));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom(new Uint8Array(), new Uint8Array(20_000).fill(13), Buffer.from('\r\n--limner-\r\n')),
);
const mediaType = fc.constantFrom('image/png', 'image/jpeg', 'image/webp');
const file = fc.record({ name: fileName, content, mediaType });

describe('the form of an edit, read by other parsers', () => {
  it('has the same fields, names, types and bytes', async () => {
    const forms = fc.record({
      prompt: fc.oneof(
        { weight: 9, arbitrary: fc.record({ text: oddText, times: fc.constant(1) }) },
        { weight: 1, arbitrary: fc.constant({ text: 'ü\r\n"', times: 20_000 }) },
      ),
      extra: fc.dictionary(
        fc.constantFrom('x', 'x-y', 'x[]', 'x[y]', 'x.y', 'x y', 'xü', 'x日', 'x🦊'),
        fc.oneof(oddText, fc.integer(), fc.boolean(), fc.record({ level: oddText })),
        { maxKeys: 3 },
      ),
      images: fc.array(file, { minLength: 1, maxLength: 4 }),
      mask: fc.option(file, { nil: undefined }),
      imageField: fc.constantFrom('image', 'image[]', undefined),
    });
    await fc.assert(
      fc.asyncProperty(forms, async ({ prompt: { text, times }, extra, images, mask, imageField }) => {
        const prompt = text.repeat(times);
        const request = edit({
          prompt,
          extra,
          ...(imageField && { imageField }),
          images: images.map(inputOf),
          ...(mask && { mask: inputOf(mask) }),
        });
        const sent = await sentForm(request);
        const expected: FormPart[] = [
          ...Object.entries({ ...extra, model: 'painter', prompt }).map(([name, value]) => ({
            name,
            content: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
          })),
          ...images.map((image) => partOf(imageField ?? 'image', image)),
          ...(mask ? [partOf('mask', mask)] : []),
        ];
        for (const [reader, read] of Object.entries(readers)) {
          assert.deepEqual(inOrder(await read(sent)), inOrder(expected), reader);
        }
      }),
      { numRuns: fuzzRuns(30, 100) },
    );
  });

  it('has the fields that somebody named oddly in the settings', async () => {
    const names = ['a"b', 'a\nb', 'a\r\nb', 'a;b', "a'b", 'a=b', 'ü日🦊', '..', 'a b', 'x'.repeat(300)];
    const extra = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    const sent = await sentForm(edit({ extra }));
    for (const [reader, read] of Object.entries(readers)) {
      const found = new Map(
        (await read(sent)).map(({ name, content }) => [unescaped(name), content.toString()]),
      );
      for (const name of names) {
        assert.equal(found.get(name), extra[name], `${JSON.stringify(name)} by ${reader}`);
      }
    }
  });
});

interface OddFile {
  name: string;
  content: Uint8Array;
  mediaType: string;
}

function inputOf({ name, content, mediaType }: OddFile): ReturnType<typeof inputFile> {
  return inputFile(Buffer.from(content), { name, mediaType });
}

/** What parsers are to find of a file: what they stop at is replaced in its name. */
function partOf(name: string, { name: fileName, content, mediaType }: OddFile): FormPart {
  return {
    name,
    content: Buffer.from(content),
    fileName: fileName.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]/gu, '_'),
    mediaType,
  };
}

async function sentForm(request: Parameters<typeof editForm>[0]): Promise<SentForm> {
  const { contentType, body } = editForm(request);
  const bytes = await buffer(body.open());
  assert.equal(bytes.length, body.length);
  return { contentType, body: bytes };
}

/** The parts by name, for readers keep only the order of one name; escapes undone, which some readers leave. */
function inOrder(parts: readonly FormPart[]): FormPart[] {
  return parts
    .map((part) => ({
      ...part,
      name: unescaped(part.name),
      ...(part.fileName !== undefined && { fileName: unescaped(part.fileName) }),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

function unescaped(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0A', '\n').replaceAll('%0D', '\r');
}
