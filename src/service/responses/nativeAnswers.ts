import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { asSentence } from '../../common/text.ts';
import type { BlobJsonReader } from './blobJson.ts';
import type { DivertedBlob } from './base64Decoder.ts';
import { EventStreamReader } from './eventStream.ts';
import { damageError } from './imageAnswers.ts';
import { readingError, TextAllowance, type InlineImages } from './inlineImages.ts';
import { LimnerError, type ServiceWords } from '../../common/limnerError.ts';
import type { Answer, AnsweredImage, Usage } from '../messages.ts';
import { EventLoopYielder } from './eventLoopYielder.ts';
import { inPhase } from '../errors/phases.ts';
import { errorOfWords, redacted, wordsOf } from '../errors/serviceWords.ts';
import { maxShownLength, shortened } from '../errors/singleLine.ts';
import { inlineImage, nativeBody, textsOf, usageOf, type NativePart } from './responseSchemas.ts';

/** The native bodies of one call, as far as they came: one of an ordinary response, many of a stream. */
interface NativeBodies {
  values: unknown[];
  kept: DivertedBlob[];
  broken?: LimnerError;
}

/** White space and the bytes of a byte order mark. */
const blankBytes = new Set([0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf]);
const doneMark = '[DONE]';
const blockedReason =
  /^(?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION|IMAGE_SAFETY|IMAGE_PROHIBITED_CONTENT|IMAGE_RECITATION)$/u;

/**
 * Reads a native answer, streamed or not, by its first byte: JSON (an object, or the array of a stream without
 * `alt=sse`) or server-sent events (docs/service.md, "Native stream").
 *
 * @throws LimnerError if it holds no image: `content_rejected`, `empty_result`, what the body says, or why it
 * broke off
 */
export async function readNativeAnswer(
  body: Readable,
  inline: InlineImages,
  apiKey: string,
): Promise<Answer> {
  const bodies = await readBodies(body, inline);
  const { images, remark, usage, damaged, blocked, words, said } = await gather(bodies.values);
  const found = images.length > 0 ? images : bodies.kept.map((blob) => inlineImage(blob));
  const error = words === undefined ? undefined : errorOfWords(words, 'submit', 'maybe', apiKey);
  const incomplete = error ?? bodies.broken ?? damageError(damaged);
  const all = [...found, ...textsOf(damaged)];
  if (all.length > 0) {
    return {
      images: all,
      ...(remark !== '' && { remark }),
      ...(usage !== undefined && { usage }),
      ...(incomplete !== undefined && { incomplete: inPhase(incomplete, 'submit', 'yes') }),
    };
  }
  const bare = said === undefined ? undefined : errorOfWords(said, 'submit', 'maybe', apiKey);
  throw inPhase(incomplete ?? bare ?? withoutImage(remark, blocked, apiKey), 'submit', 'maybe');
}

async function readBodies(body: Readable, inline: InlineImages): Promise<NativeBodies> {
  const reading = new NativeReading(inline);
  try {
    for await (const chunk of inline.chunksOf(body, () => reading.isWhole)) {
      await reading.write(chunk);
    }
    await reading.end();
  } catch (error) {
    await reading.breakOff(readingError(error));
  }
  return reading.bodies;
}

/** Collects the documents of one answer, whichever way they are framed. */
class NativeReading {
  readonly bodies: NativeBodies = { values: [], kept: [] };

  readonly #inline: InlineImages;
  readonly #events: EventStreamReader;
  readonly #allowance = new TextAllowance();
  #framing: 'unknown' | 'json' | 'events' = 'unknown';
  #reader: BlobJsonReader;
  /** The rest of the current document is passed over. */
  #isDamaged = false;

