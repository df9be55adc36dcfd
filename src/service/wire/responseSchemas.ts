import { fieldsOf, namedIn } from './namedPictures.ts';
import * as v from 'valibot';
import { DivertedBlob, type BlobDamage } from './base64Decoder.ts';
import { maxImages } from './responseLimits.ts';
import { redactedKey, maxKeptLength, shortened, singleLine } from '../http/keyRedactor.ts';
import { type AnsweredImage, tokenCounts, type Usage } from '../terms/messages.ts';

/**
 * Schemas for the service's responses. They are tolerant: unknown fields are ignored, and an optional field of the
 * wrong type counts as missing (docs/service.md, "Answers").
 */

function ifValid<T extends v.GenericSchema>(
  schema: T,
): v.SchemaWithFallback<v.OptionalSchema<T, undefined>, undefined> {
  return v.fallback(v.optional(schema), undefined);
}

const shortText = v.transform((value: string) => shortened(value, maxKeptLength));
const text = ifValid(v.pipe(v.string(), shortText));
/** Maximum length of an image's address; a shortened address would be useless. */
const maxAddressLength = 16_000;
const address = v.pipe(v.string(), v.maxLength(maxAddressLength));
/** A word of the service that is shown as it is. */
const oneLine = v.transform((value: string) => singleLine(value, 100));
const word = ifValid(v.pipe(v.string(), oneLine, v.nonEmpty()));
/** A finite number: JSON can contain `1e999`, which no row can store. */
const number = ifValid(v.pipe(v.number(), v.finite()));
const blob = ifValid(v.instance(DivertedBlob));

const imageItem = v.object({
  b64_json: blob,
  url: ifValid(v.union([v.instance(DivertedBlob), address])),
  revised_prompt: text,
});

/**
 * An id; some services use numbers. Ids that mean another path can't be queried, and ids that contain the key are
 * neither stored nor sent.
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
  object: ifValid(v.literal('image.generation.task')),
  status: word,
  progress,
  data: v.fallback(v.array(v.unknown()), []),
});

export type ImageBody = v.InferOutput<typeof imageBody>;

/** Other services' names for the id and the status of a task. */
const foreignFields = v.object({ task_id: id, taskId: id, task_status: word, state: word });

/** A body of the image endpoints with any names and places for its parts. */
export interface AnyImageBody extends ImageBody {
  /** An id in an undocumented place. */
  foreignId: string | undefined;
  holder: unknown;
}

/** Fields that may contain the task, besides the body itself. */
const envelopes = new Set(['data', 'output', 'result', 'task', 'response']);

export function readImageBody(value: unknown): AnyImageBody | undefined {
  const body = readFields(value);
  if (body === undefined) {
    return undefined;
  }
  const inner = Object.entries(fieldsOf(value))
    .filter(([name]) => envelopes.has(name))
    .flatMap(([, envelope]) => readFields(Array.isArray(envelope) ? envelope[0] : envelope) ?? []);
  const wrapped = inner.find(({ status }) => status !== undefined);
  const isWrapped = wrapped !== undefined && (body.status === undefined || body.data.length === 0);
  const foreignId =
    [body, ...inner].map((fields) => fields.foreignId).find((each) => each !== undefined) ?? wrapped?.id;
  const source = isWrapped ? wrapped : body;
  const data = source.data.length > 0 ? source.data : body.data;
  return { ...source, object: body.object, id: body.id, data, foreignId };
}

function readFields(value: unknown): AnyImageBody | undefined {
  const parsed = v.safeParse(imageBody, value);
  if (!parsed.success) {
    return undefined;
  }
  const { task_id, taskId, task_status, state } = v.parse(foreignFields, value);
  const status = parsed.output.status ?? task_status ?? state;
  return { ...parsed.output, status, foreignId: task_id ?? taskId, holder: value };
}

const inlineData = ifValid(v.object({ mimeType: text, mime_type: text, data: blob }));

const fileData = ifValid(
  v.object({ mimeType: text, mime_type: text, fileUri: ifValid(address), file_uri: ifValid(address) }),
);

const part = v.looseObject({
  text,
  /** Whether it belongs to the model's thinking before the answer. */
  thought: ifValid(v.boolean()),
  inlineData,
  inline_data: inlineData,
  fileData,
  file_data: fileData,
});

