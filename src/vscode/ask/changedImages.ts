import { writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sizeText } from '../../common/text.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import type { Engine } from '../../engine/run/engine.ts';
import { sizeIn } from '../../images/formats/dimensions.ts';
import { sniffImage, sniffOther } from '../../images/formats/sniff.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import type { ChangedImage, ChangedImages } from './gitChanges.ts';
import type { GitVersion } from './gitVersions.ts';
import { LateRows } from './lateRows.ts';
import { bytesOf, type Keep, sizeOf } from './versionFiles.ts';

/** The largest file that is looked at, and the largest that VS Code shrinks to an icon itself, in bytes. */
const maxFileSize = 32 * 1024 * 1024;
const maxIconSize = 4 * 1024 * 1024;

/** Where the bytes of versions are. */
export interface VersionFiles {
  /** Returns the file with the bytes of a version, as `fileOf` does. */
  fileOf: (version: GitVersion) => Promise<vscode.Uri | undefined>;
  keep: Keep;
}

interface ImagePick extends vscode.QuickPickItem {
  image: ChangedImage;
}

/** A version that was read. */
interface ReadVersion {
  file: vscode.Uri;
  bytes: Uint8Array;
}

/**
 * Lists images that changed until the user leaves. Looks at one after the other, the active one first, and draws what it
 * finds.
 *
 * @returns which one was chosen
 * @throws vscode.CancellationError when the user chooses none
 */
export async function pickChanged(
  engine: EngineHost,
  { name, root, images }: ChangedImages,
  files: VersionFiles,
): Promise<number> {
  const input = vscode.window.createQuickPick<ImagePick>();
  const rows = images.map((image): ImagePick => ({
    label: plainText(nameOf(image.after.uri)),
    description: description(image, root),
    iconPath: new vscode.ThemeIcon('file-media'),
    image,
  }));
  const late = new LateRows(input, rows);
  input.title = l10n.t('Changed Images: {0}', name);
  input.placeholder = l10n.t('Select an image to compare its versions, and to step through all from there');
  input.matchOnDescription = true;
  try {
    return await new Promise<number>((resolve, reject) => {
      input.onDidAccept(() => {
        const chosen = input.activeItems[0];
        if (chosen) {
          resolve(rows.indexOf(chosen));
        }
      });
      input.onDidHide(() => reject(new vscode.CancellationError()));
      input.show();
      void late.lookAtAll(async ({ image }) => lookAt(await engine.get(), image, root, files));
    });
  } finally {
    late.dispose();
    input.dispose();
  }
}

/** Says where an image is, and how it changed. @param found what was found out of that */
function description(image: ChangedImage, root: vscode.Uri, found = ''): string {
  const { path } = image.conflict ?? image.after.uri;
  const folder = path.slice(root.path.length + 1, -nameOf(image.after.uri).length - 1);
  return [plainText(folder), stateText(image), found].filter((part) => part !== '').join(' · ');
}

function stateText({ what, before }: ChangedImage): string {
  switch (what) {
    case 'changed':
      return l10n.t('modified');
    case 'renamed':
      return l10n.t('renamed from {0}', plainText(nameOf(before.uri)));
    case 'added':
      return l10n.t('added');
    case 'deleted':
      return l10n.t('deleted');
    case 'conflict':
      return l10n.t('in conflict');
  }
}

/** Looks at both versions of an image. Of one that can't be read, nothing is found. */
async function lookAt(
  engine: Engine,
  image: ChangedImage,
  root: vscode.Uri,
  files: VersionFiles,
): Promise<Partial<ImagePick>> {
  const [old, now] = await Promise.all(
    [image.before, image.after].map(async (version) => readSmall(version, files)),
  );
  const shown = now ?? old;
  const iconPath = shown && (await iconOf(engine, shown, files).catch(() => undefined));
  const found = old && now && (await differenceText(engine, old.bytes, now.bytes));
  return { ...(iconPath && { iconPath }), description: description(image, root, found) };
}

/** @returns undefined for a large file, and for a version that isn't there or can't be read */
async function readSmall(
  version: GitVersion,
  { fileOf }: Pick<VersionFiles, 'fileOf'>,
): Promise<ReadVersion | undefined> {
  try {
    const file = await fileOf(version);
    const size = file && (await sizeOf(file));
    return file && size !== undefined && size <= maxFileSize
      ? { file, bytes: await bytesOf(file) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a thumbnail, or a copy of an image that only VS Code itself can shrink. */
async function iconOf(
  { thumbnails }: Pick<Engine, 'thumbnails'>,
  { file, bytes }: ReadVersion,
  { keep }: Pick<VersionFiles, 'keep'>,
): Promise<vscode.Uri | undefined> {
  if (sniffImage(bytes)) {
    const path = file.scheme === 'file' ? await thumbnails.of(file.fsPath) : undefined;
    return path === undefined ? undefined : vscode.Uri.file(path);
  }
  const { extension } = sniffOther(bytes) ?? {};
  // A window shows files of any format only where extensions keep theirs.
  return extension !== undefined && bytes.length <= maxIconSize
    ? keep(`${hashOf(bytes)}.${extension}`, async (path) => writeFile(path, bytes))
    : undefined;
}

/** Says how much of the pixels changed, or how the size did where they can't be counted. */
async function differenceText(engine: Engine, old: Uint8Array, now: Uint8Array): Promise<string> {
  if (Buffer.compare(old, now) === 0) {
    return percentText(0);
  }
  const [before, after] = [sizeIn(old), sizeIn(now)];
  if (sniffImage(old) && sniffImage(now)) {
    try {
      const pixels = await (await engine.codecs()).changedPixels(old, now);
      return pixels.changed === undefined
        ? l10n.t('{0} → {1}', sizeText(pixels.before), sizeText(pixels.after))
        : percentText(pixels.changed / (pixels.after.width * pixels.after.height));
    } catch {
      // They are damaged, or too large to be counted for a list.
    }
  }
  return before && after && (before.width !== after.width || before.height !== after.height)
    ? l10n.t('{0} → {1}', sizeText(before), sizeText(after))
    : l10n.t('{0} KB → {1} KB', ...[old, now].map(({ length }) => numberText(Math.ceil(length / 1024))));
}

/** @param share of all pixels: only none and all are 0% and 100% */
function percentText(share: number): string {
  const percent = Number.isInteger(share) ? 100 * share : Math.min(Math.max(100 * share, 0.1), 99.9);
  return l10n.t('{0}% of the pixels', numberText(percent));
}

function numberText(value: number): string {
  return value.toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });
}
