import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { describeInput } from '../../../../src/tasks/files/taskInput.ts';
import { type MaskServices, sentMask } from '../../../../src/tasks/requests/sentMask.ts';
import type { TaskInput } from '../../../../src/tasks/task.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

describe('a mask on its way', () => {
  let folder: string;
  let mask: TaskInput;
  const converted = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 255] });

  before(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-mask-'));
    const path = join(folder, 'hat.area.webp.png');
    await writeFile(
      path,
      pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 6, lines: [0, 1, 2, 3, 4] }),
    );
    mask = await describeInput(path, 'memfs:/hat.area.png', 'mask');
  });
  after(async () => rm(folder, { recursive: true }));

  function services(convert: (convention: string) => Promise<Uint8Array>): MaskServices {
    return {
      codecs: async () => Promise.resolve({ convertMask: async (_bytes, convention) => convert(convention) }),
      newPath: async (name) => Promise.resolve(join(folder, `new ${name}`)),
    };
  }

  it('is as it is where the model has no convention, or takes none', async () => {
    const never = services(async () => Promise.reject(new Error('Nothing is to be converted.')));
    assert.equal(await sentMask(mask, {}, never), mask);
    assert.equal(await sentMask(mask, { mask: 'none' }, never), mask);
  });

  for (const convention of ['alpha', 'white'] as const) {
    it(`is converted where the model wants it otherwise, and still is the file that was chosen (${convention})`, async () => {
      const asked: string[] = [];
      const sent = await sentMask(
        mask,
        { mask: convention },
        services(async (wanted) => {
          asked.push(wanted);
          return Promise.resolve(converted);
        }),
      );
      assert.deepEqual(asked, [convention]);
      const path = join(folder, 'new hat.area.webp.png');
      assert.deepEqual([sent.path, sent.uri, sent.size], [path, 'memfs:/hat.area.png', converted.length]);
      assert.deepEqual(await readFile(path), converted);
      assert.notEqual(sent.uri, pathToFileURL(path).href);
    });
  }

  it('is refused at no cost where it cannot be read', async () => {
    const failing = services(async () => Promise.reject(new Error('out of memory')));
    await assert.rejects(sentMask(mask, { mask: 'white' }, failing), {
      code: 'unsupported_image',
      message: 'The mask hat.area.webp.png is damaged or too large to read.',
      billing: 'no',
      sent: false,
    });
  });
});
