import * as v from 'valibot';
import { DivertedBlob, type BlobDamage } from './base64Decoder.ts';
import { maxImages } from './inlineImages.ts';
import { redactedKey } from '../errors/keyRedactor.ts';
import { type AnsweredImage, tokenCounts, type Usage } from '../messages.ts';
import { maxKeptLength, shortened, singleLine } from '../errors/singleLine.ts';

/**
 * Schemas of what the service sends, tolerant: unknown fields are ignored, and an optional field of a wrong type
 * counts as absent (docs/service.md, "Answers").
 */

function ifValid<T extends v.GenericSchema>(
  schema: T,
): v.SchemaWithFallback<v.OptionalSchema<T, undefined>, undefined> {
  return v.fallback(v.optional(schema), undefined);
}

const shortText = v.transform((value: string) => shortened(value, maxKeptLength));
const text = ifValid(v.pipe(v.string(), shortText));
/** An address of an image; one that is cut would lead nowhere. */
const address = v.pipe(v.string(), v.maxLength(16_000));
/** A word of the service's own that is shown as it is. */
const oneLine = v.transform((value: string) => singleLine(value, 100));
const word = ifValid(v.pipe(v.string(), oneLine, v.nonEmpty()));
/** Finite: JSON can write `1e999`, which no row can keep. */
const number = ifValid(v.pipe(v.number(), v.finite()));
const blob = ifValid(v.instance(DivertedBlob));

const imageItem = v.object({
  b64_json: blob,
  url: ifValid(v.union([v.instance(DivertedBlob), address])),
  revised_prompt: text,
});

/**
 * An id, which some services give as a number. One that means another path can't be queried, and one that contained the
 * key is neither kept nor sent.
 */
const id = ifValid(
  v.pipe(
    v.union([v.pipe(v.string(), v.nonEmpty(), v.maxLength(512)), v.number()]),
    v.transform(String),
    v.excludes(redactedKey),
    v.notValues(['.', '..']),
  ),
);

const progress = ifValid(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((value) => Number.parseFloat(String(value))),
    v.finite(),
    v.transform((value) => Math.min(100, Math.max(0, value))),
  ),
);

/** Body of every answer of the image endpoints: an image task, images, or an error. */
export const imageBody = v.object({
  id,
  /** The word of a task for itself. */
  object: ifValid(v.literal('image.generation.task')),
  status: word,
  progress,
  data: v.fallback(v.array(v.unknown()), []),
  error: v.optional(v.unknown()),
});

export type ImageBody = v.InferOutput<typeof imageBody>;

const inlineData = ifValid(v.object({ mimeType: text, mime_type: text, data: blob }));

const part = v.object({
  text,
  inlineData,
  inline_data: inlineData,
});

/** Body of a native answer, or of one event of a native stream. */
export const nativeBody = v.object({
  candidates: v.fallback(
    v.array(
      v.fallback(
        v.object({
          content: ifValid(v.object({ parts: v.fallback(v.array(v.fallback(part, {})), []) })),
          finishReason: text,
        }),
        {},
      ),
    ),
    [],
  ),
  promptFeedback: ifValid(v.object({ blockReason: text })),
  usageMetadata: v.fallback(v.optional(v.object(v.entriesFromList(tokenCounts, number))), undefined),
  error: v.optional(v.unknown()),
});

export type NativeBody = v.InferOutput<typeof nativeBody>;
export type NativePart = v.InferOutput<typeof part>;

/** An image that can't be had: bytes that were discarded, or an unusable address. */
export interface DamagedImage {
  damage: BlobDamage | 'address' | undefined;
}

/** Most characters of all addresses of one response: they are kept in the task's row. */
const maxAddressesLength = 256 * 1024;

/**
 * Returns the images of a `data` array; elements without one are left out, and those beyond what any request brings.
 *
 * @param origin of the service, for addresses that are parts of one
 */
export function imagesOf(
  data: readonly unknown[],
  origin: string,
): { images: AnsweredImage[]; damaged: DamagedImage[] } {
  const images: AnsweredImage[] = [];
  const damaged: DamagedImage[] = [];
  let room = maxAddressesLength;
  for (const item of data.slice(0, maxImages)) {
    const parsed = v.safeParse(imageItem, item);
    if (!parsed.success) {
      continue;
    }
    const { b64_json: base64, url, revised_prompt: revisedPrompt } = parsed.output;
    const inline = base64 ?? (url instanceof DivertedBlob ? url : undefined);
    const given = typeof url === 'string' && url !== '' ? url : undefined;
    const address = given === undefined ? undefined : addressOf(given, origin);
    const extra = revisedPrompt === undefined || revisedPrompt === '' ? {} : { revisedPrompt };
    if (inline !== undefined && inline.damage === undefined) {
      images.push({ ...inlineImage(inline), ...extra });
    } else if (address !== undefined) {
      room -= address.length;
      if (room < 0) {
        break;
      }
      images.push({ kind: 'url', url: address, ...extra });
    } else if (inline !== undefined) {
      damaged.push(inline);
    } else if (given !== undefined) {
      damaged.push({ damage: 'address' });
    }
  }
  return { images, damaged };
}

/** Returns images with damaged base64, each as the text that it came as. */
export function textsOf(damaged: readonly DamagedImage[]): AnsweredImage[] {
  return damaged.flatMap((image) =>
    image instanceof DivertedBlob && image.damage === 'invalid' ? [inlineImage(image)] : [],
  );
}

/**
 * Returns an address as it came, or resolved at the service; undefined where nothing can be fetched. One that contained
 * the key is left for the download to refuse.
 */
function addressOf(url: string, origin: string): string | undefined {
  if (url.includes(redactedKey)) {
    return url;
  }
  const address = URL.parse(url, origin);
  if (address === null || !['https:', 'http:'].includes(address.protocol)) {
    return undefined;
  }
  return URL.canParse(url) ? url : address.href;
}

export function inlineImage({ sink }: DivertedBlob): AnsweredImage {
  return { kind: 'inline', sink };
}

/** Returns token counts as far as they are given. */
export function usageOf(counts: NativeBody['usageMetadata']): Usage | undefined {
  const given = Object.entries(counts ?? {}).filter(([, count]) => count !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
