import type { Encoding, Pixels } from './pixels.ts';

/** What the client asks of the worker, one at a time or many. */
export type CodecRequest = { id: number } & (
  { kind: 'decode'; bytes: Uint8Array } | { kind: 'encode'; pixels: Pixels; encoding: Encoding }
);

/** What the worker answers, in the order of the requests. */
export type CodecReply = { id: number } & (
  | { kind: 'decoded'; pixels: Pixels }
  | { kind: 'encoded'; bytes: Uint8Array }
  | { kind: 'failed'; message: string }
);
