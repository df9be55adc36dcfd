import type { KeptOutside, MaskedEdit } from './keepOutside.ts';
import type { MaskConvention } from './mask.ts';
import type { Encoding, Pixels } from './pixels.ts';

/** What the client asks of the worker, one at a time or many. */
export type CodecRequest = { id: number } & (
  | { kind: 'decode'; bytes: Uint8Array }
  | { kind: 'encode'; pixels: Pixels; encoding: Encoding }
  | { kind: 'convert'; bytes: Uint8Array; encoding: Encoding }
  | { kind: 'fit'; bytes: Uint8Array; width: number; height: number }
  | { kind: 'toMask'; bytes: Uint8Array; convention: MaskConvention }
  | { kind: 'keepOutside'; edit: MaskedEdit }
);

/** What the worker answers, in the order of the requests. */
export type CodecReply = { id: number } & (
  | { kind: 'decoded'; pixels: Pixels }
  | { kind: 'encoded'; bytes: Uint8Array }
  | { kind: 'composed'; outcome: KeptOutside }
  | { kind: 'failed'; message: string }
);
