import { posix } from 'node:path';
import * as vscode from 'vscode';
import { proposedPrompt } from '../../references/proposedPrompt.ts';
import { wantedSize } from '../../references/wantedSize.ts';
import { readLanguages } from '../../references/findReferences.ts';
import type { PaintArguments } from '../paint/paintArguments.ts';
import { refuse, reported } from '../questions/refusal.ts';
import { chooseImages, type Proposal } from './chooseImages.ts';
import type { MissingImage, MissingImages } from './missingImages.ts';
import { WhereaboutsFinder } from './whereabouts.ts';

/** A missing image, as it would be made. */
interface MissingProposal extends Proposal {
  given: PaintArguments;
}

/** Starts runs of `limner.generate`. */
export interface Painter {
  /** Asks for the prompt, beginning with the one that is given. */
  propose(given: PaintArguments): Promise<unknown>;
  /** Makes images one beside the other, each as it is given, and reports how they end. */
  makeAll(given: readonly PaintArguments[]): Promise<void>;
}

/** File names that documents of the languages that are read have. */
const documentFiles = '**/*.{md,markdown,mdx,html,htm,vue,svelte,astro,jsx,tsx,css,scss,less,pcss,adoc,asciidoc}';
/** Folders of what others wrote, or programs. */
const foreignFolders = '**/{node_modules,bower_components,vendor,dist,build,out,coverage,.git}/**';
/** The most documents of a workspace that are searched. */
const maxFiles = 20_000;

/** `limner.generateMissing` and `limner.generateMissingInWorkspace`. */
export class GenerateMissing {
  readonly #missing: MissingImages;
  readonly #painter: Painter;
  readonly #log: vscode.LogOutputChannel;

  constructor(missing: MissingImages, painter: Painter, log: vscode.LogOutputChannel) {
    this.#missing = missing;
    this.#painter = painter;
    this.#log = log;
  }

  /**
   * Makes the images that a document names and that are not there.
   *
   * @param uri of the document; the active one without it
   * @param file the one image that is meant, for which only the prompt is asked
   */
  async inFile(uri?: unknown, file?: unknown): Promise<void> {
    await reported(this.#log, async () => {
      const document =
        uri instanceof vscode.Uri
          ? await vscode.workspace.openTextDocument(uri)
          : vscode.window.activeTextEditor?.document;
      if (!document) {
        throw refuse('invalid_request', vscode.l10n.t('Open the document whose images are to be made.'));
      }
      const missing = await this.#missing.in(document);
      const one = missing.find((image) => image.file.toString() === String(file));
      if (one) {
        await this.#painter.propose(proposalFor(one).given);
        return;
      }
      const name = posix.basename(document.uri.path);
      await this.#chooseAndMake(
        vscode.l10n.t('Generate Missing Images in {0}', name),
        missing,
        vscode.l10n.t('Every image that {0} names is there.', name),
      );
    });
  }

  /** Makes the images that the documents of the workspace name and that are not there, each once. */
  async inWorkspace(): Promise<void> {
    await reported(this.#log, async () => {
      const missing = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Looking for missing images'),
          cancellable: true,
        },
        async (progress, cancelled) => this.#search(progress, cancelled),
      );
      await this.#chooseAndMake(
        vscode.l10n.t('Generate Missing Images in the Workspace'),
        missing,
        vscode.l10n.t('Every image that the documents of this workspace name is there.'),
      );
    });
  }

  async #search(
    progress: vscode.Progress<{ message?: string }>,
    cancelled: vscode.CancellationToken,
  ): Promise<MissingImage[]> {
    const files = await vscode.workspace.findFiles(documentFiles, foreignFolders, maxFiles, cancelled);
    const finder = new WhereaboutsFinder();
    const found = new Map<string, MissingImage>();
    for (const [index, file] of files.entries()) {
      if (cancelled.isCancellationRequested) {
        throw new vscode.CancellationError();
      }
      progress.report({ message: vscode.l10n.t('{0} of {1} documents', index + 1, files.length) });
      for (const image of await this.#missingIn(file, finder)) {
        found.set(image.file.toString(), found.get(image.file.toString()) ?? image);
      }
    }
    return [...found.values()];
  }

  async #missingIn(file: vscode.Uri, finder: WhereaboutsFinder): Promise<MissingImage[]> {
    try {
      const document = await vscode.workspace.openTextDocument(file);
      return readLanguages.includes(document.languageId) ? await this.#missing.in(document, finder) : [];
    } catch (error) {
      // A file that is no text, or that is gone by now.
      this.#log.debug(`${file.toString()} was not searched: ${String(error)}`);
      return [];
    }
  }

  async #chooseAndMake(title: string, missing: readonly MissingImage[], none: string): Promise<void> {
    if (missing.length === 0) {
      void vscode.window.showInformationMessage(none);
      return;
    }
    const chosen = await chooseImages(title, missing.map(proposalFor));
    await this.#painter.makeAll(chosen.map(({ given, prompt }) => ({ ...given, prompt })));
  }
}

/** Proposes how a missing image is made: to exactly the place where it belongs. */
function proposalFor({ reference, file }: MissingImage): MissingProposal {
  const size = wantedSize(reference, file.path);
  const prompt = proposedPrompt(reference.words, file.path);
  return {
    name: vscode.workspace.asRelativePath(file),
    facts: size ? `${size.width} × ${size.height}` : '',
    prompt,
    given: {
      prompt,
      folder: vscode.Uri.joinPath(file, '..'),
      fileName: posix.basename(file.path),
      n: 1,
      ...(size && { size: `${size.width}x${size.height}`, fit: 'crop' }),
    },
  };
}
