import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  linkSync,
  openSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { lstat, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noLinkRights } from '../../../support/links.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { failDisk } from '../../engine/run/diskFaults.ts';
import { arranged, Document, Uri } from './windowStub.ts';

const stub = new URL('windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { changeDocument } = await import('../../../../src/vscode/documents/changeDocument.ts');
hooks.deregister();

const isWindows = process.platform === 'win32';
const text = 'a fox\n'.repeat(10_000);

describe('the change of a document that is not shown', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;

  beforeEach(async () => {
    folder = temporaryFolder('documents');
    arranged.root = join(folder.path, 'site');
    mkdirSync(arranged.root);
    arranged.readonlyInclude = {};
    arranged.readonlyExclude = {};
    path = join(arranged.root, 'page.md');
    await writeFile(path, text);
  });

  afterEach(() => folder.remove());

  const read = (file = path): string => readFileSync(file, 'utf8');

  /** Puts a word before a document. @param meanwhile done between the reading and the writing */
  const change = async (meanwhile = async (): Promise<void> => {}, file = path): Promise<unknown> => {
    const uri = Uri.file(file);
    arranged.documents.set(uri.toString(), new Document(uri, ''));
    return changeDocument(uri, async (document) => {
      const put = `${document.getText().length} `;
      await meanwhile();
      return [{ start: 0, end: 0, text: put }];
    });
  };

  it('is made anew where another program changed the document meanwhile', async () => {
    let isChanged = false;
    const outcome = await change(async () => {
      await (isChanged || writeFile(path, 'Theirs.'));
      isChanged = true;
    });
    assert.equal(outcome, 'changed');
    assert.equal(read(), '7 Theirs.');
  });

  it('is not made where the settings of VS Code let nobody make one', async () => {
    arranged.readonlyInclude = { '**/*.md': true };
    await assert.rejects(change(), /could not be changed/u);
    assert.equal(read(), text);
    arranged.readonlyExclude = { 'page.md': true };
    assert.equal(await change(), 'changed');
  });

  it('is not made where its encoding loses something', async () => {
    const bytes = Buffer.from('Füchse', 'latin1');
    await writeFile(path, bytes);
    assert.equal(await change(), 'lossy');
    assert.deepEqual(readFileSync(path), bytes);
  });

  const posixOnly = { skip: isWindows && 'Windows has neither modes nor limits, and replaces no open file' };
  it('leaves nothing but the document, with its rights', posixOnly, async () => {
    chmodSync(path, 0o754);
    assert.equal(await change(), 'changed');
    assert.equal(read(), `${text.length} ${text}`);
    assert.equal(statSync(path).mode & 0o777, 0o754);
    assert.deepEqual(readdirSync(arranged.root), ['page.md']);
  });

  it('keeps links and other names of the document', { skip: noLinkRights }, async () => {
    const [link, name] = [join(arranged.root, 'name.md'), join(folder.path, 'name.md')];
    linkSync(path, name);
    symlinkSync(name, link);
    assert.equal(await change(async () => {}, link), 'changed');
    assert.equal(await change(), 'changed');
    assert.ok((await lstat(link)).isSymbolicLink());
    assert.equal(read(name), `${text.length + 6} ${text.length} ${text}`);
    assert.equal(read(), read(name));
  });

  it('is made where the folder takes no other files', async () => {
    const fault = await failDisk({
      operation: 'writeFile',
      code: 'EACCES',
      on: (file) => file !== path && file.startsWith(arranged.root),
    });
    try {
      assert.equal(await change(), 'changed');
    } finally {
      fault.end();
    }
    assert.equal(fault.count(), 1);
    assert.equal(read(), `${text.length} ${text}`);
  });

  it('shows others the document before or after it', posixOnly, async () => {
    const opened = openSync(path, 'r');
    try {
      assert.equal(await change(), 'changed');
      assert.equal(readFileSync(opened, 'utf8'), text);
    } finally {
      closeSync(opened);
    }
  });

  /** Changes the document in a process for whose files there is room for a part of it. @returns the signal that ended it */
  const changeInPart = (end: 'refused' | 'refused in place' | 'killed'): string | null => {
    const program = fileURLToPath(new URL('changing.ts', import.meta.url));
    const limited = 'ulimit -c 0; ulimit -f 300; exec "$0" "$@"';
    const { signal, stderr } = spawnSync('sh', ['-c', limited, process.execPath, program, path, end], {
      encoding: 'utf8',
    });
    assert.match(stderr, end === 'killed' ? /^$/u : /EFBIG/u);
    return signal;
  };

  it('leaves the document as it was where the disk takes only a part', posixOnly, () => {
    for (const end of ['refused', 'refused in place'] as const) {
      assert.equal(changeInPart(end), null);
      assert.equal(read(), text);
    }
    assert.deepEqual(readdirSync(arranged.root), ['page.md']);
  });

  it(
    'leaves the document as it was where the process is killed, and no file for long',
    posixOnly,
    async () => {
      assert.equal(changeInPart('killed'), 'SIGXFSZ');
      assert.equal(read(), text);
      assert.match(readdirSync(arranged.root).join(), /^\.limner-host\w+-\d+-[\w-]+\.tmp,page\.md$/u);
      await change();
      assert.deepEqual(readdirSync(arranged.root), ['page.md']);
    },
  );
});
