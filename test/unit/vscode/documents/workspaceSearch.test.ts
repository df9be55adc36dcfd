import assert from 'node:assert/strict';
import { appendFileSync, Dirent, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { noLinkRights } from '../../../support/links.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { arranged, CancellationError, type Uri, workspace } from './windowStub.ts';

const stub = new URL('windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { WorkspaceSearch } = await import('../../../../src/vscode/documents/workspaceSearch.ts');
hooks.deregister();

/** As much of a document as is looked at. */
interface Read {
  uri: Uri;
  getText: () => string;
}

const write = (...files: readonly string[]): void => {
  for (const file of files) {
    mkdirSync(dirname(join(arranged.root, file)), { recursive: true });
    writeFileSync(join(arranged.root, file), file);
  }
};

/**
 * Searches the workspace, in which every document needs an image but those that are called bare.
 *
 * @param onRead called with the path of each document that is read
 */
const searcher = (onRead: (path: string) => unknown = () => {}): InstanceType<typeof WorkspaceSearch> => {
  const referencesIn = ({ uri, getText }: Read): unknown[] => {
    const path = workspace.asRelativePath(uri);
    assert.ok(getText().startsWith(path));
    onRead(path);
    return path.includes('bare') ? [] : ['a reference'];
  };
  const log = { debug() {}, warn() {} };
  const parts: unknown = [{ referencesIn }, { wantedIn: () => ['an image'] }, {}, log];
  assert.ok(areParts(parts));
  return new WorkspaceSearch(...parts);
};

/** Searches the workspace once. @returns which documents need an image */
const search = async (onRead?: (path: string) => void): Promise<string[]> => {
  const found = await searcher(onRead).run('Looking for missing images');
  return found.map(([{ uri }]) => workspace.asRelativePath(uri));
};

/** Has the user stop it. */
const stop = (): void => {
  arranged.cancelled.isCancellationRequested = true;
};

describe('the search of a workspace', () => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(() => {
    folder = temporaryFolder('search');
    arranged.root = join(folder.path, 'site');
    arranged.cancelled.isCancellationRequested = false;
    arranged.excluded = {};
    arranged.otherRoots = [];
    arranged.messages.length = 0;
    mkdirSync(arranged.root);
  });

  afterEach(() => folder.remove());

  it('reads the documents of all folders in their order, but not those of others, nor tests', async () => {
    const documents = ['a page.MD', 'ü%20.mdx', 'app/A.tsx', 'app/b.vue', 'app/in/style.css'];
    write(...documents.toReversed());
    write('app/node_modules/a.md', 'dist/b.md', '.git/c.md', 'app/A.test.tsx', 'app/image.png', 'notes.txt');
    assert.deepEqual(await search(), documents);
  });

  it(
    'reads no document twice that links lead to, and none outside of the workspace',
    { skip: noLinkRights },
    async () => {
      write('docs/page.md', '../other/page.md');
      symlinkSync('..', join(arranged.root, 'docs/around'));
      symlinkSync('docs', join(arranged.root, 'again'));
      symlinkSync('docs/page.md', join(arranged.root, 'page.md'));
      symlinkSync('../other', join(arranged.root, 'other'));
      assert.deepEqual(await search(), ['docs/page.md']);
    },
  );

  it('reads folders of a cloud, which Windows lists as links', async () => {
    write('cloud/page.md', 'page.md');
    if (noLinkRights === false) {
      symlinkSync('cloud', join(arranged.root, 'link'));
    }
    const platform = mock.property(process, 'platform', 'win32');
    const listed = ['isFile', 'isDirectory', 'isSymbolicLink'] as const;
    const methods = listed.map((name) =>
      mock.method(Dirent.prototype, name, () => name === 'isSymbolicLink'),
    );
    try {
      assert.deepEqual(await search(), ['page.md', 'cloud/page.md']);
    } finally {
      for (const { mock: mocked } of [platform, ...methods]) {
        mocked.restore();
      }
    }
  });

  it('has no result where a folder of the workspace cannot be read', async () => {
    rmdirSync(arranged.root);
    await assert.rejects(search(), { code: 'invalid_request', message: /^Couldn't read site: / });
  });

  it('skips a folder of the workspace that cannot be read, and says so', async () => {
    write('page.md');
    arranged.otherRoots = [join(folder.path, 'gone')];
    assert.deepEqual(await search(), ['page.md']);
    const texts = arranged.messages.map(({ text }) => text);
    assert.deepEqual(texts, ["The folder ../gone was skipped: it can't be read."]);
  });

  it('leaves out what the workspace does not show', async () => {
    arranged.excluded = {
      '**/generated': true,
      'drafts/*.{md,html}': true,
      '**/[!a-m]*.md': true,
      '**/*.js': { when: '$(basename).ts' },
      '*.css': false,
      'aab.md': null,
      '**/built.ts': {},
      '**/{': true,
      'a+b.md': true,
      // There are more ways to read it than anybody could try.
      [`${'**a'.repeat(30)}b.md`]: true,
      // Nobody wrote these, and they would be read for hours.
      ['['.repeat(4_000_000)]: true,
      [`${'a'.repeat(4_000_000)}*`]: true,
    };
    const shown = [`${'a'.repeat(60)}.md`, 'aab.md', 'b.css', 'built.ts', 'only.js', 'drafts/in/c.md'];
    write(...shown, 'app/generated/in/d.md', 'drafts/e.md', 'zoo.md', 'built.js', 'a+b.md');
    assert.deepEqual(await search(), shown);
  });

  it('reads again only what named an image, and what changed since', async () => {
    write('a.md', 'bare.md', 'bare too.md');
    const read: string[] = [];
    const again = searcher((path) => read.push(path));
    await again.run('Looking for missing images');
    assert.deepEqual(read.splice(0).toSorted(), ['a.md', 'bare too.md', 'bare.md']);
    appendFileSync(join(arranged.root, 'bare too.md'), ', changed');
    await again.run('Looking for placeholders');
    assert.deepEqual(read.toSorted(), ['a.md', 'bare too.md']);
  });

  it('has no result where it was stopped while the last files were read', async () => {
    write('page.md');
    await assert.rejects(search(stop), CancellationError);
  });
});

/** They are as much of the window's as the search needs. */
function areParts(value: unknown): value is ConstructorParameters<typeof WorkspaceSearch> {
  return Array.isArray(value);
}
