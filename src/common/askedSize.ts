/** The part of a request that says which size its images should have. */
interface Sized {
  /** `<width>x<height>`, as the service is asked. */
  size?: string;
  /** How Limner makes the file; its size is what the person asked for. */
  finish?: { size?: { width: number; height: number } };
}

/** A size as people write it, `<width>x<height>`, or an empty text: the service decides. */
export const sizeOrNone = /^$|^[1-9]\d*x[1-9]\d*$/;

/** Returns the size that a person asked for, `<width>x<height>`; undefined if they left it to the service. */
export function askedSize({ size, finish }: Sized): string | undefined {
  return finish?.size ? `${finish.size.width}x${finish.size.height}` : size;
}

/** What becomes of an image whose size isn't the one that was asked for; `off`: it stays as it is. */
export const fits = ['off', 'crop', 'pad', 'stretch'] as const;

export type FitSetting = (typeof fits)[number];
