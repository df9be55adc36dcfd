// Room: removes the ground around a subject.
// Never: the bytes of files, the words of prompts.

export { alphaKind, type AlphaKind, hasRealAlpha } from './alphaKind.ts';
export { type Checkerboard, findCheckerboard, opaque, pixelsOfBoard } from './checkerboard.ts';
export { measureGround } from './ground.ts';
export { type MainColour, mainColours } from './mainColours.ts';
export { type KeyOutcome, removeKey } from './removeKey.ts';
export type { Rgb } from './surface.ts';
export {
  alphaOfTwoGrounds,
  isWhiteEnough,
  type TwoGroundsFailure,
  type TwoGroundsOutcome,
} from './twoGrounds.ts';
