import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DraftFile, isUnsent, type KeptInput } from '../../../../src/vscode/studio/draftFile.ts';
import { emptyDraft } from '../../../../src/studio/protocol/draft.ts';
import { blankMask } from '../../../../src/studio/maskPixels/maskPixels.ts';
import { encodeMaskPng } from '../../../../src/studio/maskPixels/encodeMaskPng.ts';
import { repairMaskFile } from '../../../../src/engine/files/repairMaskFile.ts';
import { withOldChecksums } from '../../../support/images/oldMaskFile.ts';
import { strictDecoders } from '../../../support/images/strictDecoders.ts';

void describe('the file of the draft', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-draft-'));
  });
  /** Lets everything be as many hours old. */
  async function ageFiles(hours: number): Promise<void> {
    const then = new Date(Date.now() - hours * 3_600_000);
    for (const name of await readdir(folder, { recursive: true })) {
      await utimes(join(folder, name), then, then);
    }
  }

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
    // What is younger another window may have taken just now.
    assert.deepEqual([...(await DraftFile.open(folder)).inputs.keys()], ['one']);
    assert.deepEqual([existsSync(used), existsSync(unused)], [true, true]);
    await ageFiles(25);
    const again = await DraftFile.open(folder);
    assert.deepEqual([...again.inputs.keys()], ['one']);
    assert.deepEqual([existsSync(used), existsSync(unused)], [true, false]);
    assert.deepEqual(await readFile(again.maskPath(mask) ?? ''), Buffer.from([3]));
    assert.equal(existsSync(again.maskPath(oldMask) ?? ''), false);
  });

  void it('is set aside where it is damaged, and for a month no file beside it is removed', async () => {
    const file = await DraftFile.open(folder);
    const image = await file.keepFile('inputs', 'a.png', new Uint8Array([1]));
    const mask = await file.keepMask(new Uint8Array([2]));
    await file.addInputs([input('one', image)]);
    await file.change({ inputs: ['one'], mask: { operations: [{ kind: 'load', file: mask }], done: 0 } });
    const content = (await readFile(join(folder, 'draft.json'))).subarray(0, -5);
    await writeFile(join(folder, 'draft.json'), content);
    await ageFiles(2000);
    const fresh = await DraftFile.open(folder);
    await fresh.change({ prompt: 'begun anew' });
    assert.equal((await DraftFile.open(folder)).draft.prompt, 'begun anew');
    const aside = (await readdir(folder)).find((name) => name.startsWith('draft.json.damaged-')) ?? '';
    assert.deepEqual(await readFile(join(folder, aside)), content);
    assert.deepEqual([existsSync(image), existsSync(fresh.maskPath(mask) ?? '')], [true, true]);
    await ageFiles(31 * 24);
    await DraftFile.open(folder);
    await DraftFile.open(folder);
    assert.deepEqual([existsSync(image), existsSync(join(folder, aside))], [false, false]);
  });

  void it('repairs a mask that an earlier version kept with wrong checksums, and leaves one alone that is right', async () => {
    const file = await DraftFile.open(folder);
    const right = await encodeMaskPng(blankMask({ width: 5, height: 3 }));
    const [old, good] = [await file.keepMask(withOldChecksums(right)), await file.keepMask(right)];
    const before = await stat(file.maskPath(good) ?? '');
    for (const name of [old, good]) {
      const paths = await Promise.all([1, 2].map(async () => file.repairMask(name, repairMaskFile)));
      assert.deepEqual(paths, [file.maskPath(name), file.maskPath(name)]);
      const bytes = await readFile(file.maskPath(name) ?? '');
      assert.equal((await strictDecoders.sharp(bytes)).width, 5);
      assert.deepEqual(await readdir(join(folder, 'masks', name)), ['mask.png']);
    }
    assert.equal((await stat(file.maskPath(good) ?? '')).ino, before.ino);
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

void describe('a draft', () => {
  void it('is unsent when its prompt was not sent, or when it has images and no prompt', () => {
    const sent = { ...emptyDraft, prompts: ['a fox'], prompt: 'a fox', inputs: ['a'] };
    assert.ok(!isUnsent(emptyDraft) && !isUnsent(sent));
    assert.ok(isUnsent({ ...sent, prompt: 'a boat' }) && isUnsent({ ...sent, prompt: ' ' }));
  });
});
