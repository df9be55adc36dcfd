import * as v from 'valibot';

/**
 * A mask is stored as a list of operations, in image pixels from the top left corner. Undo, reload, and restart draw it
 * by replaying them. `mode`: whether a shape adds to the edited area or subtracts from it.
 */
const coordinate = v.pipe(v.number(), v.finite());
const point = v.tuple([coordinate, coordinate]);
const mode = v.picklist(['add', 'subtract']);

export const maskOperation = v.variant('kind', [
  v.object({
    kind: v.literal('stroke'),
    mode,
    /** Diameter in image pixels. */
    size: v.pipe(v.number(), v.minValue(1), v.maxValue(10_000)),
    /** 0: soft from the center outward; 1: a sharp edge. */
    hardness: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    /** x, y, and pen pressure (1 for a mouse) of each point in turn. */
    points: v.array(coordinate),
  }),
  v.object({ kind: v.literal('rectangle'), mode, from: point, to: point }),
  v.object({ kind: v.literal('lasso'), mode, points: v.array(point) }),
  v.object({ kind: v.literal('invert') }),
  v.object({ kind: v.literal('clear') }),
  v.object({ kind: v.literal('fill') }),
  /** Moves the edge of what is marked inward, or outward where `pixels` is negative. */
  v.object({
    kind: v.literal('choke'),
    pixels: v.pipe(v.number(), v.integer(), v.minValue(-20), v.maxValue(20)),
  }),
  /** Makes the edge of what is marked softer, inward only. */
  v.object({
    kind: v.literal('feather'),
    pixels: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)),
  }),
  /** A mask file that the host keeps under this name. */
  v.object({ kind: v.literal('load'), file: v.string() }),
]);
export type MaskOperation = v.InferOutput<typeof maskOperation>;

/** A mask with its undo state: the first `done` operations apply, the rest can be redone. */
export const maskHistory = v.object({
  operations: v.array(maskOperation),
  done: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The image that it was last painted on. `path`: its file, which may have changed since; empty if it has none. */
  image: v.exactOptional(v.object({ id: v.string(), path: v.string() })),
  /** Size of that image in pixels. */
  size: v.exactOptional(v.object({ width: v.number(), height: v.number() })),
});
export type MaskHistory = v.InferOutput<typeof maskHistory>;
