/** The most pixels that are decoded or made. Beyond it, a file of some kilobytes could take gigabytes. */
export const maxPixels = 100_000_000;

/** The greatest width and height in pixels. Beyond it, the encoders fail without a reason. */
export const maxSide = { png: 2 ** 31 - 1, jpeg: 65_500, webp: 16_383 } as const;
