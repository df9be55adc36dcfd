import * as v from 'valibot';
import type { Passage } from '../faults/defineFault.ts';
import { gather, jsonReply, type Reply } from '../http/reply.ts';
import type { EncodedImage } from '../state/imageHost.ts';
import type { ImageFormat } from '../state/modelCatalog.ts';

export const JsonObject = v.record(v.string(), v.unknown());
export type JsonObject = v.InferOutput<typeof JsonObject>;

const Data = v.array(v.union([v.object({ b64_json: v.string() }), v.object({ url: v.string() })]));

/** A picture that was painted for a request. */
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

  /** Its address on the result host, where it is stored when it is first asked for. */
  get url(): string {
    this.#url ??= this.#host.resultHost + this.#host.images.store(this.#image);
    return this.#url;
  }
}

/** Reads the pictures of a regular reply of the image endpoints or of a query. */
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

/** Reads a reply that is a JSON object. */
export async function answerOf(reply: Reply): Promise<JsonObject> {
  const { body } = await gather(reply);
  return v.parse(JsonObject, JSON.parse(Buffer.concat(body).toString()));
}

/** Changes a reply that is a JSON object. */
export async function changed(reply: Reply, change: (answer: JsonObject) => unknown): Promise<Reply> {
  return jsonReply(reply.status, change(await answerOf(reply)), reply.headers);
}

function formatOf(bytes: Buffer): ImageFormat {
  return bytes[0] === 0x89 ? 'png' : bytes[0] === 0xff ? 'jpeg' : 'webp';
}
