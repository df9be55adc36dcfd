/** Descriptions of damage in plain English. */
const messages = {
  format: () => "it isn't a PNG, JPEG, or WebP image",
  checksum: (chunk, offset) => `the checksum of chunk ${chunk} at byte ${offset} is wrong`,
  truncated: (chunk, offset) => `it's truncated in or right after ${chunk} at byte ${offset}`,
  order: (chunk, offset) => `${chunk} at byte ${offset} is out of place`,
  missing: (chunk, offset) => `${chunk} is missing before byte ${offset}`,
  contents: (chunk, offset) => `the contents of ${chunk} at byte ${offset} are invalid`,
  unknown: (chunk, offset) => `${chunk} at byte ${offset} isn't a valid chunk in this format`,
  pixels: (chunk, offset) => `the pixel data starting with ${chunk} at byte ${offset} can't be read`,
} satisfies Record<string, (chunk: string, offset: number) => string>;

export type DamageKind = keyof typeof messages;

export interface Damage {
  what: DamageKind;
  /** The chunk or segment at fault, such as `IDAT` or `SOF0`. */
  chunk: string;
  /** The position of the chunk in bytes; for a missing one, the last possible position. */
  offset: number;
  /** The description in plain English, to follow "The file is damaged: ". */
  message: string;
}

export class DamageFound extends Error {
  readonly damage: Damage;

  constructor(what: DamageKind, { type, offset }: { type: string; offset: number }) {
    const chunk = /^\w+ ?$/u.test(type) ? type : Buffer.from(type, 'latin1').toString('hex');
    const message = messages[what](chunk, offset);
    super(message);
    this.damage = { what, chunk, offset, message };
  }
}
