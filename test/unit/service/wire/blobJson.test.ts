import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import * as fc from 'fast-check';
import { BlobJsonReader, type BlobJsonOptions } from '../../../../src/service/wire/blobJson.ts';
import { DivertedBlob } from '../../../../src/service/wire/base64Decoder.ts';
import { MemorySink, MemorySinks } from '../../../support/service/sinks.ts';

function reader(sinks: MemorySinks, overrides: Partial<BlobJsonOptions> = {}): BlobJsonReader {
  let count = 0;
  return new BlobJsonReader({
    ruleFor: (key, parent) => {
      if (key === 'b64_json' || (key === 'data' && parent === 'inlineData')) {
        return 'base64';
      }
      if (key === 'url') {
        return 'dataUrl';
      }
      return key === 'signature' ? 'drop' : 'keep';
    },
    openSink: () => {
      const index = count;
      count += 1;
      return { index, sink: sinks.openSink(index) };
    },
    isWanted: () => true,
    blobLimit: 1_000_000,
    textLimit: 1_000_000,
    valueLimit: 20_000,
    ...overrides,
  });
}

/** Feeds a document in pieces of these lengths, over and over. */
async function feed(
  target: BlobJsonReader,
  document: string | Buffer,
  lengths: readonly number[],
): Promise<void> {
  const bytes = Buffer.from(document);
  for (let position = 0, round = 0; position < bytes.length; round += 1) {
    const length = lengths[round % lengths.length] ?? bytes.length;
    await target.write(bytes.subarray(position, position + length));
    position += length;
  }
}

async function read(document: string | Buffer, sinks = new MemorySinks(), lengths = [7]): Promise<unknown> {
  const target = reader(sinks);
  await feed(target, document, lengths);
  return target.end();
}

/** What stands at a path such as `data.0.url`. */
function at(value: unknown, path: string): unknown {
  let node = value;
  for (const key of path.split('.')) {
    node = typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined;
  }
  return node;
}

function zeros(count: number): string {
  return JSON.stringify(Array<number>(count).fill(0));
}

function blobAt(value: unknown, path: string): DivertedBlob {
  const found = at(value, path);
  assert.ok(found instanceof DivertedBlob, `no blob at ${path}`);
  return found;
}

