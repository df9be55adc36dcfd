import { hasImage, isAskedFor } from './resultAvailability.ts';

/** How many images a task was to bring. */
export interface ImageCounts {
  asked: number;
  /** Those whose bytes came; one that came twice in an answer counts once. */
  received: number;
  missing: number;
}

/** Counts the images of a task, without those that a service lists beyond what was asked for. */
export function imageCounts({
  request: { n },
  results,
}: {
  request: { n: number };
  results: readonly Parameters<typeof hasImage>[0][];
}): ImageCounts {
  const received = results.filter(
    (result) => isAskedFor(result) && (result.state === 'saved' || hasImage(result)),
  ).length;
  return { asked: n, received, missing: Math.max(0, n - received) };
}
