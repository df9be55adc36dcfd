import * as v from 'valibot';

/**
 * A mask is the list of what was done to it, in image pixels from the top left corner; what it looks like follows from
 * the list alone, so that undo, reload and restart all replay it. An operation adds to the edited area or takes from it.
 */
const coordinate = v.pipe(v.number(), v.finite());
const point = v.tuple([coordinate, coordinate]);
const mode = v.picklist(['add', 'subtract']);

/** One thing that was done to a mask. */
export const maskOperation = v.variant('kind', [
  v.object({
    kind: v.literal('stroke'),
    mode,
    /** Diameter in image pixels. */
    size: v.pipe(v.number(), v.minValue(1), v.maxValue(10_000)),
    /** 0: soft from the middle on; 1: a sharp edge. */
    hardness: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    /** x, y and the pressure of a pen (1 of a mouse), one after the other. */
    points: v.array(coordinate),
  }),
  v.object({ kind: v.literal('rectangle'), mode, from: point, to: point }),
  v.object({ kind: v.literal('lasso'), mode, points: v.array(point) }),
  v.object({ kind: v.literal('invert') }),
  v.object({ kind: v.literal('clear') }),
  v.object({ kind: v.literal('fill') }),
  /** A mask from a file, which the host keeps under this name. */
  v.object({ kind: v.literal('load'), file: v.string() }),
]);
export type MaskOperation = v.InferOutput<typeof maskOperation>;

/** A mask and how far it is undone: the operations up to `done` count, those after it can be redone. */
export const maskHistory = v.object({
  operations: v.array(maskOperation),
  done: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The image that it was painted on last. `path`: its file, which may have changed since; empty if it has none. */
  image: v.exactOptional(v.object({ id: v.string(), path: v.string() })),
  /** Of that image, in pixels. */
  size: v.exactOptional(v.object({ width: v.number(), height: v.number() })),
});
export type MaskHistory = v.InferOutput<typeof maskHistory>;
