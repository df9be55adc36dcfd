import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DemoClock } from '../../../../src/demo/state/demoClock.ts';
import { ImageHost } from '../../../../src/demo/state/imageHost.ts';

describe('the images that the demo service keeps', () => {
  it('are found for six hours, under names that nobody guesses', async () => {
    const clock = new DemoClock('frozen', 0);
    const host = new ImageHost(clock);
    const images = (['png', 'jpeg', 'webp'] as const).map((format) => ({ format, bytes: Buffer.of(1) }));
    const paths = images.map((image) => host.store(image));
    for (const [index, extension] of ['png', 'jpg', 'webp'].entries()) {
      assert.match(paths[index] ?? '', new RegExp(`^/api/async-images/[0-9a-f]{32}\\.${extension}$`, 'u'));
    }
    assert.notEqual(host.store({ format: 'png', bytes: Buffer.of(1) }), paths[0]);
    await clock.advance(6 * 3_600_000 - 1);
    assert.deepEqual(
      paths.map((path) => host.find(path)),
      images,
    );
    await clock.advance(1);
    assert.deepEqual(
      paths.map((path) => host.find(path)),
      [undefined, undefined, undefined],
    );
  });

  it('have 20 MB at most', () => {
    const host = new ImageHost(new DemoClock('frozen', 0));
    assert.ok(host.find(host.store({ format: 'png', bytes: Buffer.alloc(20_000_000) })));
    assert.throws(() => host.store({ format: 'png', bytes: Buffer.alloc(20_000_001) }), RangeError);
  });
});
