// Room: makes the images that documents still need.
// Never: how a document is read.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import type { Proposal } from '../documents/proposal.ts';
import type { Painting, ProposedImage } from '../paint/painting.ts';
import { refuse, reported } from '../questions/refusal.ts';
import { plainText } from '../window/plainText.ts';
import { chooseProposals } from './chooseProposals.ts';

/** What is said about the images of a kind. */
interface Texts {
  kind: 'missing' | 'placeholder';
  titleIn: (name: string) => string;
  titleInWorkspace: () => string;
  searching: () => string;
  batchIn: (name: string) => string;
  batchInWorkspace: () => string;
  noneIn: (name: string) => string;
  noneInWorkspace: () => string;
}

/** Of images that are not there. */
export const missingTexts: Texts = {
  kind: 'missing',
  titleIn: (name) => vscode.l10n.t('Generate Missing Images in {0}', name),
  titleInWorkspace: () => vscode.l10n.t('Generate Missing Images in the Workspace'),
  searching: () => vscode.l10n.t('Looking for missing images'),
  batchIn: (name) => vscode.l10n.t('Missing images in {0}', name),
  batchInWorkspace: () => vscode.l10n.t('Missing images in the workspace'),
  noneIn: (name) => vscode.l10n.t('Every image that {0} names is there.', name),
  noneInWorkspace: () => vscode.l10n.t('Every image that the documents of this workspace name is there.'),
};

/** Of placeholders. */
export const placeholderTexts: Texts = {
  kind: 'placeholder',
  titleIn: (name) => vscode.l10n.t('Replace Placeholders in {0}', name),
  titleInWorkspace: () => vscode.l10n.t('Replace Placeholders in the Workspace'),
  searching: () => vscode.l10n.t('Looking for placeholders'),
  batchIn: (name) => vscode.l10n.t('Placeholders in {0}', name),
  batchInWorkspace: () => vscode.l10n.t('Placeholders in the workspace'),
  noneIn: (name) => vscode.l10n.t('{0} has no placeholders.', name),
  noneInWorkspace: () => vscode.l10n.t('The documents of this workspace have no placeholders.'),
};

/** `limner.generateMissing`, `limner.replacePlaceholders`, and both in the workspace. */
export class MakeWanted {
  readonly #documents: () => Promise<Documents>;
  readonly #painting: Painting;
  readonly #log: vscode.LogOutputChannel;

  constructor(documents: () => Promise<Documents>, painting: Painting, log: vscode.LogOutputChannel) {
    this.#documents = documents;
    this.#painting = painting;
    this.#log = log;
  }

  /**
   * Makes the images of a kind that a document needs.
   *
   * @param uri of the document; the active one without it
   * @param id of the one image that is meant, for which only the prompt is asked
   */
  async inFile(texts: Texts, uri?: unknown, id?: unknown): Promise<void> {
    await reported(this.#log, async () => {
      const document =
        uri instanceof vscode.Uri
          ? await vscode.workspace.openTextDocument(uri)
          : vscode.window.activeTextEditor?.document;
      if (!document) {
        throw refuse('invalid_request', vscode.l10n.t('Open the document whose images are to be made.'));
      }
      const wanted = await (await this.#documents()).wantedIn(document, texts.kind);
      const one = wanted.find((proposal) => proposal.id === id);
      if (one) {
        await this.#painting.propose(imageFor(one));
        return;
      }
      const name = plainText(posix.basename(document.uri.path));
      await this.#chooseAndMake(texts.titleIn(name), texts.batchIn(name), wanted, texts.noneIn(name));
    });
  }

  /** Makes the images of a kind that the documents of the workspace need, each once. */
  async inWorkspace(texts: Texts): Promise<void> {
    await reported(this.#log, async () => {
      const wanted = await (await this.#documents()).wantedInWorkspace(texts.searching(), texts.kind);
      const { titleInWorkspace, batchInWorkspace, noneInWorkspace } = texts;
      await this.#chooseAndMake(titleInWorkspace(), batchInWorkspace(), wanted, noneInWorkspace());
    });
  }

  async #chooseAndMake(
    title: string,
    batch: string,
    wanted: readonly Proposal[],
    none: string,
  ): Promise<void> {
    if (wanted.length === 0) {
      void vscode.window.showInformationMessage(none);
      return;
    }
    const chosen = await chooseProposals(title, wanted);
    await this.#painting.makeAll(batch, chosen.map(imageFor));
  }
}

function imageFor({ prompt, size, folder, fileName, reference }: Proposal): ProposedImage {
  return {
    given: {
      prompt,
      n: 1,
      ...(folder && { folder }),
      ...(fileName !== undefined && { fileName }),
      ...(size !== undefined && { size, fit: 'crop' }),
    },
    ...(reference && { reference }),
  };
}
