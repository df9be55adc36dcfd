import * as english from '../../common/english.ts';
/** Descriptions of damage in plain English. */
const messages = {
  format: () => english.t("it isn't a PNG, JPEG, or WebP image"),
  checksum: (chunk, offset) => english.t('the checksum of chunk {0} at byte {1} is wrong', chunk, offset),
  truncated: (chunk, offset) => english.t("it's truncated in or right after {0} at byte {1}", chunk, offset),
  order: (chunk, offset) => english.t('{0} at byte {1} is out of place', chunk, offset),
  missing: (chunk, offset) => english.t('{0} is missing before byte {1}', chunk, offset),
  contents: (chunk, offset) => english.t('the contents of {0} at byte {1} are invalid', chunk, offset),
  unknown: (chunk, offset) => english.t("{0} at byte {1} isn't a valid chunk in this format", chunk, offset),
  pixels: (chunk, offset) =>
    english.t("the pixel data starting with {0} at byte {1} can't be read", chunk, offset),
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
