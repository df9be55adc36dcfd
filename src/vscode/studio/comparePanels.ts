import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isLimnerError } from '../../common/limnerError.ts';
import { spokenLanguage } from '../../engine/messages/language.ts';
import {
  type ComparedVersions,
  comparedVersions,
  type Comparison,
} from '../../studio/protocol/comparison.ts';
import { fileOf, type Keep } from '../ask/versionFiles.ts';
import { nameOf, readOwn, statOf } from '../window/files.ts';
import { compareViewType } from '../window/names.ts';
import { InputWatch } from './inputWatch.ts';
import { ShownFiles, StudioImages } from './studioImages.ts';
import { studioPage } from './studioPage.ts';

/** A version of an image, which may be one that only Git has. */
export interface ImageVersion {
  uri: vscode.Uri;
  /** What tells it from the other one. */
  name: string;
}

/** Tabs that compare two images each: any number of them, beside other editors. */
export class ComparePanels {
  readonly #context: vscode.ExtensionContext;
  /** By their versions. */
  readonly #open = new Map<string, vscode.WebviewPanel>();
  readonly #filesOf: FilesOf;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
    const kept = new ShownFiles(context.globalStorageUri);
    const keep: Keep = async (name, write) => kept.keep(name, write);
    this.#filesOf = async (before, after) => Promise.all([fileOf(before, keep), fileOf(after, keep)]);
  }

  /**
   * Shows two images in a tab, or the tab that shows them already.
   *
   * @throws LimnerError `invalid_request` for one that is not there, `unsupported_image` for a pointer of Git LFS
   */
  async show(before: ImageVersion, after: ImageVersion): Promise<void> {
    const versions = { before: keptOf(before), after: keptOf(after) };
    const open = this.#open.get(JSON.stringify(versions));
    if (open) {
      open.reveal();
      return;
    }
    const files = await this.#filesOf(before, after);
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(compareViewType, titleOf(versions), column);
    await this.#fill(panel, versions, files);
  }

  /** Fills a tab from before a reload. */
  async restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const versions = v.safeParse(comparedVersions, kept);
    if (versions.success) {
      await this.#fill(panel, versions.output);
    } else {
      panel.dispose();
    }
  }

  /** @param files of both versions, if they were just looked up */
  async #fill(
    panel: vscode.WebviewPanel,
    versions: ComparedVersions,
    files?: [vscode.Uri, vscode.Uri],
  ): Promise<void> {
    const { extensionUri, globalStorageUri, storageUri = globalStorageUri } = this.#context;
    const images = new StudioImages(panel.webview, extensionUri, [globalStorageUri, storageUri]);
    panel.iconPath = new vscode.ThemeIcon('compare-changes');
    panel.webview.options = { enableScripts: true, localResourceRoots: images.roots };
    const key = JSON.stringify(versions);
    let page = 0;
    const setPage = async (filesOf: FilesOf): Promise<void> => {
      const current = ++page;
      const comparison = await comparisonOf(images, filesOf, versions);
      if (current === page && this.#open.get(key) === panel) {
        panel.webview.html = studioPage({
          script: images.codeUrl('studio.js'),
          style: images.codeUrl('studio.css'),
          cspSource: panel.webview.cspSource,
          nonce: randomBytes(16).toString('base64'),
          language: vscode.env.language,
          title: panel.title,
          data: { comparison, texts: spokenLanguage().texts },
        });
      }
    };
    const watch = new InputWatch(() => void setPage(this.#filesOf));
    watch.watch([versions.before, versions.after].map(({ uri }) => vscode.Uri.parse(uri)));
    this.#open.set(key, panel);
    panel.onDidDispose(() => {
      watch.dispose();
      this.#open.delete(key);
    });
    await setPage(files ? async () => Promise.resolve(files) : this.#filesOf);
  }
}

function keptOf({ uri, name }: ImageVersion): ComparedVersions['before'] {
  return { uri: uri.toString(), name };
}

function versionOf({ uri, name }: ComparedVersions['before']): ImageVersion {
  return { uri: vscode.Uri.parse(uri), name };
}

function titleOf({ before, after }: ComparedVersions): string {
  return l10n.t('{0} ({1} ↔ {2})', nameOf(versionOf(after).uri), before.name, after.name);
}

/** Returns the files with the bytes of two versions. */
type FilesOf = (...versions: [ImageVersion, ImageVersion]) => Promise<[vscode.Uri, vscode.Uri]>;

/** Looks at two images as they are now. */
async function comparisonOf(
  images: StudioImages,
  filesOf: FilesOf,
  versions: ComparedVersions,
): Promise<Comparison> {
  const [before, after] = [versionOf(versions.before), versionOf(versions.after)];
  const title = nameOf(after.uri);
  const shown = { title, isSameFile: false, versions };
  try {
    const [one, other] = await filesOf(before, after);
    const [isSameFile, beforeUrl = '', afterUrl = ''] = await Promise.all([
      hasSameBytes(one, other),
      images.url(one),
      images.url(other),
    ]);
    return {
      ...shown,
      isSameFile,
      before: { url: beforeUrl, name: before.name },
      after: { url: afterUrl, name: after.name },
    };
  } catch (error) {
    if (!isLimnerError(error)) {
      throw error;
    }
    const nothing = { url: '', name: '' };
    return { ...shown, before: nothing, after: nothing, problem: error.message };
  }
}

async function hasSameBytes(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
  const [size, otherSize] = (await Promise.all([statOf(one), statOf(other)])).map((stat) => stat?.size);
  if (size !== otherSize) {
    return false;
  }
  const [bytes, others] = await Promise.all([readOwn(one), readOwn(other)]);
  return Buffer.compare(bytes, others) === 0;
}
