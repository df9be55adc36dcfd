/** How a picture lies in a frame: pixels of the screen for one of the picture, and where its top left corner is. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** A pixel of the picture at most as large as this on the screen. */
const largestScale = 32;
/** A frame without room, as below a tall terminal, is not what a picture is lost in. */
const smallestScale = 0.001;
/** By what one key or one press of a button zooms. */
export const zoomStep = 1.25;

/** The whole picture in the middle of the frame, not larger than it is. */
export function fitting(picture: Size, frame: Size): Zoom {
  const room = Math.min(frame.width / picture.width, frame.height / picture.height);
  const scale = Math.min(1, Math.max(smallestScale, room));
  return within({ scale, x: 0, y: 0 }, picture, frame);
}

/** The nearest place at which no side of the frame is empty that the picture could fill. */
export function within({ scale, x, y }: Zoom, picture: Size, frame: Size): Zoom {
  return {
    scale,
    x: place(x, picture.width * scale, frame.width),
    y: place(y, picture.height * scale, frame.height),
  };
}

function place(start: number, length: number, room: number): number {
  return length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, start));
}

/** Zooms to a scale; what is at `point` of the frame stays there, as far as the borders let it. */
export function zoomedTo(zoom: Zoom, scale: number, point: Point, picture: Size, frame: Size): Zoom {
  const smallest = fitting(picture, frame).scale;
  const next = Math.min(largestScale, Math.max(smallest, scale));
  const factor = next / zoom.scale;
  return within(
    { scale: next, x: point.x - (point.x - zoom.x) * factor, y: point.y - (point.y - zoom.y) * factor },
    picture,
    frame,
  );
}

/** Moves the picture by so many pixels of the screen. */
export function moved(zoom: Zoom, by: Point, picture: Size, frame: Size): Zoom {
  return within({ scale: zoom.scale, x: zoom.x + by.x, y: zoom.y + by.y }, picture, frame);
}

/** What a mouse's wheel turns at least by; a touch pad goes in smaller steps. */
const leastNotch = 50;

/** By what a turn of the wheel zooms; a pinch on a touch pad comes as a wheel with the control key, in small steps. */
export function wheelFactor({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = deltaY * (deltaMode === 0 ? 1 : 16);
  const turn = Math.max(-100, Math.min(100, pixels));
  const isPinch = ctrlKey && Math.abs(turn) < leastNotch;
  return Math.exp(-turn / (isPinch ? 100 : 400));
}
