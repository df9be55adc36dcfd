/** A rectangle of whole pixels; `right` and `bottom` are the first ones outside. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The smallest area that holds both. */
export function union(one: Area | undefined, other: Area | undefined): Area | undefined {
  return one && other
    ? {
        left: Math.min(one.left, other.left),
        top: Math.min(one.top, other.top),
        right: Math.max(one.right, other.right),
        bottom: Math.max(one.bottom, other.bottom),
      }
    : (one ?? other);
}

/** The whole pixels that a rectangle touches, as far as they are in an image of this size. */
export function touched(
  { left, top, right, bottom }: Area,
  { width, height }: { width: number; height: number },
): Area | undefined {
  const area = {
    left: Math.max(0, Math.floor(left)),
    top: Math.max(0, Math.floor(top)),
    right: Math.min(width, Math.ceil(right)),
    bottom: Math.min(height, Math.ceil(bottom)),
  };
  return area.left < area.right && area.top < area.bottom ? area : undefined;
}
