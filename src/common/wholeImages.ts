/** The part of a task's image that says whether its file is whole. */
interface SavedImage {
  seemsCut?: true;
  damage?: string;
  finished?: { damage?: string } | { problem: string };
}

/** Whether nothing is known to be missing or wrong in the file of an image, or in the one that it was made of. */
export function isWhole(image: SavedImage): boolean {
  return !image.seemsCut && damageIn(image) === undefined;
}

/** Returns what is wrong with the file of an image, or with the one that it was made of, in English. */
export function damageIn({ damage, finished }: SavedImage): string | undefined {
  return damage ?? (finished && 'damage' in finished ? finished.damage : undefined);
}
