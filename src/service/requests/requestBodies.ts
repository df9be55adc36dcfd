import { Readable } from 'node:stream';
import type { GenerationRequest } from '../messages.ts';
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

/** Fields of an image generation (docs/service.md, "Generation fields"). */
export function generationFields(request: GenerationRequest): Record<string, unknown> {
  return {
    ...extraFields(request),
    model: request.model,
    prompt: request.prompt,
    ...sizeAndQuality(request),
    n: request.n,
  };
}

/** `size` and `quality` where they were chosen and have an effect. */
export function sizeAndQuality({ family, size, quality }: GenerationRequest): {
  size?: string;
  quality?: string;
} {
  if (family === 'native') return {};
  return { ...(isGiven(size) && { size }), ...(isGiven(quality) && { quality }) };
}

/** What the model's entry in the settings adds to every request. */
export function extraFields({ extra = {}, family }: GenerationRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(extra).filter(
      ([name]) => !reserved.has(name) && !(family === 'native' && imageFamilyOnly.has(name)),
    ),
  );
}

/** A JSON body; half characters, which many parsers refuse, are replaced as in a form. */
export function jsonBody(value: unknown): RequestBody {
  const bytes = Buffer.from(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part)),
  );
  return { length: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** A native request (docs/service.md, "Native fields"). */
export function contentFields(request: GenerationRequest): Record<string, unknown> {
  const { generationConfig, ...extra } = extraFields(request);
  return {
    ...extra,
    contents: [{ role: 'user', parts: [{ text: request.prompt }] }],
    generationConfig: {
      ...(typeof generationConfig === 'object' && generationConfig),
      responseModalities: ['TEXT', 'IMAGE'],
    },
  };
}
