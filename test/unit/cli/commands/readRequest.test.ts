import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type PaintOptions, readRequest } from '../../../../src/cli/commands/readRequest.ts';
import { type Environment, readEnvironment } from '../../../../src/cli/setup/environment.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

describe('the request of a command line', () => {
  let folder: string;
  let image: string;
  before(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-request-'));
    image = join(folder, 'hero.png');
    await writeFile(image, pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 2, lines: [0, 1, 2, 3] }));
  });
  after(async () => rm(folder, { recursive: true }));

  function environment(variables: Record<string, string> = {}): Environment {
    const usual = {
      LIMNER_BASE_URL: 'https://images.example.com',
      LIMNER_API_KEY: 'key',
      LIMNER_MODEL: 'painter',
    };
    return readEnvironment({ ...usual, LIMNER_HOME: folder, ...variables }, 'linux');
  }

  function options(given: Partial<PaintOptions>): PaintOptions {
    return { n: 1, callStyle: 'auto', folder, name: '{prompt}', ...given };
  }

  it('leaves the size to the service where the fit is off', async () => {
    const model = { LIMNER_MODELS: '[{"id": "painter", "sizes": ["64x64"]}]' };
    for (const [fit, size, finish] of [
      ['off', '32x16', undefined],
      ['crop', '64x64', { size: { width: 32, height: 16 }, fit: { by: 'crop' } }],
    ] as const) {
      const request = await readRequest('a fox', options({ size: '32x16', fit }), environment(model));
      assert.deepEqual([request.size, request.finish], [size, finish]);
    }
  });

  it('names the field of its own images for the edit of one, unless the entry of the model says otherwise', async () => {
    const twoGrounds = options({ image: [image, image], twoGrounds: true });
    const plain = await readRequest('both', twoGrounds, environment());
    assert.deepEqual([plain.imageField, plain.onBlack?.imageField], ['image[]', 'image']);
    const models = '[{"id": "painter", "inputs": {"max": 2, "field": "image[]"}}]';
    const listed = await readRequest('both', twoGrounds, environment({ LIMNER_MODELS: models }));
    assert.deepEqual([listed.imageField, listed.onBlack?.imageField], ['image[]', 'image[]']);
  });
});
