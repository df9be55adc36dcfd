import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DraftFile, type KeptInput } from '../../../../src/editor/studio/draftFile.ts';
import { emptyDraft } from '../../../../src/studio/draft.ts';

void describe('the file of the draft', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-draft-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  void it('gives back what was changed last, also of changes that came all at once', async () => {
    const file = await DraftFile.open(folder);
    await Promise.all(Array.from({ length: 50 }, (_, n) => file.change({ prompt: `prompt ${n}` })));
    await file.change({ count: 3 });
    const again = await DraftFile.open(folder);
    assert.deepEqual(again.draft, { ...emptyDraft, prompt: 'prompt 49', count: 3 });
    assert.deepEqual(await readdir(folder), ['draft.json']);
  });

  void it('is empty where there is none, or one that is damaged', async () => {
    const empty = { ...emptyDraft, size: '64x64' };
    assert.deepEqual((await DraftFile.open(join(folder, 'none'), empty)).draft, empty);
    for (const content of ['', '{"draft":', 'null', '[]', '7', '{"draft":7,"inputs":{}}', '\0\0\0']) {
      await writeFile(join(folder, 'draft.json'), content);
      assert.deepEqual((await DraftFile.open(folder, empty)).draft, empty, content);
    }
  });

  void it('keeps what can be read of a draft of another version', async () => {
    const draft = { prompt: 'A fox', count: 'many', view: { stage: 'results', mask: 'no' }, newer: true };
    await writeFile(join(folder, 'draft.json'), JSON.stringify({ draft, inputs: [{ id: 1 }] }));
    const file = await DraftFile.open(folder);
    assert.deepEqual(file.draft, { ...emptyDraft, prompt: 'A fox' });
    assert.equal(file.inputs.size, 0);
  });

  void it('leaves out an input whose address is none: the panel could not show it', async () => {
    const inputs = [
      { ...input('one', '/a.png'), uri: 'no address' },
      { ...input('two', '/b.png'), width: 0 },
    ];
    const draft = { ...emptyDraft, inputs: ['one', 'two'] };
    await writeFile(join(folder, 'draft.json'), JSON.stringify({ draft, inputs }));
    assert.equal((await DraftFile.open(folder)).inputs.size, 0);
  });

  void it('keeps the files that the draft uses, and sweeps the others', async () => {
    const file = await DraftFile.open(folder);
    const [used, unused] = [
      await file.keepFile('inputs', 'a.png', new Uint8Array([1])),
      await file.keepFile('inputs', 'b.png', new Uint8Array([2])),
    ];
    const [mask, oldMask] = [
      await file.keepMask(new Uint8Array([3])),
      await file.keepMask(new Uint8Array([4])),
    ];
    await file.addInputs([input('one', used), input('two', unused)]);
    await file.change({
      inputs: ['one'],
      mask: { operations: [{ kind: 'load', file: mask }], done: 0 },
    });
    const again = await DraftFile.open(folder);
    assert.deepEqual([...again.inputs.keys()], ['one']);
    assert.deepEqual([existsSync(used), existsSync(unused)], [true, false]);
    assert.deepEqual(await readFile(again.maskPath(mask) ?? ''), Buffer.from([3]));
    assert.equal(existsSync(again.maskPath(oldMask) ?? ''), false);
  });

  void it('takes no path for the name of a mask', async () => {
    const file = await DraftFile.open(folder);
    for (const name of ['../draft.json', '/etc/passwd', '', '..', 'a'.repeat(36).replace('a', '/')]) {
      assert.equal(file.maskPath(name), undefined, name);
    }
  });
});

function input(id: string, path: string): KeptInput {
  return {
    id,
    uri: `file://${path}`,
    name: 'a.png',
    path,
    width: 2,
    height: 3,
    size: 4,
    mediaType: 'image/png',
    sha256: 'ab',
    notes: [],
  };
}
