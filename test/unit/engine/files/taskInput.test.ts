import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { fileUri } from '../../../../src/common/fileUris.ts';
import { isSystemError } from '../../../../src/common/fileErrors.ts';
import { isLimnerError } from '../../../../src/common/limnerError.ts';
import { describeInput, isDamagedInput } from '../../../../src/engine/files/taskInput.ts';
import { patched } from '../../../support/images/damagedFiles.ts';
import { withOldChecksums } from '../../../support/images/oldMaskFile.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { openFiles } from '../../../support/openFiles.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const formats = ['png', 'jpeg', 'webp'] as const;
const { path: folder } = temporaryFolder('task-inputs');

async function fileOf(bytes: Uint8Array, name = 'a fox #1.jpg'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** Asserts that an image is refused as damaged, in words that name its file, before anything is sent. */
async function assertDamaged(what: string, bytes: Uint8Array, role?: 'image' | 'mask'): Promise<void> {
  const path = await fileOf(bytes);
  await assert.rejects(describeInput(path, undefined, role), (error: unknown) => {
    assert.ok(isDamagedInput(error));
    assert.deepEqual(
      [error.damage.what, error.code, error.billing, error.sent],
      [what, 'unsupported_image', 'no', false],
    );
    assert.ok(error.message.startsWith(`The file ${path} is damaged: `), error.message);
    return true;
  });
}

describe('an image that is chosen as an input', () => {
  const images = new Map<string, Buffer>();
  const imageIn = (format: string): Buffer => images.get(format) ?? assert.fail(format);

  before(async () => {
    const noise = sharp({
      create: {
        width: 60,
        height: 41,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 120, sigma: 40 },
      },
    });
    for (const format of formats) {
      images.set(format, await noise.clone()[format]().toBuffer());
    }
  });

  afterEach(() => assert.deepEqual(openFiles(folder), []));

  for (const format of formats) {
    it(`is known by its bytes, whatever its name: ${format}`, async () => {
      const bytes = imageIn(format);
      const path = await fileOf(bytes);
      const described = {
        uri: fileUri(path),
        name: 'a fox #1.jpg',
        size: bytes.length,
        mediaType: `image/${format}`,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        path,
      };
      assert.deepEqual(await describeInput(path), described);
      const uri = 'vscode-vfs://github/fox.jpg';
      assert.deepEqual(await describeInput(path, uri), { ...described, uri });
    });

    it(`is refused when it is cut: ${format}`, async () => {
      const bytes = imageIn(format);
      await assertDamaged('truncated', bytes.subarray(0, bytes.length - 9));
    });
  }

  it('is taken with what cameras and programs append to a file', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const longer = Buffer.concat([imageIn(format), Buffer.from('more of it')]);
      for (const role of ['image', 'mask'] as const) {
        assert.equal((await describeInput(await fileOf(longer), undefined, role)).size, longer.length);
      }
    }
  });

  it('is refused for damaged pixels whatever follows them', async () => {
    const png = imageIn('png');
    await assertDamaged('checksum', Buffer.concat([patched(png, png.length - 13, 0), Buffer.from('more')]));
  });

  it('may have the checksums of earlier versions as a mask, and only as one', async () => {
    const [width, height] = [5, 3];
    const lines = new Uint8Array(height * (1 + 4 * width));
    const old = withOldChecksums(pngFile({ width, height, bitDepth: 8, colourType: 6, lines }));
    assert.equal((await describeInput(await fileOf(old), undefined, 'mask')).size, old.length);
    await assertDamaged('checksum', old);
    await assertDamaged('truncated', imageIn('png').subarray(0, -9), 'mask');
  });

  it('is refused when it is none', async () => {
    const path = await fileOf(Buffer.from('GIF89a, and no more'));
    await assert.rejects(describeInput(path), {
      code: 'unsupported_image',
      message: `The file ${path} isn't a PNG, JPEG, or WebP image.`,
      billing: 'no',
      sent: false,
    });
  });

  it('is refused with the reason when it cannot be read', async () => {
    const path = join(folder, 'gone.png');
    await assert.rejects(describeInput(path), (error: unknown) => {
      assert.ok(isLimnerError(error) && !isDamagedInput(error));
      assert.deepEqual([error.code, error.message], ['invalid_request', `The file ${path} can't be read.`]);
      assert.ok(isSystemError(error.cause) && error.cause.code === 'ENOENT');
      return true;
    });
  });
});
