import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { FetchTransport } from '../../../../src/service/http/fetchTransport.ts';
import type { TransportRequest } from '../../../../src/service/http/transport.ts';
import { describeTransport } from '../../../support/service/transportConformance.ts';

describeTransport('FetchTransport', () => new FetchTransport(), {
  posts: false,
  decodes: false,
  connects: false,
});

describe('FetchTransport', () => {
  it('refuses what it cannot do instead of doing half of it', async () => {
    const timeouts = { connect: 1000, headers: 1000, idle: 1000, whole: 20_000 };
    const impossible: Partial<TransportRequest>[] = [
      { lookup: (_host, _options, callback) => callback(null, '127.0.0.1', 4) },
      { method: 'POST', body: { length: 0, open: () => Readable.from([]) } },
    ];
    for (const more of impossible) {
      await assert.rejects(
        new FetchTransport().request({
          method: 'GET',
          url: new URL('http://127.0.0.1:1/'),
          timeouts,
          ...more,
        }),
        { code: 'protocol', sent: false },
      );
    }
  });
});
