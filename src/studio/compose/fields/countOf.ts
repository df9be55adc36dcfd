import type { Draft } from '../../protocol/draft.ts';
import type { StudioModel } from '../../protocol/state.ts';

/** How many pictures are asked for: as many as are wanted and the model gives. */
export function countOf(
  { count }: Pick<Draft, 'count'>,
  { maxCount }: Pick<StudioModel, 'maxCount'>,
): number {
  return Math.min(count, maxCount);
}
