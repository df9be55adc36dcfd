import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { ImageService, type ImageServiceOptions } from '../../../src/service/wire/imageService.ts';
import type { Answer, ImageRequest, InputFile, Submission } from '../../../src/service/terms/messages.ts';
import { ResultDownloader } from '../../../src/service/http/download.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import { ScriptedTransport, type ScriptedAnswer } from './scriptedTransport.ts';
import type { LimnerError } from '../../../src/common/limnerError.ts';

export function generation(overrides: Partial<ImageRequest> = {}): ImageRequest {
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

export function edit(overrides: Partial<ImageRequest> = {}): ImageRequest {
  return { ...generation(), images: [inputFile('pixels')], imageField: 'image', ...overrides };
}

export function imageBytes(text: string): Buffer {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)]);
}

export function base64(text: string): string {
  return imageBytes(text).toString('base64');
}

/** The answer of a service that was to answer at once. */
export function answerIn(submission: Submission): Answer {
  assert.equal(submission.kind, 'answered');
  return submission.answer;
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
    transports: { posts: transport, polls: transport },
    requestTimeout: 900_000,
    ...overrides,
  };
}

/** Fetches results for a service under this key. */
export function downloaderOn(
  transport: Transport,
  { apiKey = 'sk-secret', resultHosts = [] as readonly string[] } = {},
): ResultDownloader {
  const keys = { get: async () => Promise.resolve(apiKey) };
  return new ResultDownloader({ transport, keys, resultHosts: () => resultHosts });
}
