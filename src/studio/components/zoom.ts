/** Placement of an image in a frame: screen pixels per image pixel, and the position of its top left corner. */
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

export const arrows: Record<string, readonly [across: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** In screen pixels per image pixel. */
const maxScale = 32;
/** Largest enlargement of a small image to fit its frame. */
const maxFitScale = 8;
/** Keeps the scale above zero in a frame without room, such as below a tall terminal. */
const minScale = 0.001;
export const zoomStep = 1.25;

/** Fits the whole image into the frame, centered; a small one is enlarged in whole steps, so that it stays sharp. */
export function fitting(image: Size, frame: Size): Zoom {
  const room = Math.max(minScale, Math.min(frame.width / image.width, frame.height / image.height));
  const scale = room < 1 ? room : Math.min(maxFitScale, Math.floor(room));
  return within({ scale, x: 0, y: 0 }, image, frame);
}

/** Moves the image by the smallest distance that leaves no fillable part of the frame empty. */
export function within({ scale, x, y }: Zoom, image: Size, frame: Size): Zoom {
  return {
    scale,
    x: place(x, image.width * scale, frame.width),
    y: place(y, image.height * scale, frame.height),
  };
}

/** Returns the placement of the image in the frame: zoomed, or else fitted. */
export function placed(zoom: Zoom | null | undefined, image: Size, frame: Size): Zoom {
  return zoom ? within(zoom, image, frame) : fitting(image, frame);
}

function place(start: number, length: number, room: number): number {
  return length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, start));
}

/** Zooms to a scale and keeps `point` of the frame in place if the borders allow. */
export function zoomedTo(zoom: Zoom, scale: number, point: Point, image: Size, frame: Size): Zoom {
  const smallest = Math.min(1, fitting(image, frame).scale);
  const next = Math.min(maxScale, Math.max(smallest, scale));
  const factor = next / zoom.scale;
  return within(
    { scale: next, x: point.x - (point.x - zoom.x) * factor, y: point.y - (point.y - zoom.y) * factor },
    image,
    frame,
  );
}

export function centerOf({ width, height }: Size): Point {
  return { x: width / 2, y: height / 2 };
}

export function panned(zoom: Zoom, by: Point, image: Size, frame: Size): Zoom {
  return within({ scale: zoom.scale, x: zoom.x + by.x, y: zoom.y + by.y }, image, frame);
}

/** The smallest step of a mouse wheel, in pixels; a touchpad makes smaller ones. */
const minNotch = 50;

/**
 * Returns how far a wheel event moves the image sideways, in screen pixels: with Shift, or on the horizontal axis.
 * Other wheel events zoom.
 */
export function wheelSideways({
  deltaX,
  deltaY,
  deltaMode,
  shiftKey,
  ctrlKey,
  metaKey,
}: Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'shiftKey' | 'ctrlKey' | 'metaKey'>): number {
  const across = deltaX === 0 ? deltaY : deltaX;
  const isSideways = !ctrlKey && !metaKey && (shiftKey || Math.abs(deltaX) > Math.abs(deltaY));
  return isSideways ? across * (deltaMode === 0 ? 1 : 16) : 0;
}

/** Returns the zoom factor of a wheel event; a touchpad pinch arrives as small steps with the Ctrl key. */
export function wheelFactor({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = deltaY * (deltaMode === 0 ? 1 : 16);
  const turn = Math.max(-100, Math.min(100, pixels));
  const isPinch = ctrlKey && Math.abs(turn) < minNotch;
  return Math.exp(-turn / (isPinch ? 100 : 400));
}
