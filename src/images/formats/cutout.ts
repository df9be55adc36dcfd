/** How a subject gets a transparent background. */
export const cutoutWays = ['alpha', 'key', 'grounds'] as const;

export type CutoutWay = (typeof cutoutWays)[number];

/** What may be wrong with a cut-out. */
export const cutoutFlaws = [
  'opaque',
  'checkerboard',
  'no_ground',
  'same_ground',
  'size',
  'subject',
  'empty',
  'full',
  'corners',
  'cut',
  'remains',
  'half',
  'holes',
  'eaten',
  'pieces',
  'uncertain',
  'mismatch',
  'grey_ground',
] as const;

export type CutoutFlaw = (typeof cutoutFlaws)[number];
