import * as v from 'valibot';
import * as english from '../../common/english.ts';
import { asSentence } from '../../common/text.ts';
import { EventLoopYielder } from './responseLimits.ts';
import { type Asked, damageError, salvagedAnswer, skipped, withAddresses } from './imageAnswers.ts';
import type { ReadBody } from './inlineImages.ts';
import { namedIn } from './namedPictures.ts';
import { LimnerError, type ServiceWords } from '../../common/limnerError.ts';
import type { Answer, AnsweredImage, Usage } from '../terms/messages.ts';
import { inPhase } from '../http/transportErrors.ts';
import { errorOfWords, redacted, withReason, serviceWordsIn } from '../http/serviceWords.ts';
import { maxShownLength, shortened, withoutBase64 } from '../http/keyRedactor.ts';
import {
  addressedImage,
  addressOf,
  imagesOf,
  inlineImage,
  nativeBody,
  readImageBody,
  takeUnknown,
  textsOf,
  usageOf,
  type NativePart,
  type ReadImages,
} from './responseSchemas.ts';

const blockedReason =
  /^(?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION|IMAGE_SAFETY|IMAGE_PROHIBITED_CONTENT|IMAGE_RECITATION)$/u;

/**
 * Returns the images of a native answer, streamed or not (docs/service.md, "Native answer").
 *
 * @throws LimnerError if it contains no image: `content_rejected`, `empty_result`, the error in the body, or why it is
 *   incomplete
 */
export async function nativeAnswerOf(body: ReadBody, asked: Asked): Promise<Answer> {
  const gathered = await gather(body.values, asked.origin);
  const { images, damaged, hidden, remark, usage, words } = gathered;
  const found = images.length > 0 ? images : body.kept.map((blob) => inlineImage(blob));
  const error = words === undefined ? undefined : errorOfWords(words, 'submit', 'maybe', asked.apiKey);
  const incomplete = error ?? body.broken ?? damageError(damaged);
  const own = [...found, ...textsOf(damaged)];
  const all = own.length > 0 ? own : gathered.drafts.slice(-1);
  const about = {
    ...(remark !== '' && { remark }),
    ...(usage !== undefined && { usage }),
  };
  if (all.length > 0) {
    const missing = incomplete ?? skipped(hidden);
    return { images: all, ...about, ...(missing && { incomplete: inPhase(missing, 'submit', 'yes') }) };
  }
  const answer = await salvagedAnswer(body, asked, (said, addresses) => {
    if (incomplete !== undefined) {
      return error === undefined ? withReason(incomplete, said, asked.apiKey) : error;
    }
    // Text outside `error` counts unless the model states why it stopped.
    const isBare = said?.message !== undefined && gathered.stopped === undefined;
    return isBare
      ? errorOfWords(said, 'submit', 'maybe', asked.apiKey)
      : withAddresses(withoutImage(gathered, asked.apiKey), addresses);
  });
  const text = remark.replaceAll(/!\[[^\]]*\]\([^)]*\)/gu, '').trim();
  return { ...answer, ...about, ...(remark !== '' && { remark: text }) };
}

interface Stop {
  reason: string;
  message: string | undefined;
  /** Whether the reason is the content. */
  isRefusal: boolean;
}

interface Gathered extends ReadImages {
  remark: string;
  /** The model's thoughts before its answer. */
  thoughts: string;
  /** Images at addresses among the thoughts. */
  drafts: AnsweredImage[];
  usage?: Usage | undefined;
  /** The reason why the model stopped, if unusual. */
  stopped?: Stop | undefined;
  words?: ServiceWords;
}

async function gather(values: readonly unknown[], origin: string): Promise<Gathered> {
  const yielder = new EventLoopYielder();
  const gathered: Gathered = { images: [], damaged: [], hidden: 0, remark: '', thoughts: '', drafts: [] };
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
      gathered.words ??= serviceWordsIn({ error }) ?? {};
    }
    // Each event of a stream reports the total so far.
    gathered.usage = usageOf(usageMetadata) ?? gathered.usage;
    if (promptFeedback?.blockReason !== undefined) {
      const { blockReason: reason, blockReasonMessage: message } = promptFeedback;
      gathered.stopped ??= { reason, message, isRefusal: true };
    }
    for (const { content, finishReason, finishMessage } of candidates) {
      if (finishReason !== undefined && !/^(?:STOP|FINISH_REASON_UNSPECIFIED)$/u.test(finishReason)) {
        const isRefusal = blockedReason.test(finishReason);
        gathered.stopped ??= { reason: finishReason, message: finishMessage, isRefusal };
      }
      for (const part of content?.parts ?? []) {
        takePart(part, origin, gathered);
      }
    }
    if (candidates.length === 0) {
      // A service may answer every call in the form of the image endpoints.
      const read = imagesOf(readImageBody(value)?.data ?? [], origin);
      gathered.images.push(...read.images);
      gathered.damaged.push(...read.damaged);
    }
  }
  gathered.remark = withoutBase64(gathered.remark.trim());
  return gathered;
}

function takePart(part: NativePart, origin: string, gathered: Gathered): void {
  const { text = '', thought, inlineData, inline_data, fileData, file_data, ...others } = part;
  const inline = inlineData ?? inline_data;
  const file = fileData ?? file_data;
  if (thought === true) {
    gathered.thoughts += text;
    const draft = file?.fileUri ?? file?.file_uri;
    gathered.drafts.push(...(draft === undefined ? [] : addressedImage(draft, origin)));
    return;
  }
  gathered.remark += text;
  const mediaType = (inline ?? file)?.mimeType ?? (inline ?? file)?.mime_type;
  if (mediaType !== undefined && !/^image\//iu.test(mediaType)) {
    return;
  }
  if (inline?.data !== undefined) {
    if (inline.data.damage === undefined) {
      gathered.images.push(inlineImage(inline.data));
    } else {
      gathered.damaged.push(inline.data);
    }
    return;
  }
  const uri = file?.fileUri ?? file?.file_uri;
  if (uri !== undefined) {
    const url = addressOf(uri, origin);
    if (url === undefined) {
      gathered.damaged.push({ damage: 'address', address: uri });
    } else {
      gathered.images.push({ kind: 'url', url });
    }
    return;
  }
  // Addresses in its text are images only if there are no others.
  gathered.hidden += namedIn(text).inline;
  takeUnknown(others, origin, gathered);
}

function withoutImage({ remark, thoughts, stopped }: Gathered, apiKey: string): LimnerError {
  const reply = stopped?.message ?? (remark === '' ? thoughts : remark);
  const service = redacted({ message: reply, ...(stopped && { code: stopped.reason }) }, apiKey);
  const code = service.code === undefined ? undefined : shortened(service.code, 100);
  const words = service.message === undefined ? '' : shortened(service.message, maxShownLength);
  const said = words === '' ? '' : ` ${asSentence(english.t('It said: {0}', words))}`;
  if (stopped?.isRefusal) {
    const declined =
      code === undefined
        ? english.t('The model declined to create this image.')
        : english.t('The model declined to create this image ({0}).', code);
    const message = stopped.message === undefined ? declined : `${declined}${said}`;
    return new LimnerError('content_rejected', message, { service, sent: true });
  }
  const none =
    code === undefined
      ? english.t('The model returned no image.')
      : english.t('The model returned no image ({0}).', code);
  const step = stopped?.reason === 'NO_IMAGE' ? ` ${english.t('Ask for an image in the prompt.')}` : '';
  return new LimnerError('empty_result', `${none}${said}${step}`, { service, sent: true });
}
