/** What becomes of an image whose size isn't the one that was asked for; `off`: it stays as it is. */
export const fits = ['off', 'crop', 'pad', 'stretch'] as const;

export type FitSetting = (typeof fits)[number];
