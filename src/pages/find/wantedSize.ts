import type { Reference, Size } from '../scan/reference.ts';

/** Minimum and maximum side of an image, in pixels. */
const [least, most] = [8, 8192];

const inName = /(?<!\d)(\d{2,4})\s?[x×]\s?(\d{2,4})(?!\d)/u;
const density = /@([23])x\.\w+$/u;

/**
 * Returns the size for a reference: the displayed size, or that in its file name, times the `@2x` of the name;
 * undefined unless both sides are known.
 */
export function wantedSize(
  { size: { width, height } }: Pick<Reference, 'size'>,
  path: string,
): Size | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, across, down] = inName.exec(name) ?? [];
  const factor = Number(density.exec(name)?.[1] ?? 1);
  const shown = width !== undefined && height !== undefined ? { width, height } : undefined;
  const named = across === undefined ? undefined : { width: Number(across), height: Number(down) };
  const wanted = shown ?? named;
  const scaled = wanted && { width: wanted.width * factor, height: wanted.height * factor };
  return scaled && [scaled.width, scaled.height].every((side) => side >= least && side <= most)
    ? scaled
    : undefined;
}
