/** How long replaced and discarded images are kept, in milliseconds. */
export const filesKept = 30 * 24 * 3_600_000;

/** Returns what an image replaced, as long as it can be restored. */
export function restorable<T extends { at: number }>(
  { replacedOriginal }: { replacedOriginal?: T },
  now = Date.now(),
): T | undefined {
  return replacedOriginal && isKept(replacedOriginal, now) ? replacedOriginal : undefined;
}

/** Whether an image is discarded and can be restored. */
export function isRecoverable({ discarded }: { discarded?: { at: number } }, now = Date.now()): boolean {
  return discarded !== undefined && isKept(discarded, now);
}

/** Whether a file is kept that can only be restored from this image: what it replaced, or itself. */
export function keepsFile(
  image: { replacedOriginal?: { at: number }; discarded?: { at: number } },
  now = Date.now(),
): boolean {
  return restorable(image, now) !== undefined || isRecoverable(image, now);
}

function isKept({ at }: { at: number }, now: number): boolean {
  return now < at + filesKept;
}
