// Room: makes the images that documents name and that are not there.
// Never: how a document is read.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import type { Proposal } from '../documents/proposal.ts';
import type { PaintArguments } from '../paint/paintArguments.ts';
import type { Painting } from '../paint/painting.ts';
import { refuse, reported } from '../questions/refusal.ts';
import { plainText } from '../window/plainText.ts';
import { chooseProposals } from './chooseProposals.ts';

/** `limner.generateMissing` and `limner.generateMissingInWorkspace`. */
export class GenerateMissing {
  readonly #documents: () => Promise<Documents>;
  readonly #painting: Painting;
  readonly #log: vscode.LogOutputChannel;

  constructor(documents: () => Promise<Documents>, painting: Painting, log: vscode.LogOutputChannel) {
    this.#documents = documents;
    this.#painting = painting;
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
      const missing = await (await this.#documents()).missingIn(document);
      const one = missing.find((proposal) => proposal.file.toString() === file);
      if (one) {
        await this.#painting.propose(argumentsFor(one));
        return;
      }
      const name = plainText(posix.basename(document.uri.path));
      await this.#chooseAndMake(
        vscode.l10n.t('Generate Missing Images in {0}', name),
        vscode.l10n.t('Missing images in {0}', name),
        missing,
        vscode.l10n.t('Every image that {0} names is there.', name),
      );
    });
  }

  /** Makes the images that the documents of the workspace name and that are not there, each once. */
  async inWorkspace(): Promise<void> {
    await reported(this.#log, async () =>
      this.#chooseAndMake(
        vscode.l10n.t('Generate Missing Images in the Workspace'),
        vscode.l10n.t('Missing images in the workspace'),
        await (await this.#documents()).missingInWorkspace(),
        vscode.l10n.t('Every image that the documents of this workspace name is there.'),
      ),
    );
  }

  async #chooseAndMake(
    title: string,
    batchTitle: string,
    missing: readonly Proposal[],
    none: string,
  ): Promise<void> {
    if (missing.length === 0) {
      void vscode.window.showInformationMessage(none);
      return;
    }
    const chosen = await chooseProposals(title, missing);
    await this.#painting.makeAll(batchTitle, chosen.map(argumentsFor));
  }
}

function argumentsFor({ file, prompt, size }: Proposal): PaintArguments {
  return {
    prompt,
    folder: vscode.Uri.joinPath(file, '..'),
    fileName: posix.basename(file.path),
    n: 1,
    ...(size !== undefined && { size, fit: 'crop' }),
  };
}
