import { messageOf } from '../../common/messageOf.ts';

/** The decoder's words for files that are whole, but of kinds that it doesn't read or that are too large for it. */
const beyondIt =
  /^(?:Unsupported (?!marker)|Sorry|Not implemented|Requested feature|Insufficient memory|Maximum supported|Image too|Cannot enlarge|Aborted)/u;
/** Its words for what changes no pixel. */
const remarks =
  /^(?:Warning: unknown JFIF revision|Unknown Adobe color transform|Invalid SOS parameters for sequential)/u;

/** Returns what is wrong with a file by the words that its decoder printed, in English; undefined if nothing is. */
export function saidFlaw(words: readonly string[]): string | undefined {
  const flaw = words.find((line) => !remarks.test(line));
  return flaw === undefined || beyondIt.test(flaw) ? undefined : `the decoder reports "${flaw}"`;
}

/** Returns what is wrong with a file whose decoder failed without a word. */
export function silentFlaw(failure: unknown): string | undefined {
  return messageOf(failure) === 'Decoding error' ? "its pixels can't be decoded" : undefined;
}
