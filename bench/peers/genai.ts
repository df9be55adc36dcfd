/** The `@google/genai` package, by the native call: `node genai.ts <base URL> <folder> <prompt> <count>`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GoogleGenAI } from '@google/genai';
import { measure } from '../measure.ts';

const [baseUrl = '', folder = '', prompt = ''] = process.argv.slice(2);
const client = new GoogleGenAI({ apiKey: 'bench', httpOptions: { baseUrl } });

await measure(async () => {
  const { candidates } = await client.models.generateContent({
    model: 'bench',
    contents: prompt,
    config: { responseModalities: ['TEXT', 'IMAGE'] },
  });
  await mkdir(folder, { recursive: true });
  const parts = candidates?.[0]?.content?.parts ?? [];
  await Promise.all(
    parts.map(async ({ inlineData }, index) =>
      writeFile(join(folder, `${index}.png`), Buffer.from(inlineData?.data ?? '', 'base64')),
    ),
  );
});
