import { boxAround, type Box, clampUnit } from '../../../../src/demo/painter/canvas.ts';
import type { Color } from '../../../../src/demo/painter/color.ts';
import type { Brush } from './layer.ts';

export type Point = readonly [x: number, y: number];

/** Draws a disc. `softness` is the width of its edge in pixels, at least 1. */
export function disc(
  brush: Brush,
  [x, y]: Point,
  radius: number,
  color: Color,
  { softness = 1, opacity = 1 } = {},
): void {
  brush.cover(
    boxAround(x, y, radius + softness),
    color,
    (px, py) => opacity * ease((radius - Math.hypot(px - x, py - y)) / softness + 0.5),
  );
}

/** Draws a ring between two radii. */
export function ring(
  brush: Brush,
  [x, y]: Point,
  [inner, outer]: readonly [number, number],
  color: Color,
  opacity = 1,
): void {
  brush.cover(boxAround(x, y, outer + 1), color, (px, py) => {
    const distance = Math.hypot(px - x, py - y);
    return opacity * clampUnit(outer - distance + 0.5) * clampUnit(distance - inner + 0.5);
  });
}

/** Draws a line through points, whose width in pixels goes from the first number to the second. */
export function stroke(
  brush: Brush,
  points: readonly Point[],
  [from, to]: readonly [number, number],
  color: Color,
  opacity = 1,
): void {
  const reach = Math.max(from, to) / 2 + 1;
  const box = boundsOf(points, reach);
  const last = points.length - 1;
  brush.cover(box, color, (x, y) => {
    let most = 0;
    for (let index = 0; index < last; index++) {
      const [ax, ay] = points[index] ?? [0, 0];
      const [bx, by] = points[index + 1] ?? [0, 0];
      const [alongX, alongY] = [bx - ax, by - ay];
      const place = clampUnit(
        ((x - ax) * alongX + (y - ay) * alongY) / (alongX * alongX + alongY * alongY || 1),
      );
      const width = from + ((to - from) * (index + place)) / last;
      const distance = Math.hypot(x - ax - place * alongX, y - ay - place * alongY);
      // A line thinner than a pixel covers as much of it as it is wide.
      most = Math.max(most, Math.min(1, width) * clampUnit(Math.max(width, 1) / 2 - distance + 0.5));
    }
    return opacity * most;
  });
}

/** Draws a filled polygon with an edge of one pixel. */
export function polygon(brush: Brush, points: readonly Point[], color: Color, opacity = 1): void {
  brush.cover(boundsOf(points, 1), color, (x, y) => {
    let inside = false;
    let nearest = Infinity;
    let [ax, ay] = points.at(-1) ?? [0, 0];
    for (const [bx, by] of points) {
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) {
        inside = !inside;
      }
      const [alongX, alongY] = [bx - ax, by - ay];
      const place = clampUnit(
        ((x - ax) * alongX + (y - ay) * alongY) / (alongX * alongX + alongY * alongY || 1),
      );
      nearest = Math.min(nearest, Math.hypot(x - ax - place * alongX, y - ay - place * alongY));
      [ax, ay] = [bx, by];
    }
    return opacity * clampUnit(0.5 + (inside ? nearest : -nearest));
  });
}

/** Goes from 0 to 1 without corners. */
export function ease(value: number): number {
  const unit = clampUnit(value);
  return unit * unit * (3 - 2 * unit);
}

/** Returns the points of a star or, with equal radii, of a regular polygon. */
export function starPoints([x, y]: Point, radii: readonly number[], turn: number): Point[] {
  return radii.map((radius, index) => {
    const angle = turn + (index * 2 * Math.PI) / radii.length;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

function boundsOf(points: readonly Point[], margin: number): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    left: Math.min(...xs) - margin,
    top: Math.min(...ys) - margin,
    right: Math.max(...xs) + margin,
    bottom: Math.max(...ys) + margin,
  };
}
