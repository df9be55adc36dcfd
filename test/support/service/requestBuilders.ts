import { Readable } from 'node:stream';
import { ImageService, type ImageServiceOptions } from '../../../src/service/imageService.ts';
import type { EditRequest, GenerationRequest, InputFile } from '../../../src/service/messages.ts';
import { ScriptedTransport, type ScriptedAnswer } from './scriptedTransport.ts';
import type { LimnerError } from '../../../src/common/limnerError.ts';

export function generation(overrides: Partial<GenerationRequest> = {}): GenerationRequest {
  return { model: 'painter', family: 'image', prompt: 'a red fox', n: 1, ...overrides };
}

export function inputFile(content: string | Buffer, overrides: Partial<InputFile> = {}): InputFile {
  const bytes = Buffer.from(content);
  return {
    name: 'fox.png',
    size: bytes.length,
    mediaType: 'image/png',
    open: () => Readable.from([bytes], { objectMode: false }),
    ...overrides,
  };
}

export function edit(overrides: Partial<EditRequest> = {}): EditRequest {
  return { ...generation(), images: [inputFile('pixels')], imageField: 'image', ...overrides };
}

export function imageBytes(text: string): Buffer {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)]);
}

export function base64(text: string): string {
  return imageBytes(text).toString('base64');
}

/** A service on a scripted transport. */
export function serviceAnswering(...answers: (ScriptedAnswer | LimnerError)[]): {
  service: ImageService;
  transport: ScriptedTransport;
} {
  const transport = new ScriptedTransport(...answers);
  return { transport, service: new ImageService(serviceOptions(transport)) };
}

export function serviceOptions(
  transport: ScriptedTransport,
  overrides: Partial<ImageServiceOptions> = {},
): ImageServiceOptions {
  return {
    baseUrl: 'https://api.example.com/gateway/v1/',
    apiKey: 'sk-secret',
    transports: { posts: transport, polls: transport, downloads: transport },
    requestTimeout: 900_000,
    ...overrides,
  };
}
