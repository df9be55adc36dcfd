import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { finishImage } from '../../../../src/agents/tools/finishImage.ts';
import type { WorkspaceFile } from '../../../../src/agents/tools/workspacePaths.ts';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import { paint } from '../../../support/images/pictures.ts';
import { pngChunk } from '../../../support/images/pngFile.ts';
import { cmykJpeg, withCredentials, withPngChunks } from '../../../support/images/specialFiles.ts';

function workspaceFile(path: string): WorkspaceFile {
  return { root: 'file:///w', folder: 'file:///w', fileName: path, uri: `file:///w/${path}`, path };
}

describe('an image that an agent has finished', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  /** Converts an image. @returns the notes */
  async function converted(bytes: Uint8Array, path: string): Promise<string[]> {
    const host = {
      read: async () => Promise.resolve(bytes),
      publish: async (_: Uint8Array, { uri }: WorkspaceFile) => Promise.resolve(uri),
    };
    const order = {
      input: { image: 'a.png', path },
      bytes,
      target: workspaceFile(path),
      replaces: false,
      keptFiles: { keep: async () => Promise.reject(new Error('Nothing is replaced here.')) },
    };
    return (await finishImage(host, codecs, order)).notes;
  }

  it('is refused where it is left alone, rather than saved under a name of another format', async () => {
    await assert.rejects(converted(await cmykJpeg(64, 64), 'b.png'), {
      code: 'unsupported_image',
      message: 'Images with CMYK colors stay as they are.',
      sent: false,
    });
  });

  it('comes with what it lost', async () => {
    const png = await codecs.encode(
      paint(8, 8, () => [51, 102, 153, 255]),
      { format: 'png' },
    );
    const signed = await converted(withCredentials(png), 'b.jpg');
    assert.ok(signed.some((note) => note.startsWith('Note: The Content Credentials were removed')));
    const linear = Buffer.alloc(4);
    linear.writeUInt32BE(100_000);
    const shifted = await converted(withPngChunks(png, pngChunk('gAMA', linear)), 'b.webp');
    assert.ok(shifted.some((note) => note.startsWith('Note: The colors may look different')));
  });
});