  constructor(inline: InlineImages) {
    this.#inline = inline;
    this.#reader = inline.reader();
    this.#events = new EventStreamReader({
      data: (bytes) => this.#takeEventData(bytes),
      endEvent: () => this.#endDocument(),
    });
  }

  async write(chunk: Buffer): Promise<void> {
    let rest = chunk;
    if (this.#framing === 'unknown') {
      const start = rest.findIndex((byte) => !blankBytes.has(byte));
      if (start === -1) {
        return;
      }
      rest = rest.subarray(start);
      this.#framing = rest[0] === 0x7b || rest[0] === 0x5b ? 'json' : 'events';
    }
    await (this.#framing === 'json' ? this.#reader.write(rest) : this.#events.write(rest));
  }

  /** Whether nothing can follow; of events, more may always come. */
  get isWhole(): boolean {
    return this.#framing === 'json' && this.#reader.isWhole;
  }

  async end(): Promise<void> {
    if (this.#framing === 'json') {
      await this.#endDocument();
    } else if (this.#framing === 'events') {
      await this.#events.end();
    }
    if (this.bodies.values.length === 0) {
      const message = 'The response is neither JSON nor an event stream.';
      this.bodies.broken ??= new LimnerError('protocol', message, { sent: true });
    }
  }

  /** Keeps the complete part of a document that broke off. */
  async breakOff(error: LimnerError): Promise<void> {
    this.bodies.broken ??= error;
    const value = await this.#reader.salvage();
    if (value !== undefined) {
      this.#add(value);
    }
    this.bodies.kept.push(...this.#reader.kept);
  }

  /** Takes data of an event; one damaged event does not lose the others. */
  async #takeEventData(bytes: Buffer): Promise<void> {
    if (this.#isDamaged) {
      return;
    }
    try {
      await this.#reader.write(bytes);
    } catch (error) {
      const damage = readingError(error);
      if (damage.code !== 'protocol') {
        throw error;
      }
      await this.breakOff(damage);
      this.#isDamaged = true;
    }
  }

  async #endDocument(): Promise<void> {
    const text = this.#isDamaged ? '' : this.#reader.text.trim();
    this.#allowance.take(text);
    if (text !== '' && text !== doneMark) {
      try {
        this.#add(this.#reader.end());
        this.bodies.kept.push(...this.#reader.kept);
      } catch (error) {
        await this.breakOff(readingError(error));
      }
    }
    this.#reader = this.#inline.reader();
    this.#isDamaged = false;
  }

  #add(value: unknown): void {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      this.bodies.values.push(each);
    }
  }
}

interface Gathered {
  images: AnsweredImage[];
  damaged: DivertedBlob[];
  remark: string;
  usage?: Usage | undefined;
  blocked?: string | undefined;
  words?: ServiceWords;
  /** Words of an error outside `error`: they count where no image came. */
  said?: ServiceWords;
}

async function gather(values: readonly unknown[]): Promise<Gathered> {
  const yielder = new EventLoopYielder();
  const gathered: Gathered = { images: [], damaged: [], remark: '' };
  for (const value of values) {
    if (yielder.isDue) {
      await yielder.yield();
    }
    const parsed = v.safeParse(nativeBody, value);
    if (!parsed.success) {
      continue;
    }
    const { candidates, promptFeedback, usageMetadata, error } = parsed.output;
    if (error !== undefined && error !== null) {
      gathered.words ??= wordsOf({ error }) ?? {};
    }
    const bare = wordsOf(value);
    if (bare?.message !== undefined) {
      gathered.said ??= bare;
    }
    // Each event of a stream counts all that came before it.
    gathered.usage = usageOf(usageMetadata) ?? gathered.usage;
    gathered.blocked ??= promptFeedback?.blockReason;
    for (const { content, finishReason } of candidates) {
      if (finishReason !== undefined && blockedReason.test(finishReason)) {
        gathered.blocked ??= finishReason;
      }
      for (const part of content?.parts ?? []) {
        takePart(part, gathered);
      }
    }
  }
  gathered.remark = gathered.remark.trim();
  return gathered;
}

function takePart(part: NativePart, gathered: Gathered): void {
  gathered.remark += part.text ?? '';
  const inline = part.inlineData ?? part.inline_data;
  if (inline?.data === undefined) {
    return;
  }
  const mediaType = inline.mimeType ?? inline.mime_type;
  if (mediaType !== undefined && !/^image\//iu.test(mediaType)) {
    return;
  }
  if (inline.data.damage === undefined) {
    gathered.images.push(inlineImage(inline.data));
  } else {
    gathered.damaged.push(inline.data);
  }
}

function withoutImage(remark: string, blocked: string | undefined, apiKey: string): LimnerError {
  const service = redacted({ message: remark, ...(blocked !== undefined && { code: blocked }) }, apiKey);
  if (blocked !== undefined) {
    const reason = service.code === undefined ? '' : ` (${shortened(service.code, 100)})`;
    return new LimnerError('content_rejected', `The model declined to create this image${reason}.`, {
      service,
      sent: true,
    });
  }
  const said =
    service.message === undefined ? '' : ` and said: ${shortened(service.message, maxShownLength)}`;
  return new LimnerError('empty_result', asSentence(`The model returned no image${said}`), {
    service,
    sent: true,
  });
}
