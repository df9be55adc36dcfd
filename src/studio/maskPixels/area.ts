/** A rectangle of whole pixels; `right` and `bottom` are exclusive. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

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

/** Returns the pixels of an image that a rectangle touches, or undefined if it touches none. */
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
