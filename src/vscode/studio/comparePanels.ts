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
import { refuse } from '../ask/refusal.ts';
import { nameOf, readOwn, statOf } from '../window/files.ts';
import { compareViewType } from '../window/names.ts';
import { InputWatch } from './inputWatch.ts';
import { StudioImages } from './studioImages.ts';
import { studioPage } from './studioPage.ts';

/** A version of an image, which may be one that only Git has. */
export interface ImageVersion {
  uri: vscode.Uri;
  /** What tells it from the other one. */
  name: string;
}

/** Files up to this size may be pointers of Git LFS, in bytes. */
const longestPointer = 1024;

/** Tabs that compare two images each: any number of them, beside other editors. */
export class ComparePanels {
  readonly #context: vscode.ExtensionContext;
  /** By their versions. */
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
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
    await isSameFile(before, after);
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(compareViewType, titleOf(versions), column);
    await this.#fill(panel, versions);
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

  async #fill(panel: vscode.WebviewPanel, versions: ComparedVersions): Promise<void> {
    const { extensionUri, globalStorageUri, storageUri = globalStorageUri } = this.#context;
    const images = new StudioImages(panel.webview, extensionUri, [globalStorageUri, storageUri]);
    panel.iconPath = new vscode.ThemeIcon('compare-changes');
    panel.webview.options = { enableScripts: true, localResourceRoots: images.roots };
    const key = JSON.stringify(versions);
    let page = 0;
    const setPage = async (): Promise<void> => {
      const current = ++page;
      const comparison = await comparisonOf(images, versions);
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
    const watch = new InputWatch(() => void setPage());
    watch.watch([versions.before, versions.after].map(({ uri }) => vscode.Uri.parse(uri)));
    this.#open.set(key, panel);
    panel.onDidDispose(() => {
      watch.dispose();
      this.#open.delete(key);
    });
    await setPage();
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

/** Looks at two images as they are now. */
async function comparisonOf(images: StudioImages, versions: ComparedVersions): Promise<Comparison> {
  const [before, after] = [versionOf(versions.before), versionOf(versions.after)];
  const title = nameOf(after.uri);
  const shown = { title, isSameFile: false, versions };
  try {
    const isSame = await isSameFile(before, after);
    const [beforeUrl = '', afterUrl = ''] = await Promise.all([
      images.url(before.uri),
      images.url(after.uri),
    ]);
    return {
      ...shown,
      isSameFile: isSame,
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

/**
 * Whether two images have the same bytes.
 *
 * @throws LimnerError `invalid_request` for one that is not there, `unsupported_image` for a pointer of Git LFS
 */
async function isSameFile(before: ImageVersion, after: ImageVersion): Promise<boolean> {
  const [one, other] = await Promise.all([sizeOf(before), sizeOf(after)]);
  if (one !== other) {
    return false;
  }
  const [bytes, others] = await Promise.all([readOwn(before.uri), readOwn(after.uri)]);
  return Buffer.compare(bytes, others) === 0;
}

async function sizeOf({ uri, name }: ImageVersion): Promise<number> {
  const stat = await statOf(uri);
  if (!stat) {
    throw refuse('invalid_request', l10n.t('{0} ({1}) was not found.', nameOf(uri), name));
  }
  const { size } = stat;
  const start = size > 0 && size <= longestPointer ? await readOwn(uri) : new Uint8Array();
  if (/^version \S*git-lfs\S*\/spec\//u.test(Buffer.from(start).toString('latin1'))) {
    throw refuse(
      'unsupported_image',
      l10n.t(
        '{0} ({1}) is a pointer of Git LFS: Git has no image for it here. Run "git lfs pull" to get the images of the working tree.',
        nameOf(uri),
        name,
      ),
    );
  }
  return size;
}
