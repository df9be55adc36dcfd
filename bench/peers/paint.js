// What people would write with the `openai` package, as its documentation shows it.
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';

export async function paint([baseUrl, folder, prompt, count, ...inputs]) {
  const client = new OpenAI({ apiKey: 'bench', baseURL: `${baseUrl}/v1`, maxRetries: 0 });
  const image = inputs.map((path) => createReadStream(path));
  const { data } =
    image.length > 0
      ? await client.images.edit({ model: 'bench', prompt, image })
      : await client.images.generate({ model: 'bench', prompt, n: Number(count) });
  await mkdir(folder, { recursive: true });
  const save = async ({ b64_json: base64, url }, index) => {
    const bytes = base64
      ? Buffer.from(base64, 'base64')
      : Buffer.from(await (await fetch(url)).arrayBuffer());
    await writeFile(join(folder, `${index}.png`), bytes);
  };
  await Promise.all(data.map(save));
}
