export { alphaKind, type AlphaKind, hasRealAlpha } from './cleanAlpha.ts';
export { type Checkerboard, findCheckerboard, opaque, pixelsOfBoard } from './checkerboard.ts';
export { measureBackground } from './paintedBackground.ts';
export { type MainColor, mainColors } from './subjectColors.ts';
export { type KeyOutcome, removeKey } from './removeKey.ts';
export type { Rgb } from './surface.ts';
export {
  alphaOfTwoBackgrounds,
  isWhiteEnough,
  type TwoBackgroundsFailure,
  type TwoBackgroundsOutcome,
} from './twoBackgrounds.ts';
