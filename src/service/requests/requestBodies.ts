// Room: the bodies of requests.
// Never: how they are sent, responses.

import { Readable } from 'node:stream';
import type { ImageRequest } from '../messages.ts';
import type { RequestBody } from '../http/transport.ts';

/** Fields that a model's `extra` never sets: ours, and docs/service.md, "Fields never sent". */
const reserved = new Set([
  'model',
  'prompt',
  'n',
  'image',
  'image[]',
  'mask',
  'response_format',
  'stream',
  'contents',
]);
/** Fields without effect for the second family. */
const imageFamilyOnly = new Set(['size', 'quality']);

/** A body and its type, which names the boundary of a form. */
export interface TypedBody {
  contentType: string;
  body: RequestBody;
}

/** Returns an image generation (docs/service.md, "Generation fields"). */
export function generationBody(request: ImageRequest): TypedBody {
  return jsonBody({
    ...extraFields(request),
    model: request.model,
    prompt: request.prompt,
    ...sizeAndQuality(request),
    n: request.n,
  });
}

/** Returns a native request (docs/service.md, "Native fields"). */
export function contentBody(request: ImageRequest): TypedBody {
  const { generationConfig, ...extra } = extraFields(request);
  return jsonBody({
    ...extra,
    contents: [{ role: 'user', parts: [{ text: request.prompt }] }],
    generationConfig: {
      ...(typeof generationConfig === 'object' && generationConfig),
      responseModalities: ['TEXT', 'IMAGE'],
    },
  });
}

/** `size` and `quality` where they were chosen and have an effect. */
export function sizeAndQuality({ family, size, quality }: ImageRequest): {
  size?: string;
  quality?: string;
} {
  if (family === 'native') {
    return {};
  }
  return { ...(isGiven(size) && { size }), ...(isGiven(quality) && { quality }) };
}

/** Returns what the model's entry in the settings adds to every request. */
export function extraFields({ extra = {}, family }: ImageRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(extra).filter(
      ([name]) => !reserved.has(name) && !(family === 'native' && imageFamilyOnly.has(name)),
    ),
  );
}

/** Writes JSON with lone surrogates replaced, as in a form, since many parsers refuse them. */
function jsonBody(value: unknown): TypedBody {
  const bytes = Buffer.from(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part)),
  );
  return {
    contentType: 'application/json',
    body: { length: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) },
  };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
