// Room: makes the images that documents still need.
// Never: how a document is read.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import type { Batches } from '../actions/batches.ts';
import type { Documents } from '../documents/documents.ts';
import type { Proposal } from '../documents/proposal.ts';
import { canBeResumed } from '../../common/resultAvailability.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import type { Claim } from '../../tasks/claim.ts';
import type { Task } from '../../tasks/task.ts';
import type { Painting, ProposedImage } from '../paint/painting.ts';
import { commandAction } from '../failures/errorText.ts';
import { choice } from '../questions/confirm.ts';
import { refuse, reported } from '../questions/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
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
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #painting: Painting;
  readonly #batches: Pick<Batches, 'resume'>;
  readonly #log: vscode.LogOutputChannel;

  constructor(
    documents: () => Promise<Documents>,
    engine: Pick<EngineHost, 'get'>,
    painting: Painting,
    batches: Pick<Batches, 'resume'>,
    log: vscode.LogOutputChannel,
  ) {
    this.#documents = documents;
    this.#engine = engine;
    this.#painting = painting;
    this.#batches = batches;
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
      requireTrust();
      const document =
        uri instanceof vscode.Uri
          ? await vscode.workspace.openTextDocument(uri)
          : vscode.window.activeTextEditor?.document;
      if (!document) {
        throw refuse('invalid_request', vscode.l10n.t('Open the document whose images are to be made.'));
      }
      const readAt = Date.now();
      const documents = await this.#documents();
      const wanted = await documents.wantedIn(document, texts.kind);
      if (wanted === 'lossy') {
        const { message, actions } = documents.lossy(document);
        throw refuse('invalid_request', message, actions);
      }
      const name = plainText(posix.basename(document.uri.path));
      if (!wanted) {
        throw refuse(
          'invalid_request',
          vscode.l10n.t(
            'Limner reads Markdown, HTML, components, styles, scripts, and AsciiDoc in the folders of this workspace, up to 2 million characters. {0} is none of these.',
            name,
          ),
        );
      }
      if (id !== undefined) {
        await this.#makeOne(
          name,
          wanted.find((proposal) => proposal.id === id),
          readAt,
        );
        return;
      }
      await this.#chooseAndMake(texts.titleIn(name), texts.batchIn(name), wanted, texts.noneIn(name), readAt);
    });
  }

  /** Makes the images of a kind that the documents of the workspace need, each once. */
  async inWorkspace(texts: Texts): Promise<void> {
    await reported(this.#log, async () => {
      requireTrust();
      const readAt = Date.now();
      const wanted = await (await this.#documents()).wantedInWorkspace(texts.searching(), texts.kind);
      const { titleInWorkspace, batchInWorkspace, noneInWorkspace } = texts;
      await this.#chooseAndMake(titleInWorkspace(), batchInWorkspace(), wanted, noneInWorkspace(), readAt);
    });
  }

  /** @param proposal undefined where the document named an image when that was offered, and does not any more */
  async #makeOne(name: string, proposal: Proposal | undefined, readAt: number): Promise<void> {
    const [open] = proposal ? await this.#notBeingMade([proposal], readAt) : [];
    if (!open) {
      void vscode.window.showInformationMessage(proposal ? beingMade() : noLongerNeeded(name));
      return;
    }
    const askedAt = Date.now();
    const [left] = await this.#withoutResumable([open], readAt);
    if (left) {
      // While the prompt is written, another window may make it.
      const image = { ...imageFor(left), claim: claimOf(left, readAt, askedAt) };
      await this.#painting.propose(image, async () => {
        const needed = await this.#notBeingMade([left], readAt, askedAt);
        if (needed.length === 0) {
          void vscode.window.showInformationMessage(noLongerNeeded(name));
        }
        return needed.map(() => image);
      });
    }
  }

  async #chooseAndMake(
    title: string,
    batch: string,
    wanted: readonly Proposal[],
    none: string,
    readAt: number,
  ): Promise<void> {
    if (wanted.length === 0) {
      void vscode.window.showInformationMessage(none);
      return;
    }
    const open = await this.#notBeingMade(wanted, readAt);
    if (open.length === 0) {
      void vscode.window.showInformationMessage(beingMade());
      return;
    }
    const wished = await chooseProposals(title, open, (proposals) =>
      this.#painting.costText(proposals.map(imageFor)),
    );
    const askedAt = Date.now();
    const left = await this.#withoutResumable(wished, readAt);
    // Another window may have begun with some while the list was open.
    const images = new Map(
      (await this.#notBeingMade(left, readAt, askedAt)).map((one) => [
        one,
        { ...imageFor(one), claim: claimOf(one, readAt, askedAt) },
      ]),
    );
    if (images.size > 0) {
      // Another one may while it is asked whether so many are meant.
      await this.#painting.makeAll(batch, [...images.values()], async () => {
        const needed = await this.#notBeingMade([...images.keys()], readAt, askedAt);
        if (needed.length === 0) {
          void vscode.window.showInformationMessage(beingMade());
        }
        return needed.flatMap((proposal) => images.get(proposal) ?? []);
      });
    }
  }

  /**
   * Leaves out the images that tasks are making or that wait to be saved, and those that are there by now.
   *
   * @param readAt when the documents were read, in Unix milliseconds
   * @param askedAt when the person was asked about ended tasks that may still bring them, in Unix milliseconds; those of
   * tasks that ended since are left out, too
   */
  async #notBeingMade(proposals: readonly Proposal[], readAt: number, askedAt?: number): Promise<Proposal[]> {
    const { store } = await this.#engine.get();
    const open: Proposal[] = [];
    for await (const proposal of inTurns(proposals)) {
      const { folder, fileName } = proposal;
      const isThere =
        fileName !== undefined && (await statOf(vscode.Uri.joinPath(folder, fileName))) !== undefined;
      if (!isThere && !store.standing(claimOf(proposal, readAt, askedAt), Date.now())) {
        open.push(proposal);
      }
    }
    return open;
  }

  /**
   * Resumes the ended tasks that may still bring some of these images, where the person wants that, and returns the
   * others.
   *
   * @throws vscode.CancellationError when the person dismissed the question
   */
  async #withoutResumable(proposals: readonly Proposal[], readAt: number): Promise<readonly Proposal[]> {
    const { store } = await this.#engine.get();
    const resumable = new Map<Proposal, Task>();
    for await (const proposal of inTurns(proposals)) {
      const task = store.standing(claimOf(proposal, readAt, 0), Date.now());
      if (task && isTerminal(task.status) && canBeResumed(task)) {
        resumable.set(proposal, task);
      }
    }
    if (resumable.size === 0) {
      return proposals;
    }
    const [resume, makeNew] = [vscode.l10n.t('Resume'), vscode.l10n.t('Make New Ones')];
    const answer = await choice(
      resumable.size === 1
        ? vscode.l10n.t('A task that ended without its image may still bring 1 of these. Resume it?')
        : vscode.l10n.t(
            'Tasks that ended without their images may still bring {0} of these. Resume them?',
            resumable.size,
          ),
      [resume, makeNew],
      vscode.l10n.t('The service may finish and bill what it was asked for. To resume costs nothing more.'),
    );
    if (answer === makeNew) {
      return proposals;
    }
    if (answer !== resume) {
      throw new vscode.CancellationError();
    }
    void reported(this.#log, async () => this.#batches.resume([...resumable.values()]));
    return proposals.filter((proposal) => !resumable.has(proposal));
  }
}

function claimOf({ folder, fileName = '', reference }: Proposal, readAt: number, askedAt?: number): Claim {
  const place = { reference, target: { folder: folder.toString(), fileName } };
  return { place, readAt, askedAt };
}

function requireTrust(): void {
  if (!vscode.workspace.isTrusted) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t('Documents are read for their images once you trust this workspace.'),
      [commandAction(vscode.l10n.t('Manage Workspace Trust'), 'workbench.trust.manage')],
    );
  }
}

function beingMade(): string {
  return vscode.l10n.t('The task list has these images already: they are being made or wait to be saved.');
}

function noLongerNeeded(name: string): string {
  return vscode.l10n.t('{0} no longer needs this image.', name);
}

function imageFor({ prompt, size, folder, fileName, reference }: Proposal): ProposedImage {
  return {
    given: {
      prompt,
      n: 1,
      folder,
      ...(fileName !== undefined && { fileName }),
      ...(size !== undefined && { size, fit: 'crop' }),
    },
    ...(reference && { reference }),
  };
}
