import type { MaskOperation } from '../protocol/maskOperations.ts';
import { touched } from './area.ts';
import { choked, feathered } from './edge.ts';
import { drawLasso } from './lasso.ts';
import type { MaskPixels } from './maskPixels.ts';
import { MaskWriter } from './maskWriter.ts';
import { drawStroke } from './stroke.ts';

/** An operation that needs no file. */
export type DrawnOperation = Exclude<MaskOperation, { kind: 'load' }>;

export function drawn(mask: MaskPixels, operation: DrawnOperation): MaskPixels {
  const writer = new MaskWriter(mask);
  switch (operation.kind) {
    case 'stroke':
      drawStroke(writer, operation);
      break;
    case 'rectangle':
      drawRectangle(writer, operation);
      break;
    case 'lasso':
      drawLasso(writer, operation);
      break;
    case 'invert':
      writer.invert();
      break;
    case 'choke':
      return choked(mask, operation.pixels);
    case 'feather':
      return feathered(mask, operation.pixels);
    case 'clear':
      writer.flood('subtract');
      break;
    case 'fill':
      writer.flood('add');
      break;
  }
  return writer.finish();
}

/** Draws the rectangle between two corners, which are rounded to whole pixels. */
function drawRectangle(
  writer: MaskWriter,
  { mode, from, to }: Extract<MaskOperation, { kind: 'rectangle' }>,
): void {
  const [left, right] = ordered(Math.round(from[0]), Math.round(to[0]));
  const [top, bottom] = ordered(Math.round(from[1]), Math.round(to[1]));
  const area = touched({ left, top, right, bottom }, writer);
  if (area) {
    writer.coverage.fill(255);
    for (let y = area.top; y < area.bottom; y++) {
      writer.merge(mode, y, area.left, area.right);
    }
  }
}

function ordered(one: number, other: number): [least: number, most: number] {
  return one < other ? [one, other] : [other, one];
}
