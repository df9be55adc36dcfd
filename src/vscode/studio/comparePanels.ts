import { randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
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
  keptComparison,
  type ShownVersion,
} from '../../studio/protocol/comparison.ts';
import type { VersionFiles } from '../ask/changedImages.ts';
import { type ConflictSides, GitFile } from '../ask/gitVersions.ts';
import { reported } from '../ask/refusal.ts';
import { bytesOf, fileOf, gone, type Keep, sizeOf } from '../ask/versionFiles.ts';
import { nameOf, readOwn } from '../window/files.ts';
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

/** The longest list that a page gives back, in bytes: tens of thousands of comparisons. */
const longestList = 1 << 26;

type FileOf = VersionFiles['fileOf'];

/** Tabs that compare two images each: any number of them, beside other editors. */
export class ComparePanels {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly files: VersionFiles;
  readonly #open = new Set<CompareTab>();

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    const kept = new ShownFiles(context.globalStorageUri);
    const keep: Keep = async (name, write) => kept.keep(name, write);
    this.files = { keep, fileOf: async (version) => fileOf(version, keep) };
  }

  /**
   * Shows two images in a tab, or the tab that shows them already: one image, if Git tells the other version and has none.
   *
   * @throws LimnerError `invalid_request` for one that is not there, `unsupported_image` for a pointer of Git LFS
   */
  async show(before: ImageVersion, after: ImageVersion): Promise<void> {
    const versions = keptPair({ before, after });
    if (!this.#reveal(versions)) {
      const files = await Promise.all([before, after].map(this.files.fileOf));
      const missing = [before, after].filter((_, index) => !files[index]);
      if (missing[0] && (missing[1] || !areOfGit(versions))) {
        throw gone(missing[0]);
      }
      await this.#create(versions);
    }
  }

  /** Shows the sides of a file in conflict, in a tab that resolves it. */
  async showConflict(conflict: vscode.Uri, { base, ours, theirs }: ConflictSides): Promise<void> {
    const [before, after] = [ours ?? base ?? theirs, theirs ?? base ?? ours];
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
    const parsed = v.safeParse(keptComparison, kept);
    if (!parsed.success) {
      panel.dispose();
      return;
    }
    const { place, ...versions } = parsed.output;
    const { at = 0, list } = place ?? {};
    const all = list === undefined ? undefined : unpacked(list);
    await this.#fill(panel, versions, all?.[at] && all.with(at, versions));
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
    const tab = new CompareTab(panel, images, this.files.fileOf, this.#log, list);
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
  /** The list as the page keeps it for the time after a reload; empty until it is needed. */
  #packed = '';
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
      this.#packed = '';
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
    if (at === -1) {
      return comparison;
    }
    this.#packed ||= packed(this.#list);
    return { ...comparison, place: { at, of: this.#list.length, list: this.#packed } };
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
    const isThere = git.conflict()?.[side] !== undefined;
    await git.take(side, async (version) => {
      const bytes = await this.#fileOf(version);
      if (!bytes) {
        throw gone(version);
      }
      return readOwn(bytes);
    });
    void vscode.window.showInformationMessage(takenText(plainText(nameOf(file)), side, isThere));
    await this.show(keptPair({ before: git.head(), after: git.staged() }));
  }
}

/** @param isThere whether that side has the file, rather than deleted it */
function takenText(name: string, side: 'ours' | 'theirs', isThere: boolean): string {
  if (side === 'ours') {
    return isThere
      ? l10n.t('{0} has your side of the conflict, and is staged.', name)
      : l10n.t('{0} is deleted, as on your side of the conflict, and that is staged.', name);
  }
  return isThere
    ? l10n.t('{0} has the other side of the conflict, and is staged.', name)
    : l10n.t('{0} is deleted, as on the other side of the conflict, and that is staged.', name);
}

/** Packs a list for the state of a page, which VS Code writes whenever the user zooms: the paths are much alike. */
function packed(list: readonly ComparedVersions[]): string {
  return deflateRawSync(JSON.stringify(list)).toString('base64');
}

/** @returns undefined for what is no list */
function unpacked(text: string): ComparedVersions[] | undefined {
  try {
    const list = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: longestList });
    return v.parse(v.array(comparedVersions), JSON.parse(list.toString()));
  } catch {
    return undefined;
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
  const problems = new Set<string>();
  const orProblem = async <T>(make: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await make();
    } catch (error) {
      if (!isLimnerError(error)) {
        throw error;
      }
      problems.add(error.message);
      return undefined;
    }
  };
  const [before, after] = [versionOf(versions.before), versionOf(versions.after)];
  const conflict = await orProblem(async () => sidesOf(versions));
  const [one, other] = await Promise.all(
    [before, after].map(async (version) => orProblem(async () => ofVersion(version))),
  );
  const problem = problems.size > 0 ? [...problems].join(' ') : lackOf(versions, one, other);
  const shown = async (file: vscode.Uri | undefined, name: string): Promise<ShownVersion | undefined> =>
    file && { url: (await images.url(file)) ?? '', name };
  return {
    title: nameOf(after.uri),
    before: isOneSide(versions) ? undefined : await shown(one, before.name),
    after: await shown(other, after.name),
    isSameFile: one !== undefined && other !== undefined && (await hasSameBytes(one, other)),
    ...(problem !== undefined && { problem }),
    versions,
    ...(conflict && { conflict }),
  };
}

/** Says why there is one image, or none. @returns undefined if there are two */
function lackOf(
  versions: ComparedVersions,
  one: vscode.Uri | undefined,
  other: vscode.Uri | undefined,
): string | undefined {
  const [before, after] = [versionOf(versions.before), versionOf(versions.after)];
  const name = nameOf(after.uri);
  if (isOneSide(versions)) {
    return l10n.t('{0} is only on one side of the conflict: {1}.', name, after.name);
  }
  if (one && other) {
    return undefined;
  }
  if ((one ?? other) && areOfGit(versions)) {
    return other
      ? l10n.t('{0} was added: there is no earlier version to compare with.', name)
      : l10n.t('{0} was deleted: there is no later version to compare with.', name);
  }
  if (!areOfGit(versions)) {
    return gone(one ? after : before).message;
  }
  return versions.conflict === undefined
    ? l10n.t('Neither version has {0}: there is nothing to compare.', name)
    : l10n.t('{0} is no longer in conflict.', name);
}

/** Whether these are versions of one file that Git tells, rather than two files. */
function areOfGit({ before, after }: ComparedVersions): boolean {
  return [before, after].some(({ uri }) => uri.startsWith('git:'));
}

/** Whether there is only one side of a conflict. */
function isOneSide({ before, after, conflict }: ComparedVersions): boolean {
  return conflict !== undefined && before.uri === after.uri;
}

async function sidesOf({ conflict }: ComparedVersions): Promise<Comparison['conflict']> {
  const git = conflict === undefined ? undefined : await GitFile.open(vscode.Uri.parse(conflict));
  const sides = git?.conflict();
  return sides && Object.fromEntries(Object.entries(sides).map(([side, version]) => [side, keptOf(version)]));
}

async function hasSameBytes(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
  const [size, otherSize] = await Promise.all([sizeOf(one), sizeOf(other)]);
  if (size !== otherSize) {
    return false;
  }
  const [bytes, others] = await Promise.all([bytesOf(one), bytesOf(other)]);
  return Buffer.compare(bytes, others) === 0;
}
