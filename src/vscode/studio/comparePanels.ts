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
  comparisonRequest,
  type ComparisonRequest,
  type ShownVersion,
} from '../../studio/protocol/comparison.ts';
import { type ConflictSides, GitFile } from '../ask/gitVersions.ts';
import { reported } from '../ask/refusal.ts';
import { fileOf } from '../ask/versionFiles.ts';
import { nameOf, readOwn, statOf } from '../window/files.ts';
import { compareViewType } from '../window/names.ts';
import { plainText } from '../window/plainText.ts';
import { InputWatch } from './inputWatch.ts';
import { ShownFiles, StudioImages } from './studioImages.ts';
import { studioPage } from './studioPage.ts';

/** A version of an image, which may be one that only Git has. */
export interface ImageVersion {
  uri: vscode.Uri;
  /** What tells it from the other one. */
  name: string;
}

/** Two versions to compare. */
export interface ImagePair {
  before: ImageVersion;
  after: ImageVersion;
  /** The file in conflict whose sides these are. */
  conflict?: vscode.Uri;
}

type FileOf = (version: ImageVersion) => Promise<vscode.Uri>;

/** Tabs that compare two images each: any number of them, beside other editors. */
export class ComparePanels {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  /** Returns the file with the bytes of a version, as `fileOf` does. */
  readonly fileOf: FileOf;
  readonly #open = new Set<CompareTab>();

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    const kept = new ShownFiles(context.globalStorageUri);
    this.fileOf = async (version) => fileOf(version, async (name, write) => kept.keep(name, write));
  }

  /**
   * Shows two images in a tab, or the tab that shows them already.
   *
   * @throws LimnerError `invalid_request` for one that is not there, `unsupported_image` for a pointer of Git LFS
   */
  async show(before: ImageVersion, after: ImageVersion): Promise<void> {
    const versions = keptPair({ before, after });
    if (!this.#reveal(versions)) {
      await Promise.all([this.fileOf(before), this.fileOf(after)]);
      await this.#create(versions);
    }
  }

  /** Shows the sides of a file in conflict, in a tab that resolves it. */
  async showConflict(conflict: vscode.Uri, { base, ours, theirs }: ConflictSides): Promise<void> {
    const [before, after] = [ours ?? base, theirs ?? base];
    if (before && after) {
      const versions = keptPair({ before, after, conflict });
      await (this.#reveal(versions) || this.#create(versions));
    }
  }

  /** Shows one of a list of comparisons in a tab that steps through all of them. */
  async showList(list: readonly ImagePair[], at: number): Promise<void> {
    const all = list.map(keptPair);
    const chosen = all[at];
    await (chosen && this.#create(chosen, all));
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

  #reveal(versions: ComparedVersions): boolean {
    const tab = [...this.#open].find((one) => one.shows(versions));
    tab?.panel.reveal();
    return tab !== undefined;
  }

  async #create(versions: ComparedVersions, list?: ComparedVersions[]): Promise<void> {
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(compareViewType, titleOf(versions), column);
    await this.#fill(panel, versions, list);
  }

  async #fill(
    panel: vscode.WebviewPanel,
    versions: ComparedVersions,
    list?: ComparedVersions[],
  ): Promise<void> {
    const { extensionUri, globalStorageUri, storageUri = globalStorageUri } = this.#context;
    const images = new StudioImages(panel.webview, extensionUri, [globalStorageUri, storageUri]);
    const tab = new CompareTab(panel, images, this.fileOf, this.#log, list);
    this.#open.add(tab);
    panel.onDidDispose(() => this.#open.delete(tab));
    await tab.show(versions);
  }
}

/** A tab of two images, which may be one of a list, or the sides of a conflict. */
class CompareTab {
  readonly panel: vscode.WebviewPanel;
  readonly #images: StudioImages;
  readonly #fileOf: FileOf;
  readonly #list: ComparedVersions[];
  readonly #watch = new InputWatch(() => void this.#update());
  #versions: ComparedVersions | undefined;
  /** How often it was asked to look at the images. */
  #looks = 0;
  /** Whether the page was given a comparison that VS Code doesn't give it again. */
  #isLater = false;
  #isClosed = false;

  constructor(
    panel: vscode.WebviewPanel,
    images: StudioImages,
    ofVersion: FileOf,
    log: vscode.LogOutputChannel,
    list: ComparedVersions[] = [],
  ) {
    this.panel = panel;
    this.#images = images;
    this.#fileOf = ofVersion;
    this.#list = list;
    panel.iconPath = new vscode.ThemeIcon('compare-changes');
    panel.webview.options = { enableScripts: true, localResourceRoots: images.roots };
    panel.webview.onDidReceiveMessage(async (message: unknown) => {
      const request = v.safeParse(comparisonRequest, message);
      await (request.success && reported(log, async () => this.#answer(request.output)));
    });
    panel.onDidDispose(() => {
      this.#isClosed = true;
      this.#watch.dispose();
    });
  }

  shows(versions: ComparedVersions): boolean {
    return JSON.stringify(versions) === JSON.stringify(this.#versions);
  }

  async show(versions: ComparedVersions): Promise<void> {
    const at = this.#versions ? this.#list.indexOf(this.#versions) : -1;
    if (at !== -1 && !this.#list.includes(versions)) {
      this.#list[at] = versions;
    }
    this.#versions = versions;
    this.panel.title = titleOf(versions);
    this.#watch.watch([versions.before, versions.after].map(({ uri }) => vscode.Uri.parse(uri)));
    await this.#update();
  }

  /** Shows the images as they are now. A page that is there already keeps its focus. */
  async #update(): Promise<void> {
    const look = ++this.#looks;
    const versions = this.#versions;
    const comparison = versions && (await this.#look(versions));
    if (!comparison || this.#isClosed || look !== this.#looks) {
      return;
    }
    const { webview, title } = this.panel;
    if (webview.html === '') {
      webview.html = studioPage({
        script: this.#images.codeUrl('compare.js'),
        style: this.#images.codeUrl('studio.css'),
        cspSource: webview.cspSource,
        nonce: randomBytes(16).toString('base64'),
        language: vscode.env.language,
        title,
        data: { comparison, texts: spokenLanguage().texts },
      });
    } else {
      this.#isLater = true;
      // A page that isn't loaded takes it much later, or never: it asks once it is.
      void webview.postMessage(comparison);
    }
  }

  async #look(versions: ComparedVersions): Promise<Comparison> {
    const comparison = await comparisonOf(this.#images, this.#fileOf, versions);
    const at = this.#list.indexOf(versions);
    return at === -1 ? comparison : { ...comparison, place: { at, of: this.#list.length } };
  }

  async #answer(request: ComparisonRequest): Promise<void> {
    const versions = this.#versions;
    switch (request.kind) {
      case 'opened':
        return this.#isLater ? this.#update() : undefined;
      case 'show':
        return this.show({ ...versions, before: request.before, after: request.after });
      case 'step': {
        const at = versions ? this.#list.indexOf(versions) + request.by : 0;
        const next = this.#list.at(at % this.#list.length);
        return next && this.show(next);
      }
      case 'take':
        return versions?.conflict === undefined
          ? undefined
          : this.#take(vscode.Uri.parse(versions.conflict), request.side);
    }
  }

  async #take(file: vscode.Uri, side: 'ours' | 'theirs'): Promise<void> {
    const git = await GitFile.open(file);
    await git.take(side, async (version) => readOwn(await this.#fileOf(version)));
    void vscode.window.showInformationMessage(
      side === 'ours'
        ? l10n.t('{0} has your side of the conflict, and is staged.', plainText(nameOf(file)))
        : l10n.t('{0} has the other side of the conflict, and is staged.', plainText(nameOf(file))),
    );
    await this.show(keptPair({ before: git.head(), after: git.staged() }));
  }
}

function keptPair({ before, after, conflict }: ImagePair): ComparedVersions {
  return {
    before: keptOf(before),
    after: keptOf(after),
    ...(conflict && { conflict: conflict.toString() }),
  };
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
async function comparisonOf(
  images: StudioImages,
  ofVersion: FileOf,
  versions: ComparedVersions,
): Promise<Comparison> {
  const problems: string[] = [];
  const orProblem = async <T>(make: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await make();
    } catch (error) {
      if (!isLimnerError(error)) {
        throw error;
      }
      problems.push(error.message);
      return undefined;
    }
  };
  const [before, after] = [versionOf(versions.before), versionOf(versions.after)];
  const conflict = await orProblem(async () => sidesOf(versions));
  const [one, other] = await Promise.all(
    [before, after].map(async (version) => orProblem(async () => ofVersion(version))),
  );
  const shown = async (file: vscode.Uri | undefined, name: string): Promise<ShownVersion | undefined> =>
    file && { url: (await images.url(file)) ?? '', name };
  return {
    title: nameOf(after.uri),
    before: await shown(one, before.name),
    after: await shown(other, after.name),
    isSameFile: one !== undefined && other !== undefined && (await hasSameBytes(one, other)),
    ...(problems.length > 0 && { problem: problems.join(' ') }),
    versions,
    ...(conflict && { conflict }),
  };
}

async function sidesOf({ conflict }: ComparedVersions): Promise<Comparison['conflict']> {
  const git = conflict === undefined ? undefined : await GitFile.open(vscode.Uri.parse(conflict));
  const sides = git?.conflict();
  return sides && Object.fromEntries(Object.entries(sides).map(([side, version]) => [side, keptOf(version)]));
}

async function hasSameBytes(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
  const [size, otherSize] = (await Promise.all([statOf(one), statOf(other)])).map((stat) => stat?.size);
  if (size !== otherSize) {
    return false;
  }
  const [bytes, others] = await Promise.all([readOwn(one), readOwn(other)]);
  return Buffer.compare(bytes, others) === 0;
}
