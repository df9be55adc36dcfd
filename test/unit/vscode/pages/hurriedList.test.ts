import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { languageOf } from '../../../../src/pages/find/languages.ts';
import { findReferences } from '../../../../src/pages/find/references.ts';
import type { PromptPlace } from '../../../../src/vscode/generate/promptWriter.ts';
import type { WantedImages } from '../../../../src/vscode/documents/wantedImages.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { arranged, CancellationError, Uri } from '../documents/windowStub.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { MakeWanted, missingTexts } = await import('../../../../src/vscode/pages/makeWanted.ts');
const { WorkspaceSearch } = await import('../../../../src/vscode/documents/workspaceSearch.ts');
const { proposalsOf } = await import('../../../../src/vscode/documents/proposal.ts');
const { ImageIndex } = await import('../../../../src/vscode/documents/imageIndex.ts');
hooks.deregister();

type Document = Parameters<WantedImages['at']>[0];

const images = (count: number, folder = ''): string =>
  Array.from({ length: count }, (_, index) => `![Bed ${index}](${folder}bed-${index}.png)\n`).join('\n');

const put = (files: Readonly<Record<string, string>>): void => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(arranged.root, file)), { recursive: true });
    writeFileSync(join(arranged.root, file), text);
  }
};

const referencesIn = async ({ uri, getText }: Document): Promise<unknown> =>
  findReferences(getText(), languageOf('plaintext', uri.path));
const wantedIn = async (document: Document, wanted: WantedImages): Promise<unknown> => {
  const references = findReferences(document.getText(), languageOf('plaintext', document.uri.path));
  const found = await Promise.all(references.map(async (one) => wanted.at(document, one)));
  return found.filter((image) => image !== undefined);
};

const labels = (list = arranged.lists.at(-1)): string[] => list?.items.map(({ label }) => label) ?? [];

