import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import {
  hashFile,
  hashOf,
  resultsFromAnswer,
  StagingStore,
  writeWhole,
} from '../../../../src/engine/files/stagingStore.ts';
import { OriginalOutputs } from '../../../../src/engine/files/originalOutputs.ts';
import { namesIn } from '../../../../src/engine/files/taskFolders.ts';
import type { TaskInput } from '../../../../src/engine/task/task.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { eventually } from '../../../support/eventually.ts';
import { settle } from '../../../support/manualClock.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { openFiles } from '../../../support/openFiles.ts';
import { Random } from '../../../support/random.ts';
import { failDisk } from '../run/diskFaults.ts';

/** Bytes that are taken and written at once. */
const piece = 512 * 1024;

const png = pngFile({ width: 3, height: 2, bitDepth: 8, colourType: 0, lines: [0, 1, 2, 3, 0, 4, 5, 6] });

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Bytes without a pattern that a mistake could meet twice. */
function someBytes(length: number): Buffer {
  const random = new Random(length);
  return Buffer.from(
    Uint32Array.from({ length: Math.ceil(length / 4) }, () => random.below(2 ** 32)).buffer,
  ).subarray(0, length);
}

function anInput(path: string): TaskInput {
  return { uri: `file://${path}`, name: 'in.png', size: 1, mediaType: 'image/png', sha256: 'abc', path };
}

