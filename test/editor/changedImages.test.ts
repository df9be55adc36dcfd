import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** How many pictures of each format there are. */
const each = 40;

/** A bitmap of one color, of one row. */
function bitmap(width: number, red: number): Buffer {
  const row = Math.ceil((3 * width) / 4) * 4;
  const file = Buffer.alloc(54 + row, red);
  file.fill(0, 0, 54).write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  [40, width, 1].forEach((value, index) => file.writeUInt32LE(value, 14 + 4 * index));
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

/** An icon that is a PNG image. */
function icon(png: Buffer, side: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.fill(side, 6, 8);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
}

/** Returns a picture in each format. */
async function pictures(index: number, side: number): Promise<Record<string, Buffer>> {
  const background = { r: (index * 3) % 256, g: side, b: 90 };
  const made = sharp({ create: { width: side, height: side, channels: 3, background } });
  const png = await made.clone().png().toBuffer();
  return {
    png,
    jpg: await made.clone().jpeg().toBuffer(),
    webp: await made.clone().webp().toBuffer(),
    gif: await made.clone().gif().toBuffer(),
    avif: await made.clone().avif({ effort: 0 }).toBuffer(),
    bmp: bitmap(side, background.r),
    ico: icon(png, side),
    svg: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><desc>${index}</desc></svg>`,
    ),
  };
}

/** Counts the rows by what became of their images. */
function counts({ items }: vscode.QuickPick<vscode.QuickPickItem>): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { description = '' } of items) {
    const [state = ''] = /modified|added|deleted|renamed/u.exec(description) ?? [];
    found[state] = (found[state] ?? 0) + 1;
  }
  return found;
}

describe('hundreds of changed pictures', () => {
  const { path: root, remove } = temporaryFolder('changed-images');
  const { showQuickPick, createQuickPick, createWebviewPanel } = vscode.window;
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Fox', '-c', 'user.email=fox@example.com', ...words], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  const commit = (message: string): void => {
    git('add', '-A');
    git('commit', '-qm', message);
  };
  const accepted = new vscode.EventEmitter<void>();
  const answers: RegExp[] = [];
  const lists: vscode.QuickPick<vscode.QuickPickItem>[] = [];
  let ask: (request: unknown) => unknown;
  let tab: vscode.WebviewPanel | undefined;

  async function draw(side: number): Promise<void> {
    for (let index = 0; index < each; index++) {
      const folder = join(root, `set ${index % 5}`);
      mkdirSync(folder, { recursive: true });
      for (const [extension, bytes] of Object.entries(await pictures(index, side))) {
        writeFileSync(join(folder, `${index}.${extension}`), bytes);
      }
    }
  }

  /** Opens the list of changes that the answers lead to. */
  async function list(...words: readonly RegExp[]): Promise<{
    picked: vscode.QuickPick<vscode.QuickPickItem>;
    done: Thenable<unknown>;
  }> {
    answers.push(...words);
    const before = lists.length;
    const done = vscode.commands.executeCommand(commands.compareChangedImages, {
      rootUri: vscode.Uri.file(root),
    });
    const picked = await eventually(
      `the list of ${words.map(String).join(', ')}`,
      async () => Promise.resolve(lists[before]),
      (one) => (one?.items.length ?? 0) > 0,
    );
    assert.ok(picked);
    return { picked, done };
  }

  before(async function () {
    if (spawnSync('git', ['--version']).error) {
      this.skip();
    }
    git('init', '-q', '-b', 'main');
    await draw(20);
    const extension = vscode.extensions.getExtension<{
      getAPI(version: 1): { openRepository(folder: vscode.Uri): Promise<unknown> };
    }>('vscode.git');
    await (await extension?.activate())?.getAPI(1).openRepository(vscode.Uri.file(root));
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
        const answer = answers.shift();
        return Promise.resolve(items.find(({ label }) => answer?.test(label)));
      },
      createQuickPick: () => {
        const picked = createQuickPick();
        // Whatever is drawn meanwhile, Enter means the row that the test chose.
        Object.defineProperty(picked, 'onDidAccept', { value: accepted.event });
        lists.push(picked);
        return picked;
      },
      createWebviewPanel: (...passed: Parameters<typeof createWebviewPanel>) => {
        const panel = createWebviewPanel(...passed);
        tab = panel;
        const { onDidReceiveMessage } = panel.webview;
        Object.defineProperty(panel.webview, 'onDidReceiveMessage', {
          value: (listener: (request: unknown) => unknown) => {
            ask = listener;
            return onDidReceiveMessage(listener);
          },
        });
        return panel;
      },
    });
  });
  after(async () => {
    Object.assign(vscode.window, { showQuickPick, createQuickPick, createWebviewPanel });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    remove();
  });

  it('are listed before and of the first commit, which has nothing to compare them with', async () => {
    git('add', '-A');
    const { picked, done } = await list(/^Working Tree$/u);
    assert.deepEqual(counts(picked), { added: 8 * each });
    picked.hide();
    await done;
    commit('Draw');
    const first = await list(/^Commit…$/u, /^Draw$/u);
    assert.deepEqual(counts(first.picked), { added: 8 * each });
    first.picked.hide();
    await first.done;
  });

  it('have thumbnails in every format, and say how they changed', async function () {
    this.timeout(240_000);
    await draw(24);
    for (let index = 0; index < 10; index++) {
      rmSync(join(root, `set ${index % 5}`, `${index}.png`));
    }
    git('checkout', '-q', 'set 0/15.webp', 'set 1/11.jpg');
    git('mv', 'set 0/15.webp', 'moved.webp');
    writeFileSync(join(root, 'set 1/11.bmp'), bitmap(20, 12));
    writeFileSync(join(root, 'added.gif'), (await pictures(3, 9))['gif'] ?? '');
    const { picked, done } = await list(/^Working Tree$/u);
    await eventually(
      'all thumbnails',
      async () => Promise.resolve(picked.items.filter(({ iconPath }) => !(iconPath instanceof vscode.Uri))),
      (without) => without.length === 0,
    );
    assert.deepEqual(counts(picked), { modified: 8 * each - 12, deleted: 10, added: 1, renamed: 1 });
    const told = new Map(picked.items.map(({ label, description }) => [label, description]));
    for (const extension of ['png', 'jpg', 'webp', 'gif', 'avif', 'ico', 'svg']) {
      assert.equal(told.get(`12.${extension}`), 'set 2 · modified · 20 × 20 → 24 × 24');
    }
    assert.equal(told.get('11.bmp'), 'set 1 · modified · 1 KB → 1 KB');
    assert.equal(told.get('moved.webp'), 'renamed from 15.webp · 0% of the pixels');
    assert.equal(told.get('0.png'), 'set 0 · deleted');
    assert.equal(told.get('added.gif'), 'added');
    const at = picked.items.findIndex(({ label }) => label === '12.avif');
    picked.activeItems = picked.items.slice(at, at + 1);
    accepted.fire();
    await done;
    assert.match(tab?.title ?? '', /^12\.avif \(HEAD \w{7} ↔ Working Tree\)$/u);
    const seen = new Set<string>();
    for (let step = 0; step < picked.items.length; step++) {
      await ask({ kind: 'step', by: 1 });
      seen.add(tab?.title ?? '');
    }
    assert.equal(seen.size, picked.items.length);
    assert.match(tab?.title ?? '', /^12\.avif /u);
  });

  it('are those of a branch since it left another one', async () => {
    // Another branch leaves from the same commit, without its files in the working tree.
    git('branch', 'other', git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'Draw another one'));
    commit('Draw again');
    const { picked, done } = await list(/^Branches…$/u, /^main$/u, /^other$/u);
    assert.deepEqual(counts(picked), { modified: 8 * each - 12, deleted: 10, added: 1, renamed: 1 });
    picked.hide();
    await done;
  });
});
