import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitting, panned, within, zoomedTo } from '../../../../src/studio/zoom/zoom.ts';

const frame = { width: 400, height: 300 };
const picture = { width: 1000, height: 500 };

void describe('zoom of a picture', () => {
  void it('fits the whole picture into the middle of its frame', () => {
    assert.deepEqual(fitting(picture, frame), { scale: 0.4, x: 0, y: 50 });
  });

  void it('enlarges a picture that is smaller than the frame in whole steps, up to 800%', () => {
    assert.deepEqual(fitting({ width: 100, height: 100 }, frame), { scale: 3, x: 50, y: 0 });
    assert.deepEqual(fitting({ width: 350, height: 200 }, frame), { scale: 1, x: 25, y: 50 });
    assert.deepEqual(fitting({ width: 10, height: 10 }, frame), { scale: 8, x: 160, y: 110 });
  });

  void it('zooms out until all is seen, and in until a pixel is 32 wide', () => {
    const fit = fitting(picture, frame);
    assert.deepEqual(zoomedTo(fit, 0.01, { x: 10, y: 10 }, picture, frame), fit);
    assert.equal(zoomedTo(fit, 1000, { x: 10, y: 10 }, picture, frame).scale, 32);
  });

  void it('keeps a zoom that can be reckoned with where the frame has no room', () => {
    const none = { width: 400, height: 0 };
    const zoom = zoomedTo(fitting(picture, none), 1, { x: 200, y: 0 }, picture, none);
    assert.ok(Object.values(zoom).every(Number.isFinite), JSON.stringify(zoom));
  });

  void it('leaves no side of the frame empty that the picture could fill', () => {
    const zoom = { scale: 1, x: 0, y: 0 };
    assert.deepEqual(panned(zoom, { x: 50, y: 50 }, picture, frame), { scale: 1, x: 0, y: 0 });
    assert.deepEqual(panned(zoom, { x: -5000, y: -5000 }, picture, frame), { scale: 1, x: -600, y: -200 });
    assert.deepEqual(within({ scale: 0.5, x: -70, y: 90 }, picture, frame), { scale: 0.5, x: -70, y: 25 });
  });
});
