/**
 * The service's client alone: answers are decoded, pictures written to plain files, nothing is hashed, synced or
 * written down. `node client.ts <base URL> <folder> <prompt> <count>`.
 */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpsTransport } from '../../src/service/http/httpsTransport.ts';
import { ImageService } from '../../src/service/wire/imageService.ts';
import type { ImageSink } from '../../src/service/terms/messages.ts';
import { measure } from '../measure.ts';

const [baseUrl = '', folder = '', prompt = '', count = ''] = process.argv.slice(2);
const https = new HttpsTransport();
const service = new ImageService({
  baseUrl,
  apiKey: 'bench',
  transports: { posts: https, polls: https },
  requestTimeout: 900_000,
});

function fileSink(index: number): ImageSink {
  let file: Promise<FileHandle> | undefined;
  const opened = (): Promise<FileHandle> => (file ??= open(join(folder, `${index}.png`), 'wx'));
  return {
    write: async (chunk) => (await opened()).writeFile(chunk),
    toText: async () => Promise.reject(new Error('A picture is not base64.')),
    close: async () => (await opened()).close(),
    discard: async () => Promise.reject(new Error('A picture is not whole.')),
  };
}

await measure(async () => {
  await mkdir(folder, { recursive: true });
  const submission = await service.submit(
    { model: 'bench', family: 'image', prompt, n: Number(count) },
    'sync',
    { openSink: fileSink },
  );
  if (submission.kind !== 'answered' || submission.answer.images.length !== Number(count)) {
    throw new Error(`${count} pictures were expected.`);
  }
});