export const nativeBody = v.object({
  candidates: v.fallback(
    v.array(
      v.fallback(
        v.object({
          content: ifValid(v.object({ parts: v.fallback(v.array(v.fallback(part, {})), []) })),
          finishReason: text,
          finishMessage: text,
        }),
        {},
      ),
    ),
    [],
  ),
  promptFeedback: ifValid(v.object({ blockReason: text, blockReasonMessage: text })),
  usageMetadata: v.fallback(v.optional(v.object(v.entriesFromList(tokenCounts, number))), undefined),
  error: v.optional(v.unknown()),
});

export type NativeBody = v.InferOutput<typeof nativeBody>;
export type NativePart = v.InferOutput<typeof part>;

/** An unavailable image: its bytes were discarded, or its address is unusable. */
export interface DamagedImage {
  damage: BlobDamage | 'address' | undefined;
  address?: string;
}

/** Maximum number of addresses to take from an undocumented part of a response. */
const maxUnknown = 16;
/** Maximum number of characters of all addresses in a response: they are stored in the task's row. */
const maxAddressesLength = 256 * 1024;

export interface ReadImages {
  images: AnsweredImage[];
  damaged: DamagedImage[];
  /** Number of elements with an image in an unknown form. */
  hidden: number;
}

/**
 * Returns the images of a `data` array, up to the most that any request brings. Images under other names count, too;
 * elements without an image are skipped.
 *
 * @param origin of the service, to resolve relative addresses
 */
export function imagesOf(data: readonly unknown[], origin: string): ReadImages {
  const read: ReadImages = { images: [], damaged: [], hidden: 0 };
  let room = maxAddressesLength;
  for (const item of data.slice(0, maxImages)) {
    const parsed = v.safeParse(imageItem, item);
    if (!parsed.success) {
      takeUnknown({ image: item }, origin, read);
      continue;
    }
    const { b64_json: base64, url, revised_prompt: revisedPrompt } = parsed.output;
    const inline = base64 ?? (url instanceof DivertedBlob ? url : undefined);
    const given = typeof url === 'string' && url !== '' ? url : undefined;
    const address = given === undefined ? undefined : addressOf(given, origin);
    const extra = revisedPrompt === undefined || revisedPrompt === '' ? {} : { revisedPrompt };
    if (inline !== undefined && inline.damage === undefined) {
      read.images.push({ ...inlineImage(inline), ...extra });
    } else if (address !== undefined) {
      room -= address.length;
      if (room < 0) {
        break;
      }
      read.images.push({ kind: 'url', url: address, ...extra });
    } else if (inline !== undefined) {
      read.damaged.push(inline);
    } else if (given !== undefined) {
      read.damaged.push({ damage: 'address', address: given });
    } else {
      takeUnknown(item, origin, read);
    }
  }
  return read;
}

/** Takes unmistakable images from an undocumented part of a response. A part with an id or a status is a task. */
export function takeUnknown(value: unknown, origin: string, read: ReadImages): void {
  const { id: ownId, foreignId, status } = readFields(value) ?? {};
  if ((ownId ?? foreignId ?? status) !== undefined) {
    return;
  }
  const { likely, inline } = namedIn(value);
  read.hidden += inline;
  for (const candidate of likely.slice(0, maxUnknown)) {
    read.images.push(...('url' in candidate ? addressedImage(candidate.url, origin) : []));
  }
}

/** Returns the image at an address, if it can be fetched and stored. */
export function addressedImage(address: string, origin: string): AnsweredImage[] {
  const url = address.length > maxAddressLength ? undefined : addressOf(address, origin);
  return url === undefined ? [] : [{ kind: 'url', url }];
}

/** Returns damaged base64 images as the text that arrived. */
export function textsOf(damaged: readonly DamagedImage[]): AnsweredImage[] {
  return damaged.flatMap((image) =>
    image instanceof DivertedBlob && image.damage === 'invalid' ? [inlineImage(image)] : [],
  );
}

/**
 * Returns an address unchanged, or resolved at the service; undefined if nothing can be fetched. The download refuses
 * addresses that contained the key.
 */
export function addressOf(url: string, origin: string): string | undefined {
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

export function usageOf(counts: NativeBody['usageMetadata']): Usage | undefined {
  const given = Object.entries(counts ?? {}).filter(([, count]) => count !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
