/** The `openai` package as its documentation shows it: `node openai.ts <base URL> <folder> <row> [input files]`. */
import { createReadStream, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { measure } from '../measure.ts';
import { prompts, type RowName } from '../rows.ts';

const [baseUrl = '', folder = '', row = '', ...inputs] = process.argv.slice(2);
const client = new OpenAI({ apiKey: 'bench', baseURL: `${baseUrl}/v1`, maxRetries: 0 });
const prompt = prompts[row as RowName];
mkdirSync(join(folder, 'out'), { recursive: true });

await measure(async () => {
  const { data = [] } =
    inputs.length > 0
      ? await client.images.edit({
          model: 'bench',
          prompt,
          image: inputs.map((path) => createReadStream(path)),
        })
      : await client.images.generate({ model: 'bench', prompt, n: 4 });
  await Promise.all(
    data.map(async ({ b64_json: base64, url }, index) => {
      const bytes =
        base64 === undefined
          ? Buffer.from(await (await fetch(url ?? '')).arrayBuffer())
          : Buffer.from(base64, 'base64');
      await writeFile(join(folder, 'out', `${index}.png`), bytes);
    }),
  );
});
