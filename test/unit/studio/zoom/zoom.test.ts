import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  arrows,
  centerOf,
  fitting,
  panned,
  wheelFactor,
  wheelSideways,
  within,
  zoomedTo,
} from '../../../../src/studio/zoom/zoom.ts';

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

  void it('shows a small picture in its own size too', () => {
    const small = { width: 100, height: 100 };
    const zoom = zoomedTo(fitting(small, frame), 0.5, { x: 0, y: 0 }, small, frame);
    assert.deepEqual(zoom, { scale: 1, x: 150, y: 100 });
  });

  void it('keeps in place what is under the pointer', () => {
    const zoom = zoomedTo({ scale: 1, x: -300, y: -100 }, 2, { x: 200, y: 150 }, picture, frame);
    // The pixel under the pointer before: (200 + 300) / 1, (150 + 100) / 1.
    assert.deepEqual(zoom, { scale: 2, x: 200 - 500 * 2, y: 150 - 250 * 2 });
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

  void it('grows and shrinks with two fingers on a touchpad as their distance does', () => {
    for (const factor of [1.3, 1.02, 0.97, 0.7]) {
      // As browsers tell it.
      const pinch = { deltaY: -100 * Math.log(factor), deltaMode: 0, ctrlKey: true };
      assert.ok(Math.abs(wheelFactor(pinch) - factor) < 1e-9);
    }
  });

  void it('moves sideways only by what goes sideways', () => {
    const wheel = { deltaX: 40, deltaY: 10, deltaMode: 0, shiftKey: false, ctrlKey: false, metaKey: false };
    assert.equal(wheelSideways(wheel), 40);
    assert.equal(wheelSideways({ ...wheel, deltaY: -90 }), 0);
    for (const held of ['ctrlKey', 'metaKey']) {
      assert.equal(wheelSideways({ ...wheel, [held]: true }), 0);
    }
  });

  void it('goes as far with lines of a wheel as with pixels, and back by as much', () => {
    const notch = { deltaY: 96, deltaMode: 0, ctrlKey: false };
    assert.equal(wheelFactor(notch), wheelFactor({ ...notch, deltaY: 6, deltaMode: 1 }));
    assert.ok(wheelFactor(notch) < 1);
    // A turn by three notches about doubles the size.
    const [three, more] = [
      wheelFactor({ ...notch, deltaY: -100 }) ** 3,
      wheelFactor({ ...notch, deltaY: -900 }),
    ];
    assert.ok(three > 1.9 && three < 2.5 && more < 1.5);
    assert.ok(wheelFactor({ ...notch, deltaY: 900 }) > 1 / 1.5);
    assert.equal(wheelFactor({ ...notch, deltaY: 60, ctrlKey: true }), wheelFactor({ ...notch, deltaY: 60 }));
    assert.ok(Math.abs(wheelFactor(notch) * wheelFactor({ ...notch, deltaY: -96 }) - 1) < 1e-9);
  });

  void it('goes sideways with Shift or across, but never with the control key', () => {
    const wheel = { deltaX: 0, deltaY: 100, deltaMode: 0, shiftKey: false, ctrlKey: false, metaKey: false };
    assert.equal(wheelSideways(wheel), 0);
    assert.equal(wheelSideways({ ...wheel, shiftKey: true }), 100);
    assert.equal(wheelSideways({ ...wheel, deltaX: 7, shiftKey: true }), 7);
    assert.equal(wheelSideways({ ...wheel, deltaX: 3, deltaY: -1, deltaMode: 1 }), 48);
    assert.equal(wheelSideways({ ...wheel, shiftKey: true, ctrlKey: true }), 0);
  });

  void it('goes further with a pinch on a touch pad than with as much of a wheel, and as far with the control key as without', () => {
    const pinch = { deltaY: 4, deltaMode: 0, ctrlKey: true };
    assert.ok(wheelFactor(pinch) < wheelFactor({ ...pinch, ctrlKey: false }));
    const notch = { deltaY: 100, deltaMode: 0, ctrlKey: true };
    assert.equal(wheelFactor(notch), wheelFactor({ ...notch, ctrlKey: false }));
  });

  void it('is around the middle by a button, and by one step with an arrow key', () => {
    assert.deepEqual(centerOf({ width: 30, height: 20 }), { x: 15, y: 10 });
    assert.deepEqual(
      ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Tab'].map((key) => arrows[key]),
      [[-1, 0], [1, 0], [0, -1], [0, 1], undefined],
    );
  });
});
