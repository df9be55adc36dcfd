import type { Base64Decoder, BlobDamage } from './base64Decoder.ts';

/** Stands in the value in place of a diverted string. */
export class DivertedBlob {
  /** Index of the sink that got the bytes. */
  readonly sink: number;
  /** Length of what the sink got. */
  readonly bytes: number;
  /** From the prefix of a data URL. */
  readonly mediaType: string | undefined;
  /** Why it is no image. */
  readonly damage: BlobDamage | undefined;

  constructor(sink: number, decoder: Base64Decoder) {
    this.sink = sink;
    this.bytes = decoder.bytes;
    this.mediaType = decoder.mediaType;
    this.damage = decoder.damage;
  }
}
