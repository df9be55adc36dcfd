import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { EventStreamReader } from '../../../../src/service/wire/eventStream.ts';

/** The data of every event of a stream that comes in pieces of this many bytes. */
async function eventsOf(stream: string, pieces: number): Promise<string[]> {
  const events: string[] = [];
  let data: Buffer[] = [];
  const reader = new EventStreamReader({
    data: (bytes) => {
      data.push(Buffer.from(bytes));
      return Promise.resolve();
    },
    endEvent: () => {
      events.push(Buffer.concat(data).toString());
      data = [];
      return Promise.resolve();
    },
  });
  const bytes = Buffer.from(stream);
  for (let position = 0; position < bytes.length; position += pieces) {
    await reader.write(bytes.subarray(position, position + pieces));
  }
  await reader.end();
  return events;
}

describe('EventStreamReader', () => {
  const streams: Record<string, [string, string[]]> = {
    'events with LF': ['data: a\n\ndata: b\n\n', ['a', 'b']],
    'events with CRLF': ['data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    'events with CR': ['data: a\r\rdata: b\r\r', ['a', 'b']],
    'several data lines': ['data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
    comments: [': ping\n\ndata: a\n: ping\n\n:\n\n', ['a']],
    'a comment within an event': ['data: a\n: ping\n:\ndata: b\n\n', ['a\nb']],
    'lines that end in each way': ['data: a\rdata: b\r\ndata: c\n\r\n', ['a\nb\nc']],
    'other fields': ['event: chunk\nid: 7\nretry: 10\ndata: a\n\nevent: end\n\n', ['a']],
    'data without a space': ['data:a\n\ndata:  b\n\n', ['a', ' b']],
    'a line without a colon within an event': ['data: a\nretry\ndata: b\n\n', ['a\nb']],
    'data with colons': ['data: {"a":"b:c"}\n\n', ['{"a":"b:c"}']],
    'empty data': ['data:\n\ndata: \n\n', ['', '']],
    'a last event without its empty line': ['data: a\n\ndata: b', ['a', 'b']],
    'fields that only begin like data': ['database: x\ndat: y\n\n', []],
  };
  for (const [name, [stream, events]] of Object.entries(streams)) {
    it(`reads ${name}, whatever the pieces`, async () => {
      for (let pieces = 1; pieces <= stream.length; pieces += 1) {
        assert.deepEqual(await eventsOf(stream, pieces), events, `in pieces of ${pieces}`);
      }
    });
  }

  it('gives back any lines that were framed as events', async () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/u.test(text));
    const events = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        events,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        async (all, end, pieces) => {
          const stream = all
            .map((lines) => lines.map((text) => `data: ${text}${end}`).join('') + end)
            .join('');
          assert.deepEqual(
            await eventsOf(stream, pieces),
            all.map((lines) => lines.join('\n')),
          );
        },
      ),
    );
  });
});
