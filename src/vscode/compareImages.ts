import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pickChanged } from './ask/changedImages.ts';
import { askChanges } from './ask/gitChanges.ts';
import { GitFile } from './ask/gitVersions.ts';
import { activeImage, hasExtension, pickImage, shownExtensions } from './ask/pictures.ts';
import { refuse, reported } from './ask/refusal.ts';
import { passedFiles, resolveLocation } from './generate/paintArguments.ts';
import type { ComparePanels, ImageVersion } from './studio/comparePanels.ts';
import type { EngineHost } from './window/engineHost.ts';
import { nameOf } from './window/files.ts';
import { plainText } from './window/plainText.ts';

/** Number of the staged files among the groups of VS Code's Git. */
const stagedGroup = 1;

/** Commands that compare any image of the workspace, whether Limner made it or not. */
export class ImageComparing {
  readonly #panels: ComparePanels;
  readonly #engine: EngineHost;
  readonly #log: vscode.LogOutputChannel;

  constructor(panels: ComparePanels, engine: EngineHost, log: vscode.LogOutputChannel) {
    this.#panels = panels;
    this.#engine = engine;
    this.#log = log;
  }

  /** `limner.compareWithHead`: of a file in conflict, compares the two sides instead. */
  async withHead(...passed: unknown[]): Promise<void> {
    await reported(this.#log, async () => {
      for (const { file, isStaged } of await imagesMeant(passed)) {
        const git = await GitFile.open(file);
        const conflict = git.conflict();
        await (conflict
          ? this.#panels.showConflict(file, conflict)
          : this.#panels.show(git.head(), isStaged ? git.staged() : current(file)));
      }
    });
  }

  /** `limner.compareWithCommit` */
  async withCommit(...passed: unknown[]): Promise<void> {
    await reported(this.#log, async () => {
      const [{ file }] = await imagesMeant(passed);
      const git = await GitFile.open(file);
      await this.#panels.show(await git.pickCommit(), current(file));
    });
  }

  /** `limner.compareWithFile`: two chosen files with each other, one with another that the user picks. */
  async withFile(...passed: unknown[]): Promise<void> {
    await reported(this.#log, async () => {
      const [{ file }, other] = await imagesMeant(passed);
      const title = l10n.t('Compare {0} with Image', plainText(nameOf(file)));
      const compared = other?.file ?? (await pick(title, file));
      const [before, after] = other ? [file, compared] : [compared, file];
      await this.#panels.show(beside(before, after), beside(after, before));
    });
  }

  /** `limner.compareChangedImages`: lists the images of a set of changes, in one tab that steps through them. */
  async allChanged(source: unknown): Promise<void> {
    await reported(this.#log, async () => {
      const changed = await askChanges(source);
      const { name, images } = changed;
      if (images.length === 0) {
        void vscode.window.showInformationMessage(l10n.t('No image changed: {0}.', name));
        return;
      }
      await this.#panels.showList(images, await pickChanged(this.#engine, changed, this.#panels.files));
    });
  }
}

/** A file beside another one: where both are called the same, its folder tells them apart. */
function beside(uri: vscode.Uri, other: vscode.Uri): ImageVersion {
  const name = nameOf(uri);
  return { uri, name: name === nameOf(other) ? vscode.workspace.asRelativePath(uri) : name };
}

function current(uri: vscode.Uri): ImageVersion {
  return { uri, name: l10n.t('Working Tree') };
}

interface MeantImage {
  file: vscode.Uri;
  /** Whether its row in Source Control is among the staged ones. */
  isStaged: boolean;
}

/** A row of Source Control. */
interface Row extends vscode.SourceControlResourceState {
  /** Only Git has it. */
  readonly resourceGroupType?: number;
}

/**
 * Returns the images of the rows of Source Control or the files that a menu passed, else the one in the active tab, else
 * one that the user picks.
 *
 * @throws LimnerError `unsupported_image` for a file that has no name of an image
 * @throws vscode.CancellationError when the user picks none
 */
async function imagesMeant(passed: readonly unknown[]): Promise<[MeantImage, ...MeantImage[]]> {
  // Source Control passes each selected row by itself.
  const chosen = new Set(passed.filter(isRow));
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const files = passedFiles(passed[0], passed[1]).map((file) => inWorkingTree(resolveLocation(file, root)));
  const meant =
    chosen.size > 0
      ? [...chosen].map((row) => ({
          file: row.resourceUri,
          isStaged: row.resourceGroupType === stagedGroup,
        }))
      : (files.length > 0 ? files : activeImage(shownExtensions)).map((file) => ({ file, isStaged: false }));
  const [one = { file: await pick(l10n.t('Compare Image')), isStaged: false }, ...others] = meant;
  const other = [one, ...others].find(({ file }) => !hasExtension(file, shownExtensions));
  if (other) {
    throw refuse(
      'unsupported_image',
      l10n.t("{0} isn't an image that can be compared.", plainText(nameOf(other.file))),
    );
  }
  return [one, ...others];
}

/** Returns the file of a version that Git shows in a comparison of its own. */
function inWorkingTree(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === 'git' ? vscode.Uri.file(uri.path) : uri;
}

function isRow(passed: unknown): passed is Row {
  return (
    typeof passed === 'object' &&
    passed !== null &&
    'resourceUri' in passed &&
    passed.resourceUri instanceof vscode.Uri
  );
}

/** Asks for an image. @throws vscode.CancellationError when the user picks none */
async function pick(title: string, near?: vscode.Uri): Promise<vscode.Uri> {
  return pickImage({ title, openLabel: l10n.t('Compare') }, shownExtensions, near);
}
