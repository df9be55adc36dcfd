/** How long replaced and discarded images are kept, in milliseconds. */
export const filesKept = 30 * 24 * 3_600_000;

/** Returns what an image replaced, as long as it can be restored. */
export function restorable<T extends { at: number }>(
  { replacedOriginal }: { replacedOriginal?: T },
  now = Date.now(),
): T | undefined {
  return replacedOriginal && now < replacedOriginal.at + filesKept ? replacedOriginal : undefined;
}
