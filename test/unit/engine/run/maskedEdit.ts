import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Codecs, Encoding, Pixels } from '../../../../src/images/finish/codecs.ts';
import { describeInput } from '../../../../src/engine/files/taskInput.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { paint } from '../../../support/images/pictures.ts';
import { json } from '../../../support/service/loopbackService.ts';
import type { World } from '../../../support/engine/world.ts';

export const edits = 'POST /v1/images/edits';

const [width, height] = [96, 64];

/** The edited area, and what of it lies further inside than the soft edge is wide. */
export const isOutside = (x: number, y: number): boolean => Math.hypot(x - 40, y - 30) >= 20;
export const isDeep = (x: number, y: number): boolean => Math.hypot(x - 40, y - 30) < 13;

export const original = paint(width, height, (x, y) => [x * 2, y * 3, (x * y) & 255, 255]);
export const answer = paint(width, height, (x, y) => [255 - x, (x + y) & 255, 40, 255]);
export const mask = paint(width, height, (x, y) => [0, 0, 0, isOutside(x, y) ? 255 : 0]);

/** An edit with a mask, whose files are in the workspace; the service answers with this picture, in this format. */
export async function maskedEdit(
  world: World,
  codecs: Codecs,
  {
    from = { format: 'png' },
    to = { format: 'png' },
    made = answer,
  }: { from?: Encoding; to?: Encoding; made?: Pixels } = {},
): Promise<{ request: TaskRequest; answered: Buffer; path: string }> {
  const path = join(world.workspace, `fox.${from.format}`);
  const maskPath = join(world.workspace, 'mask.png');
  await writeFile(path, await codecs.encode(original, from));
  await writeFile(maskPath, await codecs.encode(mask, { format: 'png' }));
  const answered = Buffer.from(await codecs.encode(made, to));
  world.service.delivers(answered).on(edits, json(202, { id: 'task_1', status: 'queued' }));
  const request = world.request({
    kind: 'edit',
    images: [await describeInput(path)],
    mask: await describeInput(maskPath),
    keepOutside: true,
  });
  return { request, answered, path };
}

/** The files of an edit that the service got, by their fields. */
export async function sentFiles({ service }: World, index: number): Promise<Map<string, Buffer>> {
  const seen = service.seen.filter(({ method, path }) => `${method} ${path}` === edits)[index];
  assert.ok(seen);
  const { headers, bytes } = seen;
  assert.equal(headers['content-length'], String(bytes.length));
  const form = new Response(new Uint8Array(bytes), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  });
  const files = new Map<string, Buffer>();
  for (const [name, value] of await form.formData()) {
    if (typeof value !== 'string') {
      files.set(name, Buffer.from(await value.arrayBuffer()));
    }
  }
  return files;
}