describe('images while they arrive', () => {
  let root: string;
  let folder: string;
  let store: StagingStore;
  before(async () => {
    root = await mkdtemp(join(memoryFolder, 'limner-staged-'));
    folder = join(root, 'inbox');
    store = new StagingStore(folder);
  });
  after(async () => rm(root, { recursive: true }));

  it('are complete, in whatever pieces they come, with what is told of them', async () => {
    const random = new Random(5);
    // Around the size of a piece, and of what the disk is asked to begin with.
    const lengths = [0, 1, piece - 1, piece, piece + 1, 2 * piece, 9 * piece + 7];
    for (const [index, length] of lengths.entries()) {
      const bytes = someBytes(length);
      const sink = store.sink('tk_a', index, 3);
      assert.equal(sink.file, undefined);
      for (let at = 0; at < length;) {
        const next = Math.min(length, at + 1 + random.below(random.pick([10, 1000, 3 * piece])) * 100);
        const chunk = Uint8Array.from(bytes.subarray(at, next));
        await sink.write(chunk);
        // The chunk is the caller's again.
        chunk.fill(0);
        at = next;
      }
      await sink.close();
      const stagedPath = join(folder, 'tk_a', `${index}-3.image`);
      assert.deepEqual(sink.file, { stagedPath, size: length, sha256: sha256(bytes) });
      assert.ok(bytes.equals(await readFile(stagedPath)), `${length}`);
    }
  });

  it('are known by their bytes, with their size as it is seen, and whether their end is there', async () => {
    const turned = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    for (const [task, bytes, about] of [
      ['tk_whole', png, { mediaType: 'image/png', width: 3, height: 2 }],
      ['tk_cut', png.subarray(0, -13), { mediaType: 'image/png', width: 3, height: 2, seemsCut: true }],
      ['tk_turned', turned, { mediaType: 'image/jpeg', width: 20, height: 30 }],
      ['tk_text', Buffer.from('no image'), {}],
    ] as const) {
      const sink = store.sink(task, 0, 1);
      await sink.write(bytes);
      await sink.close();
      const expected = {
        stagedPath: join(folder, task, '0-1.image'),
        size: bytes.length,
        sha256: sha256(bytes),
        ...about,
      };
      assert.deepEqual(sink.file, expected);
      // The next process finds the same.
      assert.deepEqual([...(await new StagingStore(folder).stagedFiles(task))], [[0, expected]]);
    }
  });

  it('become text again where their base64 turns out to be damaged, and take the rest of it', async () => {
    for (const length of [0, 7, piece, 2 * piece + 5]) {
      const bytes = someBytes(length);
      const sink = store.sink('tk_damaged', length, 1);
      await sink.write(bytes);
      await sink.toText();
      await sink.write(Buffer.from('!and the rest'));
      await sink.close();
      const text = Buffer.from(`${bytes.toString('base64')}!and the rest`);
      const stagedPath = join(folder, 'tk_damaged', `${length}-1.text`);
      assert.deepEqual(sink.file, { stagedPath, size: text.length, sha256: sha256(text), isText: true });
      assert.ok(text.equals(await readFile(stagedPath)), `${length}`);
    }
    // Neither halves of images remain, nor is a text taken for an image.
    assert.deepEqual(
      (await readdir(join(folder, 'tk_damaged'))).filter((name) => !name.endsWith('.text')),
      [],
    );
    assert.equal((await store.stagedFiles('tk_damaged')).size, 0);
  });

  it('leave nothing when they break off, as images or as text', async () => {
    const [early, late, text] = [0, 1, 2].map((index) => store.sink('tk_broken', index, 1));
    assert.ok(early && late && text);
    await early.discard();
    for (const sink of [late, text]) {
      await sink.write(someBytes(2 * piece));
    }
    await text.toText();
    await Promise.all([late.discard(), text.discard()]);
    assert.deepEqual(await readdir(join(folder, 'tk_broken')), []);
    assert.equal(late.file, undefined);
  });

  it('are refused by a disk that is full, in words, and complete where it takes a part at a time', async () => {
    const full = await failDisk({
      operation: 'write',
      code: 'ENOSPC',
      on: (path) => path.includes('tk_full'),
    });
    try {
      const sink = store.sink('tk_full', 0, 1);
      await sink.write(png);
      await assert.rejects(sink.close(), {
        code: 'save_failed',
        message: 'The disk is full.',
        billing: 'yes',
      });
      assert.equal(sink.file, undefined);
      await sink.discard();
    } finally {
      full.end();
    }
    const slow = await failDisk({
      operation: 'write',
      code: 'short',
      on: (path) => path.includes('tk_slow'),
    });
    try {
      const sink = store.sink('tk_slow', 0, 1);
      await sink.write(png);
      await sink.close();
      assert.ok(png.equals(await readFile(sink.file?.stagedPath ?? '')));
    } finally {
      slow.end();
    }
  });

  it('break off in words when a disk is full while more of them arrives', async ({ mock }) => {
    const full = await failDisk({
      operation: 'write',
      code: 'ENOSPC',
      on: (path) => path.includes('tk_filling'),
    });
    try {
      const sink = store.sink('tk_filling', 0, 1);
      await sink.write(someBytes(2 * piece));
      // Nothing more has come when the disk says it.
      await eventually(
        'the disk has said it',
        async () => full.count(),
        (count) => count > 0,
      );
      await settle();
      await assert.rejects(async () => sink.write(someBytes(2 * piece)), { code: 'save_failed' });
      await sink.discard();
      const handle = await open(join(root, 'stuck'), 'w');
      mock.method(handle, 'write', async () => ({ bytesWritten: 0, buffer: png }));
      await assert.rejects(writeWhole(handle, png), {
        message: "The disk doesn't accept more of the image.",
      });
      await handle.close();
    } finally {
      full.end();
    }
  });

  it('become text again whole, however slowly the disk takes them', async () => {
    const slow = await failDisk({
      operation: 'write',
      code: 'short',
      on: (path) => path.includes('tk_late'),
    });
    try {
      for (const length of [1000, piece + 5]) {
        const bytes = someBytes(length);
        const sink = store.sink('tk_late', length, 1);
        await sink.write(bytes);
        await sink.toText();
        await sink.close();
        assert.equal(await readFile(sink.file?.stagedPath ?? '', 'latin1'), bytes.toString('base64'));
      }
    } finally {
      slow.end();
    }
  });

  it('are said to be here once they survive a power cut, under their names', async () => {
    const failing = await failDisk({ operation: 'sync', code: 'EIO', on: (path) => path.endsWith('.part') });
    try {
      const sink = store.sink('tk_synced', 0, 1);
      await sink.write(png);
      await assert.rejects(sink.close(), { code: 'save_failed' });
      assert.equal(sink.file, undefined);
      await sink.discard();
    } finally {
      failing.end();
    }
    const folders = [folder, join(folder, 'tk_synced')];
    for (const code of ['EINVAL', 'ENOTSUP', 'EIO']) {
      const synced: string[] = [];
      const names = await failDisk({
        operation: 'sync',
        code,
        on: (path) => folders.includes(path) && synced.push(path) > 0,
      });
      try {
        const sink = store.sink('tk_synced', 0, 1);
        await sink.write(png);
        // Some file systems can't do it to folders; where one fails, the image is here all the same.
        await sink.close();
        assert.deepEqual(await readFile(sink.file?.stagedPath ?? ''), png);
      } finally {
        names.end();
      }
      assert.deepEqual(synced.toSorted(), process.platform === 'win32' ? [] : folders);
    }
  });

  it('leave no file open, whether they come, become text, break off, or are only looked at', async () => {
    const [whole, text, broken] = [0, 1, 2].map((index) => store.sink('tk_open', index, 1));
    for (const sink of [whole, text, broken]) {
      await sink?.write(png);
    }
    await text?.toText();
    await whole?.close();
    await text?.close();
    await broken?.discard();
    assert.equal((await store.stagedFiles('tk_open')).size, 1);
    assert.equal(await hashFile(whole?.file?.stagedPath ?? ''), sha256(png));
    assert.deepEqual(openFiles(root), []);
  });

  it('are found by the next process, and neither halves of them nor what is made of them', async () => {
    for (const step of ['composed', 'finished'] as const) {
      const made = store.madeSink('tk_next', step, 4, 2);
      await made.write(png);
      await made.close();
      assert.equal(made.file?.stagedPath, join(folder, 'tk_next', `${step}-4-2.image`));
    }
    for (const index of [0, 12]) {
      const sink = store.sink('tk_next', index, 2);
      await sink.write(png);
      await sink.close();
    }
    for (const name of ['3-1.image.part', '5-1.text', '5-1.text.part', 'input-abc', '6-1', '7-2.part']) {
      await writeFile(join(folder, 'tk_next', name), png);
    }
    await writeFile(join(folder, 'tk_next/8-2.part'), png.subarray(0, -1));
    await writeFile(join(folder, 'tk_next/12-1.part'), png);
    const found = await store.stagedFiles('tk_next');
    assert.deepEqual(
      [...found.keys()].toSorted((one, other) => one - other),
      [0, 7, 12],
    );
    assert.equal(found.get(12)?.stagedPath, join(folder, 'tk_next', '12-2.image'));
    // Windows had refused it its last name, which it may get after all.
    const { stagedPath: part = '' } = found.get(7) ?? {};
    assert.equal(await store.findStaged('tk_next', part), join(folder, 'tk_next', '7-2.part'));
    await rename(part, join(folder, 'tk_next', '7-2.image'));
    assert.equal(await store.findStaged('tk_next', part), join(folder, 'tk_next', '7-2.image'));
    assert.equal((await store.stagedFiles('tk_none')).size, 0);
  });

  it('have copies of the inputs beside them that are needed later', async () => {
    const path = join(root, 'in.png');
    await writeFile(path, png);
    const input = anInput(path);
    const copy = store.inputCopyPath('tk_edit', input);
    assert.equal(copy, join(folder, 'tk_edit', 'input-abc'));
    await store.copyInput('tk_edit', input);
    assert.deepEqual(await readFile(copy), png);
    const second = { ...input, sha256: 'def' };
    await store.copyInput('tk_edit', second);
    assert.deepEqual(await readFile(store.inputCopyPath('tk_edit', second)), png);
    // One that is the copy already stays, and one that is gone is missed by nobody here.
    await store.copyInput('tk_edit', { ...input, path: copy });
    await store.copyInput('tk_other', anInput(join(root, 'gone.png')));
    assert.deepEqual(await readFile(copy), png);
  });

  it('are kept as long as a task may need them', () => {
    const id = 'tk';
    const staged = { state: 'failed', stagedPath: join(folder, id, '0-1.image') } as const;
    // As another process writes the path of the same folder.
    const elsewhere = { state: 'failed', stagedPath: `z:\\home\\${basename(folder)}\\tk\\0-1.part` } as const;
    const edit = aRequest({
      kind: 'edit',
      images: [anInput('/in')],
      mask: anInput('/mask'),
      keepOutside: true,
    });
    const onBlack = aRequest({
      kind: 'edit',
      images: [anInput('/in')],
      finish: { cutout: { by: 'grounds' } },
    });
    const { url: _, ...lost } = aResult({ state: 'failed' });
    for (const [needed, task] of [
      [true, aTask({ id, status: 'failed', results: [{ ...lost, ...staged }] })],
      [true, aTask({ id, status: 'failed', results: [{ ...lost, ...elsewhere }] })],
      [
        false,
        aTask({ id, status: 'failed', results: [{ ...lost, stagedPath: `${folder}-2/tk/0-1.image` }] }),
      ],
      [false, aTask({ status: 'completed', results: [aResult({ state: 'saved' })] })],
      [true, aTask({ status: 'completed', request: edit, results: [lost, aResult({ state: 'failed' })] })],
      [false, aTask({ status: 'completed', request: edit, results: [aResult({ state: 'saved' })] })],
      [true, aTask({ status: 'stopped', remoteId: 'r1', request: edit })],
      [false, aTask({ status: 'stopped', remoteId: 'r1' })],
      [true, aTask({ status: 'stopped', remoteId: 'r1', request: onBlack })],
      [true, aTask({ id, status: 'completed', results: [lost, { ...lost, ...staged }] })],
    ] as const) {
      assert.equal(store.isNeededBy(task), needed, JSON.stringify(task));
    }
  });

  it('go with their task', async () => {
    for (const task of ['tk_x', 'tk_y']) {
      await mkdir(join(root, 'swept', task), { recursive: true });
      await writeFile(join(root, 'swept', task, '0-1.image'), png);
    }
    const swept = new StagingStore(join(root, 'swept'));
    await swept.sweep((task) => task === 'tk_y');
    assert.deepEqual(await namesIn(join(root, 'swept')), ['tk_y']);
    await swept.remove('tk_y');
    await swept.remove('tk_y');
    assert.deepEqual(await namesIn(join(root, 'swept')), []);
    assert.deepEqual(await namesIn(join(root, 'nowhere')), []);
    await new StagingStore(join(root, 'nowhere')).sweep(() => false);
    await assert.rejects(namesIn(join(root, 'in.png')), { code: 'ENOTDIR' });
  });

  it('have the hash that others compute', async () => {
    for (const length of [0, 1, piece, 2 * piece + 1]) {
      const path = join(root, 'hashed');
      await writeFile(path, someBytes(length));
      assert.equal(await hashFile(path), sha256(someBytes(length)));
      assert.equal(hashOf(someBytes(length)), sha256(someBytes(length)));
    }
    assert.equal(hashOf('füchse'), sha256(Buffer.from('füchse')));
  });

  it('stay beside what is made of them', async () => {
    const originals = new OriginalOutputs(join(root, 'received'));
    const stagedPath = join(root, 'arrived.image');
    await writeFile(stagedPath, png);
    const arrived = { index: 1, state: 'staged', stagedPath, size: png.length, sha256: 'abc' } as const;
    const whole = { ...arrived, mediaType: 'image/webp', width: 3, height: 2 };
    const path = join(root, 'received', 'tk', '2.webp');
    const kept = { path, size: png.length, mediaType: 'image/webp', width: 3, height: 2, sha256: 'abc' };
    assert.deepEqual(await originals.keep('tk', whole, 7), kept);
    assert.deepEqual(await readFile(path), png);
    // What is kept already stays, and no half of it remains.
    assert.deepEqual(await originals.keep('tk', { ...whole, stagedPath: path }, 7), kept);
    assert.deepEqual(await readdir(join(root, 'received', 'tk')), ['2.webp']);
    assert.deepEqual(
      (await readdir(root)).filter((name) => name.endsWith('.part')),
      [],
    );
    const unknown = await originals.keep('tk', { ...arrived, mediaType: 'image/png' }, 7);
    assert.deepEqual(Object.keys(unknown).toSorted(), ['mediaType', 'path', 'sha256', 'size']);
  });
});