/** A value with every blob in it replaced by the base64 of what its sink got. */
function restored(value: unknown, sinks: MemorySinks): unknown {
  if (value instanceof DivertedBlob) {
    return sinks.all[value.sink]?.bytes.toString('base64');
  }
  if (Array.isArray(value)) {
    return value.map((item) => restored(item, sinks));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      value: restored(item, sinks),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

/** A text without what its base64 may be written in: its white space, its escapes and its alphabet. */
function sameText(text: string): string {
  return text
    .replaceAll(/\\u002f|\\\//giu, '/')
    .replaceAll(/\\u0020|\\[nrt]|\s/gu, '')
    .replaceAll(/\\u007e/gu, '~')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
}

const chunkings = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });

/** JSON text of a value with arbitrary white space and escapes. */
function spelled(value: unknown, random: fc.Random | { nextInt(): number }, inBlob = false): string {
  const choose = (count: number): number => Math.abs(random.nextInt()) % count;
  const space = (): string => ['', '', '', ' ', '\n', '\t ', '\r\n'][choose(7)] ?? '';
  const text = (content: string, plainOnly: boolean): string => {
    let written = '';
    for (const unit of content.split('')) {
      const code = unit.charCodeAt(0);
      const isSpecial = code < 0x20 || unit === '"' || unit === '\\' || (code >= 0xd800 && code <= 0xdfff);
      if (isSpecial || (!plainOnly && choose(8) === 0)) {
        written += `\\u${code.toString(16).padStart(4, '0')}`;
      } else if (unit === '/' && choose(2) === 0) {
        written += '\\/';
      } else {
        written += unit;
      }
    }
    return `"${written}"`;
  };
  if (typeof value === 'string') {
    return text(value, !inBlob && choose(2) === 0);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => space() + spelled(item, random) + space());
    return `[${items.length === 0 ? space() : items.join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) =>
        `${space()}${text(key, choose(3) > 0)}${space()}:${space()}${spelled(item, random, true)}${space()}`,
    );
    return `{${members.length === 0 ? space() : members.join(',')}}`;
  }
  return JSON.stringify(value);
}

const base64 = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const imageItem = fc.oneof(
  fc.record({ b64_json: base64, revised_prompt: fc.string({ unit: 'binary' }) }),
  fc.record({ mimeType: fc.constant('image/png'), data: base64 }).map((inlineData) => ({ inlineData })),
  fc.record({ data: base64, mimeType: fc.constant('image/png') }).map((inlineData) => ({ inlineData })),
);
const documents = fc.record({
  before: fc.jsonValue({ maxDepth: 4 }),
  items: fc.array(imageItem, { maxLength: 4 }),
  after: fc.jsonValue({ maxDepth: 4 }),
});

describe('BlobJsonReader', () => {
  it('parses any document as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), chunkings, async (document, lengths) => {
        const target = reader(new MemorySinks(), { ruleFor: () => 'keep' });
        await feed(target, document, lengths);
        const expected: unknown = JSON.parse(document);
        assert.deepEqual(target.end(), expected);
      }),
      { numRuns: fuzzRuns(40, 4000) },
    );
  });

  it('diverts base64 however the document is spelled and cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(documents, chunkings, fc.infiniteStream(fc.nat()), async (value, lengths, numbers) => {
        const document = spelled(value, { nextInt: () => Number(numbers.next().value) });
        const sinks = new MemorySinks();
        const target = reader(sinks);
        await feed(target, document, lengths);
        assert.deepEqual(restored(target.end(), sinks), JSON.parse(document));
        assert.ok(sinks.states.every((state) => state === 'closed'));
      }),
      { numRuns: fuzzRuns(40, 4000) },
    );
  });

  it('rejects what JSON.parse rejects', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('}', ']', ',', '"', '{', ':', 'x', '\\', ''),
        chunkings,
        async (document, where, spoiler, lengths) => {
          const position = where % (document.length + 1);
          const spoiled = document.slice(0, position) + spoiler + document.slice(position + 1);
          const target = reader(new MemorySinks(), { ruleFor: () => 'keep' });
          let expected: unknown;
          try {
            expected = { value: JSON.parse(spoiled) as unknown };
          } catch {
            expected = 'rejected';
          }
          const found = await feed(target, spoiled, lengths)
            .then(() => ({ value: target.end() }))
            .catch(() => 'rejected');
          assert.deepEqual(found, expected);
        },
      ),
      { numRuns: fuzzRuns(60, 4000) },
    );
  });

  it('keeps a value and what it holds apart from the prototype', async () => {
    const value = await read('{"__proto__":{"polluted":true},"b64_json":"AAAA"}');
    assert.equal(at({}, 'polluted'), undefined);
    assert.equal(at(value, '__proto__.polluted'), true);
  });

  it('takes off the prefix of a data URL', async () => {
    const prefixes = [
      'data:image\\/webp;base64,',
      'DATA:IMAGE/PNG;BASE64,',
      'data:;base64,',
      'data:image/png;charset=utf-8;base64,',
      `data:image/png;name=${'x'.repeat(226)};base64,`,
    ];
    for (const prefix of prefixes) {
      for (const length of [1, 7, 1000]) {
        const sinks = new MemorySinks();
        const value = await read(`{"b64_json":"${prefix}SGVsbG8="}`, sinks, [length]);
        assert.equal(blobAt(value, 'b64_json').damage, undefined, prefix);
        assert.equal(sinks.kept.join(), 'Hello');
      }
    }
  });

  it('diverts a data URL where a URL stands, and leaves other URLs alone', async () => {
    for (const lengths of [[1], [3], [1000]]) {
      const sinks = new MemorySinks();
      const document =
        '{"data":[{"url":"data:image/png;base64,SGVsbG8="},{"url":"dat://x"},{"url":"https://a/b"}]}';
      const value = await read(document, sinks, lengths);
      assert.equal(blobAt(value, 'data.0.url').sink, 0);
      assert.equal(at(value, 'data.1.url'), 'dat://x');
      assert.equal(at(value, 'data.2.url'), 'https://a/b');
      assert.equal(sinks.kept.join(), 'Hello');
    }
  });

  it('understands both base64 alphabets, missing padding and line breaks', async () => {
    const sinks = new MemorySinks();
    await read(
      '{"a":{"b64_json":"-_-_"},"b":{"b64_json":"SGVsbG8"},"c":{"b64_json":"SGVs\\r\\nbG8="},"d":{"b64_json":"\\u002B\\u002f\\u002b\\u002F"}}',
      sinks,
      [2],
    );
    assert.deepEqual(
      sinks.kept.map((bytes) => bytes.toString('latin1')),
      ['ûÿ¿', 'Hello', 'Hello', 'ûÿ¿'],
    );
  });

  it('decodes any base64 however it is written, and keeps as a text whatever is none', async () => {
    const lengths = fc.oneof(
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 49_140, max: 49_160 }),
      fc.integer({ min: 98_300, max: 98_310 }),
    );
    const written = fc.record({
      length: lengths,
      seed: fc.nat({ max: 250 }),
      prefix: fc.constantFrom('', 'data:image/png;base64,', 'Data:image\\/webp;a=b;BASE64,'),
      isForUrls: fc.boolean(),
      isPadded: fc.boolean(),
      slash: fc.constantFrom('/', '\\/', '\\u002F'),
      blank: fc.constantFrom('', ' ', '\\n', '\\r\\n', '\\t', '\\u0020'),
      every: fc.integer({ min: 1, max: 80 }),
      spoiler: fc.option(
        fc.record({
          at: fc.double({ min: 0, max: 1, noNaN: true }),
          sign: fc.constantFrom('*', '=', 'A', '\\u00e4', '\\"', '\\b', '==', '\\u007f', '\\u007e'),
        }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 1, max: 70_000 }), async (how, pieces) => {
        const bytes = Buffer.from(
          Array.from({ length: how.length }, (_, index) => (index * 7 + how.seed) % 256),
        );
        const encoded = bytes.toString('base64').replace(how.isPadded ? '' : /=+$/u, '');
        const at = Math.floor((how.spoiler?.at ?? 0) * encoded.length);
        // Signs that only end a group are passed over where one happens to end.
        const sign = (how.spoiler?.sign ?? '').replaceAll('=', how.length > 100 ? '*' : '=');
        const spoiled = encoded.slice(0, at) + sign + encoded.slice(at);
        const units = (how.isForUrls ? spoiled.replaceAll('+', '-').replaceAll('/', '_') : spoiled)
          .replaceAll('/', how.slash)
          .match(/\\u....|\\.|[^\\]/gu);
        const text = (units ?? [])
          .map((unit, index) => (index % how.every === 0 ? how.blank : '') + unit)
          .join('');
        const plain = String(JSON.parse(`"${text}"`)).replaceAll(/\s/gu, '');
        const [, significant] = /^([\w+/-]*)={0,2}$/u.exec(plain) ?? [];
        const sinks = new MemorySinks();
        await read(`{"b64_json":"${how.prefix}${text}"}`, sinks, [
          how.length > 100 ? pieces + 500 : (pieces % 90) + 1,
        ]);
        if (significant === undefined || significant.length % 4 === 1) {
          assert.equal(sinks.texts.length, 1);
          assert.deepEqual(sinks.kept, []);
          assert.equal(sameText(sinks.texts[0] ?? ''), sameText(text));
        } else {
          assert.deepEqual(sinks.texts, []);
          const decoded = Buffer.from(significant, 'base64');
          assert.deepEqual(sinks.kept, decoded.length === 0 ? [] : [decoded]);
        }
      }),
      { numRuns: fuzzRuns(60, 1500) },
    );
  });

  it('opens no sink for an empty string or a null', async () => {
    const sinks = new MemorySinks();
    assert.deepEqual(await read('{"a":{"b64_json":""},"b":{"b64_json":null}}', sinks), {
      a: { b64_json: '' },
      b: { b64_json: null },
    });
    assert.equal(sinks.all.length, 0);
  });

  it('decides about an image when the object that holds it is complete', async () => {
    const sinks = new MemorySinks();
    const target = reader(sinks, {
      isWanted: (holder) => at(holder, 'mimeType') === 'image/png',
    });
    await feed(
      target,
      '[{"inlineData":{"data":"AAAA","mimeType":"audio/wav"}},{"inlineData":{"mimeType":"image/png","data":"AAAB"}}',
      [5],
    );
    assert.deepEqual(sinks.states, ['open', 'closed']);
    assert.deepEqual(
      [target.spares.map(({ blob }) => blob.sink), target.kept.map(({ sink }) => sink)],
      [[0], [1]],
    );
  });

  it('keeps an image that is no base64 as the text that it is, and goes on', async () => {
    const start = Buffer.alloc(150_000, 'pixel').toString('base64');
    for (const wrong of [
      'AA*A',
      'A',
      'AAAA=AAA',
      'AA\\u00e4A',
      'data:image/png,AAAA',
      '*',
      `${start}*${start}`,
    ]) {
      for (const length of [7, 100_000]) {
        const sinks = new MemorySinks();
        const target = reader(sinks);
        await feed(target, `[{"b64_json":"${wrong}"},{"b64_json":"AAAA"}]`, [length]);
        const value = target.end();
        assert.equal(blobAt(value, '0.b64_json').damage, 'invalid', wrong);
        assert.equal(blobAt(value, '1.b64_json').damage, undefined, wrong);
        assert.deepEqual(sinks.texts, [wrong]);
        assert.deepEqual(sinks.kept, [Buffer.alloc(3)]);
        assert.deepEqual(
          target.kept.map(({ sink }) => sink),
          [1],
        );
      }
    }
  });

  it('discards an image beyond the limit, counted after decoding, and goes on', async () => {
    const sinks = new MemorySinks();
    const target = reader(sinks, { blobLimit: 600_000 });
    const large = Buffer.alloc(600_001).toString('base64');
    const exact = Buffer.alloc(600_000).toString('base64');
    await feed(target, `[{"b64_json":"${large}"},{"b64_json":"${exact}"}]`, [100_000]);
    assert.equal(blobAt(target.end(), '0.b64_json').damage, 'too_large');
    assert.deepEqual(sinks.states, ['discarded', 'closed']);
    assert.ok((sinks.all[0]?.bytes.length ?? 0) <= 600_000);
  });

  it('waits for a sink that is busy', async () => {
    const sinks = new MemorySinks();
    let open = 0;
    let most = 0;
    class BusySink extends MemorySink {
      override async write(chunk: Uint8Array): Promise<void> {
        open += 1;
        most = Math.max(most, open);
        await new Promise(setImmediate);
        open -= 1;
        await super.write(chunk);
      }
    }
    const target = reader(sinks, { openSink: () => ({ index: 0, sink: (sinks.all[0] = new BusySink()) }) });
    const bytes = Buffer.alloc(900_000, 'pixel');
    await feed(target, JSON.stringify({ b64_json: bytes.toString('base64') }), [65_536]);
    assert.equal(most, 1);
    assert.ok(sinks.kept[0]?.equals(bytes));
  });

  it('passes on what a sink throws, and discards what it had', async () => {
    const sinks = new MemorySinks();
    const target = reader(sinks);
    const full = new Error('disk full');
    class FullSink extends MemorySink {
      override write(): Promise<void> {
        return Promise.reject(full);
      }
    }
    const failing = reader(sinks, { openSink: () => ({ index: 0, sink: (sinks.all[0] = new FullSink()) }) });
    await assert.rejects(feed(failing, '{"b64_json":"AAAA"}', [4]), full);
    assert.equal(await failing.salvage(), undefined);
    assert.deepEqual(sinks.states, ['discarded']);
    assert.deepEqual(target.kept, []);
  });

  it('refuses a document that is nested too deeply or too long beside its images', async () => {
    await assert.rejects(read('['.repeat(200)), { code: 'protocol' });
    for (const beside of [
      `"${'x'.repeat(34_000_000)}"`,
      `["${`${'x'.repeat(60_000)}","`.repeat(17)}"]`,
      `[${'1,'.repeat(20_000)}1]`,
    ]) {
      await assert.rejects(read(`{"text":${beside}}`, new MemorySinks(), [65_536]), { code: 'protocol' });
    }
  });

  it('takes as many values as it may have, and no more', async () => {
    const fitting = reader(new MemorySinks(), { valueLimit: 10 });
    await feed(fitting, zeros(10), [7]);
    assert.equal(JSON.stringify(fitting.end()), zeros(10));
    await assert.rejects(feed(reader(new MemorySinks(), { valueLimit: 10 }), zeros(11), [7]), {
      code: 'protocol',
    });
  });

  it('keeps every digit of a number where it is asked to, and other values as they are', async () => {
    const digits = '9'.repeat(98);
    for (const [written, expected] of [
      ['12345678901234567890', '12345678901234567890'],
      ['  -0.10 ', '-0.10'],
      ['\n1E400', '1E400'],
      [digits, digits],
      [`${digits}99`, 1e100],
      ['"1"', '1'],
      ['true', true],
      ['null', null],
      ['[1,{"id":2,"b":3},4]', [1, { id: '2', b: 3 }, 4]],
      ['{"b":1.50,"id":2.50}', { b: 1.5, id: '2.50' }],
    ] as const) {
      for (const document of [
        `{"id":${written},"b":7}`,
        `{"b":7,"id":${written}}`,
        `{"b":7,"id" : ${written}}`,
      ]) {
        for (const length of [1, 3, 1000]) {
          const target = reader(new MemorySinks(), { isExact: (key) => key === 'id' });
          await feed(target, document, [length]);
          assert.deepEqual(target.end(), { id: expected, b: 7 }, `${document} by ${length}`);
        }
      }
    }
  });
});

describe('BlobJsonReader, when the document breaks off', () => {
  const images = ['first image', 'second image', 'third image'].map((text) =>
    Buffer.from(text).toString('base64'),
  );
  const document = JSON.stringify({
    created: 1,
    data: images.map((image) => ({ b64_json: image, revised_prompt: 'a "red" fox' })),
  });

  it('keeps every image whose bytes were whole, wherever it breaks off', async () => {
    for (let length = 0; length < document.length; length += 1) {
      const sinks = new MemorySinks();
      const target = reader(sinks);
      await feed(target, document.slice(0, length), [11]);
      const data = at(await target.salvage(), 'data');
      const whole = images.filter((image) => document.slice(0, length).includes(`${image}"`));
      assert.deepEqual(
        sinks.kept.map((bytes) => bytes.toString('base64')),
        whole,
        `after ${length} bytes`,
      );
      assert.ok(
        sinks.states.every((state) => state !== 'open'),
        `after ${length} bytes`,
      );
      const items: unknown[] = Array.isArray(data) ? data : [];
      const listed = items.filter((item) => at(item, 'b64_json') instanceof DivertedBlob);
      assert.equal(listed.length, whole.length, `after ${length} bytes`);
    }
  });

  it('keeps the images of a document that is damaged after them', async () => {
    const sinks = new MemorySinks();
    const target = reader(sinks);
    await feed(target, document.slice(0, -2), [100]);
    await assert.rejects(target.write(Buffer.from('}}}')), { code: 'protocol' });
    await target.salvage();
    assert.equal(sinks.kept.length, 3);
    assert.equal(target.kept.length, 3);
  });
});
