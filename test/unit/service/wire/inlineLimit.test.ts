import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { ImageService } from '../../../../src/service/wire/imageService.ts';
import type { ImageSink } from '../../../../src/service/terms/messages.ts';
import type { Transport } from '../../../../src/service/http/transport.ts';
import { generation, serviceOptions } from '../../../support/service/requestBuilders.ts';
import { ScriptedTransport } from '../../../support/service/scriptedTransport.ts';

const limit = 64 * 1024 * 1024;

/** A sink that only counts. */
class CountingSink implements ImageSink {
  bytes = 0;
  state: 'open' | 'closed' | 'discarded' = 'open';

  write(chunk: Uint8Array): void {
    this.bytes += chunk.length;
  }

  toText(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.state = 'closed';
    return Promise.resolve();
  }

  discard(): Promise<void> {
    this.state = 'discarded';
    return Promise.resolve();
  }
}

/** A service that answers with one image of so many bytes. */
function serviceWith(before: string, bytes: number, after: string): ImageService {
  const group = Buffer.alloc(3 * 65_536, 7).toString('base64');
  function* body(): Generator<Buffer> {
    yield Buffer.from(before);
    let left = bytes;
    for (; left >= 3 * 65_536; left -= 3 * 65_536) {
      yield Buffer.from(group);
    }
    yield Buffer.from(Buffer.alloc(left, 7).toString('base64'));
    yield Buffer.from(after);
  }
  const transport: Transport = {
    request: () =>
      Promise.resolve({ statusCode: 200, headers: {}, body: Readable.from(body(), { objectMode: false }) }),
  };
  return new ImageService({
    ...serviceOptions(new ScriptedTransport()),
    transports: { posts: transport, polls: transport },
  });
}

const forms: Record<
  string,
  { before: string; after: string; call: (service: ImageService, sink: ImageSink) => Promise<unknown> }
> = {
  'as b64_json': {
    before: '{"data":[{"b64_json":"',
    after: '"}]}',
    call: async (service, sink) => service.submit(generation(), 'sync', { openSink: () => sink }),
  },
  'as a data URL': {
    before: '{"data":[{"url":"data:image/png;base64,',
    after: '"}]}',
    call: async (service, sink) => service.submit(generation(), 'sync', { openSink: () => sink }),
  },
  'in a native answer': {
    before: '{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"',
    after: '"}}]}}]}',
    call: async (service, sink) =>
      service.submit(generation({ family: 'native' }), 'native', { openSink: () => sink }),
  },
};

describe('an inline image', () => {
  for (const [form, { before, after, call }] of Object.entries(forms)) {
    it(`has 64 MB and not a byte more, counted after decoding, ${form}`, async () => {
      const fitting = new CountingSink();
      await call(serviceWith(before, limit, after), fitting);
      assert.deepEqual([fitting.state, fitting.bytes], ['closed', limit]);
      const larger = new CountingSink();
      await assert.rejects(call(serviceWith(before, limit + 1, after), larger), { code: 'result_too_large' });
      assert.equal(larger.state, 'discarded');
      assert.ok(larger.bytes <= limit);
    });
  }
});
