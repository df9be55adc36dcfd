/** Vercel's `ai` package: `node ai.ts <base URL> <folder> <prompt> <count> [input files]`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOpenAI } from '@ai-sdk/openai';
import { generateImage } from 'ai';
import { measure } from '../measure.ts';

const [baseUrl = '', folder = '', text = '', count = '', ...inputs] = process.argv.slice(2);
const openai = createOpenAI({ apiKey: 'bench', baseURL: `${baseUrl}/v1` });

await measure(async () => {
  const given = await Promise.all(inputs.map(async (path) => readFile(path)));
  const { images } = await generateImage({
    model: openai.image('bench'),
    prompt: given.length > 0 ? { text, images: given } : text,
    n: Number(count),
    maxImagesPerCall: Number(count),
    maxRetries: 0,
  });
  await mkdir(folder, { recursive: true });
  await Promise.all(
    images.map(async ({ uint8Array }, index) => writeFile(join(folder, `${index}.png`), uint8Array)),
  );
});