/** Returns what sinks took; the bytes of one of them are not whole. */
function fileOf(sink: number): { stagedPath: string; size: number; sha256: string } | undefined {
  return sink === 3 ? undefined : { stagedPath: `/w/${sink}`, size: sink, sha256: `h${sink}` };
}

describe('the images of a response', () => {
  it('have the numbers of their sinks, and those to be fetched come after them', () => {
    assert.deepEqual(
      resultsFromAnswer(
        [
          { kind: 'url', url: 'https://a' },
          { kind: 'inline', sink: 4, revisedPrompt: 'a red fox' },
          { kind: 'inline', sink: 0 },
          { kind: 'inline', sink: 3 },
          { kind: 'url', url: 'https://b', revisedPrompt: '' },
        ],
        fileOf,
      ),
      [
        { index: 5, state: 'remote', url: 'https://a' },
        { index: 4, state: 'staged', stagedPath: '/w/4', size: 4, sha256: 'h4', revisedPrompt: 'a red fox' },
        { index: 0, state: 'staged', stagedPath: '/w/0', size: 0, sha256: 'h0' },
        { index: 6, state: 'remote', url: 'https://b', revisedPrompt: '' },
      ],
    );
    assert.deepEqual(resultsFromAnswer([{ kind: 'url', url: 'https://a' }], fileOf), [
      { index: 0, state: 'remote', url: 'https://a' },
    ]);
    assert.deepEqual(resultsFromAnswer([], fileOf), []);
  });
});
