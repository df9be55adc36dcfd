import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sizeText } from '../../common/text.ts';
import type { ChangedPixels } from '../../images/finish/changedPixels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readOwn, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import type { ChangedImage, ChangedImages } from './gitChanges.ts';
import type { GitVersion } from './gitVersions.ts';

/** The longest side of a thumbnail, in pixels. */
const side = 64;
/** The largest file that is looked at, in bytes. */
const maxFileSize = 32 * 1024 * 1024;
/** How long new findings are gathered before the list is drawn again, in milliseconds. */
const gathering = 100;

type FileOf = (version: GitVersion) => Promise<vscode.Uri>;

interface ImagePick extends vscode.QuickPickItem {
  image: ChangedImage;
}

/** What was found out of an image while its list is open. */
type Findings = Pick<ImagePick, 'iconPath'> & { pixels?: ChangedPixels };

/**
 * Lists images that changed until the user leaves. Looks at one after the other, the active one first, and draws what it
 * finds.
 *
 * @param ofVersion returns the file with the bytes of a version
 * @returns which one was chosen
 * @throws vscode.CancellationError when the user chooses none
 */
export async function pickChanged(
  engine: EngineHost,
  { name, root, images }: ChangedImages,
  ofVersion: FileOf,
): Promise<number> {
  const input = vscode.window.createQuickPick<ImagePick>();
  const found = new Map<ChangedImage, Findings>();
  let drawing: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  const draw = (): void => {
    drawing = undefined;
    const active = input.activeItems[0]?.image;
    input.items = images.map((image) => pickOf(image, root, found.get(image)));
    input.activeItems = active
      ? input.items.filter(({ image }) => image === active)
      : input.items.slice(0, 1);
  };
  const lookAtAll = async (): Promise<void> => {
    const left = new Set(images);
    while (!closing.signal.aborted && left.size > 0) {
      const active = input.activeItems[0]?.image;
      const [first] = left;
      const next = active && left.has(active) ? active : first;
      if (next) {
        left.delete(next);
        found.set(next, await lookAt(engine, next, ofVersion));
        if (!closing.signal.aborted) {
          drawing ??= setTimeout(draw, gathering);
        }
      }
    }
  };
  input.title = l10n.t('Changed Images: {0}', name);
  input.placeholder = l10n.t('Select an image to compare its versions, and to step through all from there');
  input.matchOnDescription = true;
  Object.assign(input, { sortByLabel: false, keepScrollPosition: true });
  draw();
  try {
    return await new Promise<number>((resolve, reject) => {
      input.onDidAccept(() => {
        const chosen = input.activeItems[0];
        if (chosen) {
          resolve(images.indexOf(chosen.image));
        }
      });
      input.onDidHide(() => reject(new vscode.CancellationError()));
      input.show();
      void lookAtAll();
    });
  } finally {
    closing.abort();
    clearTimeout(drawing);
    input.dispose();
  }
}

function pickOf(image: ChangedImage, root: vscode.Uri, findings: Findings = {}): ImagePick {
  const { path } = image.conflict ?? image.after.uri;
  const folder = path.slice(root.path.length + 1, -nameOf(image.after.uri).length - 1);
  return {
    label: plainText(nameOf(image.after.uri)),
    description: [plainText(folder), stateText(image), pixelsText(findings.pixels)]
      .filter((part) => part !== '')
      .join(' · '),
    iconPath: findings.iconPath ?? new vscode.ThemeIcon('file-media'),
    image,
  };
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

function pixelsText(pixels: ChangedPixels | undefined): string {
  if (!pixels) {
    return '';
  }
  const { before, after, changed } = pixels;
  if (changed === undefined) {
    return l10n.t('{0} → {1}', sizeText(before), sizeText(after));
  }
  const whole = after.width * after.height;
  // It is only 0% or 100% if that is exact.
  const percent =
    changed % whole === 0 ? (100 * changed) / whole : Math.min(Math.max((100 * changed) / whole, 0.1), 99.9);
  return l10n.t(
    '{0}% of the pixels',
    percent.toLocaleString(vscode.env.language, { maximumFractionDigits: 1 }),
  );
}

/** Looks at both versions of an image. Of one that can't be read, nothing is found. */
async function lookAt(
  engine: EngineHost,
  { before, after }: ChangedImage,
  ofVersion: FileOf,
): Promise<Findings> {
  try {
    const codecs = await (await engine.get()).codecs();
    const [old, now] = await Promise.all(
      [before, after].map(async (version) => smallFile(version, ofVersion)),
    );
    const shown = now ?? old;
    if (!shown) {
      return {};
    }
    const thumbnail = Buffer.from(await codecs.thumbnail(shown, side)).toString('base64');
    return {
      iconPath: vscode.Uri.parse(`data:image/webp;base64,${thumbnail}`),
      ...(old && now && { pixels: await codecs.changedPixels(old, now) }),
    };
  } catch {
    return {};
  }
}

/** @returns undefined for a large file, and for a version that isn't there */
async function smallFile(version: GitVersion, ofVersion: FileOf): Promise<Uint8Array | undefined> {
  const file = await ofVersion(version).catch(() => undefined);
  const stat = file && (await statOf(file));
  return file && stat && stat.size <= maxFileSize ? readOwn(file) : undefined;
}