describe('the list of missing images, as a user in a hurry has it', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  /** Prompts of the images that were asked for. */
  let generated: string[];
  let price: string | undefined;
  /** Has prompts written, by their places. */
  let write: (places: readonly PromptPlace[], take: (index: number, prompt: string) => void) => void;

  beforeEach(() => {
    folder = temporaryFolder('hurried');
    arranged.root = folder.path;
    arranged.messages.length = 0;
    arranged.lists.length = 0;
    arranged.answers.length = 0;
    generated = [];
    price = undefined;
    write = () => assert.fail();
  });

  afterEach(() => folder.remove());

  /** Runs the command for the whole workspace, and presses Enter, or what is arranged. */
  const run = async (): Promise<void> => {
    const log = { error: assert.fail, warn() {}, info() {}, debug() {} };
    const parts: unknown = [
      { referencesIn },
      { wantedIn },
      { folder: () => 'images' },
      log,
      new ImageIndex(),
    ];
    assert.ok(areParts(parts));
    const search = new WorkspaceSearch(...parts);
    const services: unknown = [
      async () => ({
        wantedInWorkspace: async (title: string) => proposalsOf(await search.run(title), 'missing'),
      }),
      { get: async () => ({ store: { standing: () => undefined } }) },
      {
        withStyle: async (image: unknown) => image,
        runText: (all: readonly unknown[]) => price && `${all.length} × ${price}`,
        makeAll: async (_: string, all: readonly { given: { prompt: string } }[]) =>
          void generated.push(...all.map(({ given }) => given.prompt)),
      },
      {},
      log,
      {
        isReady: async () => true,
        forPlaces: async (...asked: Parameters<typeof write>) => write(...asked),
      },
    ];
    assert.ok(areServices(services));
    await new MakeWanted(...services).inWorkspace(missingTexts);
  };

  it('has nothing selected above 20 images, and all of 20', async () => {
    put({ 'page.md': images(20) });
    await run();
    assert.equal(generated.length, 20);
    put({ 'page.md': images(21) });
    await run();
    assert.deepEqual(arranged.lists.at(-1)?.selectedItems, []);
  });

  it('has no logos, screenshots, diagrams, or spacers selected, and what has no prompt', async () => {
    put({
      'page.html': [
        '<img src="companyLogo2.png" alt="Our company"><img src="a.png" alt="Screenshot of the settings">',
        '<img src="b.png" alt="QR code"><img src="c.png" alt="Architekturdiagramm"><img src="d.png" alt="Sequence diagram">',
        '<img src="favicon-32x32.png"><img src="e.png" alt="Dots" width="1" height="1"><img src="spacer.png">',
        '<img src="f.png"><img src="g.png" alt="A red boat"><img src="h.png" alt="Capture d’écran">',
      ].join('\n'),
    });
    await run();
    assert.deepEqual(generated, ['A red boat']);
  });

  it('has no images of tests, samples, and others’ work', async () => {
    const left = [
      'test',
      '__tests__',
      'e2e',
      'spec',
      'testdata',
      'src/__fixtures__',
      '__image_snapshots__',
      'integration-tests',
      'Examples',
    ];
    const foreign = ['vendor', 'third_party', 'third-party', 'bower_components', 'ios/Pods', 'dist', '_site'];
    put(Object.fromEntries([...left, ...foreign].map((name) => [`${name}/page.md`, images(1)])));
    put({ 'docs/testimonials/page.md': images(1), 'docs/latest/page.md': images(1) });
    await run();
    const groups = labels().filter((label) => label.endsWith('/'));
    assert.deepEqual(groups, ['docs/latest/', 'docs/testimonials/']);
  });

  it('is grouped by folders, and has nothing selected where most images do not exist', async () => {
    put({
      'b/page.md': `${images(5)}\n![](there.png)`,
      'b/there.png': 'an image',
      'a/one.md': '![A pond](pond.png)',
      'a/two.md': '![A heron](heron.png)',
    });
    await run();
    assert.deepEqual(labels().slice(0, 4), [
      'a/',
      'a/pond.png',
      'a/heron.png',
      "b/ – another folder? Most of its images don't exist.",
    ]);
    assert.deepEqual(generated, ['A pond', 'A heron']);
  });

  it('tells what all of it would cost', async () => {
    price = '4 ct';
    put({ 'page.md': images(21) });
    await run();
    assert.match(arranged.lists.at(-1)?.title ?? '', /all: 21 × 4 ct$/u);
  });

  const empty = '<p>Herons stand in the pond.</p><img src="1.png"><img src="2.png">';

  it('has a language model write the prompts that are empty, from the text around them', async () => {
    put({ 'page.html': empty });
    arranged.answers.push('press', 'dismiss');
    write = (places, take) => {
      assert.ok(places.every(({ around }) => around.includes('Herons stand')));
      take(0, 'A heron');
    };
    await run();
    const details = arranged.lists.map(({ items }) => items.flatMap(({ detail }) => detail ?? []));
    assert.deepEqual(details, [
      ['No prompt yet', 'No prompt yet'],
      ['A heron', 'No prompt yet'],
    ]);
    assert.deepEqual(generated, []);
  });

  it('stays as it is where the language model is not to write, or fails', async () => {
    put({ 'page.html': empty });
    arranged.answers.push('press', 'dismiss');
    write = () => {
      throw new CancellationError();
    };
    await run();
    assert.equal(arranged.lists.length, 2);
    assert.deepEqual(labels(), labels(arranged.lists[0]));
  });

  it('has images that were elsewhere until their folder was deleted outside of the window', async () => {
    put({ 'page.md': '![A pond](/img/pond.png)\n', 'site/files/img/pond.png': 'an image' });
    const index = new ImageIndex();
    const root = Uri.file(arranged.root);
    assert.equal((await index.filesLike(root, '/img/pond.png')).length, 1);
    rmSync(join(arranged.root, 'site'), { recursive: true });
    assert.deepEqual(await index.filesLike(root, '/img/pond.png'), []);
    await run();
    assert.deepEqual(generated, ['A pond']);
  });
});

/** They are as much of the window's as this needs. */
function areServices(value: unknown): value is ConstructorParameters<typeof MakeWanted> {
  return Array.isArray(value);
}

function areParts(value: unknown): value is ConstructorParameters<typeof WorkspaceSearch> {
  return Array.isArray(value);
}
