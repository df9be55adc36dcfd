import * as v from 'valibot';
import type { Passage } from './defineFault.ts';
import { gather, jsonReply, type Reply } from '../http/reply.ts';
import type { EncodedImage } from '../http/imageHost.ts';
import type { ImageFormat } from '../http/modelCatalog.ts';

/** A draft image: a PNG of 16 × 16 pixels. */
export const DRAFT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGUlEQVQokWOI6jlBEmIY1dAzGkpRwzVpAAArnq4QfMEQAwAAAABJRU5ErkJggg==',
  'base64',
);

/** An AVIF of 16 × 16 pixels. */
export const AVIF = Buffer.from(
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAACEAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAABAAAAAQAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAApbWRhdBIACgg4DP/aQENBpDITHEJi5OAAFgAAdX1Zr/3Vfu7R6A==',
  'base64',
);

/** A GIF of 16 × 16 pixels. */
export const GIF = Buffer.from(
  'R0lGODlhEAAQAIAAAExpcVqMyCH5BAUAAAAALAAAAAAQABAAAAIOjI+py+0Po5y02ouzPgUAOw==',
  'base64',
);

export const JsonObject = v.record(v.string(), v.unknown());
export type JsonObject = v.InferOutput<typeof JsonObject>;

const Data = v.array(v.union([v.object({ b64_json: v.string() }), v.object({ url: v.string() })]));

export class Picture {
  readonly #image: EncodedImage;
  readonly #host: Pick<Passage, 'images' | 'resultHost'>;
  #url: string | undefined;

  constructor(bytes: Buffer, host: Pick<Passage, 'images' | 'resultHost'>, url?: string) {
    this.#image = { format: formatOf(bytes), bytes };
    this.#host = host;
    this.#url = url;
  }

  get bytes(): Buffer {
    return this.#image.bytes;
  }

  get format(): ImageFormat {
    return this.#image.format;
  }

  get mediaType(): string {
    return `image/${this.#image.format}`;
  }

  get base64(): string {
    return this.bytes.toString('base64');
  }

  get dataUrl(): string {
    return `data:${this.mediaType};base64,${this.base64}`;
  }

  /** Its address on the result host, where it is stored on the first access. */
  get url(): string {
    this.#url ??= this.#host.resultHost + this.#host.images.store(this.#image);
    return this.#url;
  }
}

/** Reads the images of a regular reply of the image endpoints or of a query. */
export function picturesIn(answer: JsonObject, { images, resultHost }: Passage): Picture[] {
  const data = v.safeParse(Data, answer['data']);
  return (data.success ? data.output : []).flatMap((element) => {
    if ('b64_json' in element) {
      return [new Picture(Buffer.from(element.b64_json, 'base64'), { images, resultHost })];
    }
    const image = images.find(new URL(element.url).pathname);
    return image === undefined ? [] : [new Picture(image.bytes, { images, resultHost }, element.url)];
  });
}

export async function answerOf(reply: Reply): Promise<JsonObject> {
  const { body } = await gather(reply);
  return v.parse(JsonObject, JSON.parse(Buffer.concat(body).toString()));
}

export async function changed(reply: Reply, change: (answer: JsonObject) => unknown): Promise<Reply> {
  return jsonReply(reply.status, change(await answerOf(reply)), reply.headers);
}

function formatOf(bytes: Buffer): ImageFormat {
  return bytes[0] === 0x89 ? 'png' : bytes[0] === 0xff ? 'jpeg' : 'webp';
}

const Answer = v.looseObject({
  candidates: v.tuple([v.looseObject({ content: v.looseObject({ parts: v.array(JsonObject) }) })]),
});
const ImagePart = v.object({ inlineData: v.object({ data: v.string() }) });

/** Changes the parts of a native answer, and of every answer of a native stream. */
export function changedParts(
  reply: Reply,
  passage: Passage,
  change: (part: JsonObject, picture: Picture | undefined) => JsonObject | JsonObject[],
): Promise<Reply> {
  return changedAnswers(reply, (value) => {
    const answer = v.parse(Answer, value);
    const [candidate] = answer.candidates;
    const parts = candidate.content.parts.flatMap((part) => change(part, pictureIn(part, passage)));
    return { ...answer, candidates: [{ ...candidate, content: { ...candidate.content, parts } }] };
  });
}

async function changedAnswers(reply: Reply, change: (answer: JsonObject) => object): Promise<Reply> {
  if (reply.headers['content-type'] === 'application/json') {
    return changed(reply, change);
  }
  const { status, headers, body } = await gather(reply);
  const events = Buffer.concat(body)
    .toString()
    .split('\r\n\r\n')
    .filter((event) => event !== '')
    .map((event) => v.parse(JsonObject, JSON.parse(event.replace(/^data: /u, ''))))
    .map((answer) =>
      Buffer.from(`data: ${JSON.stringify('candidates' in answer ? change(answer) : answer)}\r\n\r\n`),
    );
  return { status, headers, body: events };
}

function pictureIn(part: JsonObject, passage: Passage): Picture | undefined {
  const image = v.safeParse(ImagePart, part);
  return image.success
    ? new Picture(Buffer.from(image.output.inlineData.data, 'base64'), passage)
    : undefined;
}
