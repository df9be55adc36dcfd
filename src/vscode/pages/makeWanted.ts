import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import type { Batches } from '../actions/batches.ts';
import type { Documents } from '../documents/documents.ts';
import type { Proposal } from '../documents/proposal.ts';
import { canBeResumed, isTerminal } from '../../common/taskStatus.ts';
import type { Claim } from '../../engine/task/claim.ts';
import type { Task } from '../../engine/task/task.ts';
import type { Painting, ProposedImage } from '../generate/painting.ts';
import type { PromptWriter } from '../generate/promptWriter.ts';
import { choice, manageTrust } from '../ask/confirm.ts';
import { refuse, reported } from '../ask/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { chooseProposals } from './chooseProposals.ts';

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

export const missingTexts: Texts = {
  kind: 'missing',
  titleIn: (name) => l10n.t('Generate Missing Images in {0}', name),
  titleInWorkspace: () => l10n.t('Generate Missing Images in the Workspace'),
  searching: () => l10n.t('Looking for missing images'),
  batchIn: (name) => l10n.t('Missing images in {0}', name),
  batchInWorkspace: () => l10n.t('Missing images in the workspace'),
  noneIn: (name) => l10n.t('{0} has no missing images.', name),
  noneInWorkspace: () => l10n.t('The documents of this workspace have no missing images.'),
};

export const placeholderTexts: Texts = {
  kind: 'placeholder',
  titleIn: (name) => l10n.t('Replace Placeholders in {0}', name),
  titleInWorkspace: () => l10n.t('Replace Placeholders in the Workspace'),
  searching: () => l10n.t('Looking for placeholders'),
  batchIn: (name) => l10n.t('Placeholders in {0}', name),
  batchInWorkspace: () => l10n.t('Placeholders in the workspace'),
  noneIn: (name) => l10n.t('{0} has no placeholders.', name),
  noneInWorkspace: () => l10n.t('The documents of this workspace have no placeholders.'),
};

/** `limner.generateMissing`, `limner.replacePlaceholders`, and both in the workspace. */
export class MakeWanted {
  readonly #documents: () => Promise<Documents>;
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #painting: Painting;
  readonly #batches: Pick<Batches, 'resume'>;
  readonly #log: vscode.LogOutputChannel;
  readonly #writer: Pick<PromptWriter, 'isReady' | 'forPlaces'>;

  constructor(
    documents: () => Promise<Documents>,
    engine: Pick<EngineHost, 'get'>,
    painting: Painting,
    batches: Pick<Batches, 'resume'>,
    log: vscode.LogOutputChannel,
    writer: Pick<PromptWriter, 'isReady' | 'forPlaces'>,
  ) {
    this.#documents = documents;
    this.#engine = engine;
    this.#painting = painting;
    this.#batches = batches;
    this.#log = log;
    this.#writer = writer;
  }

  /**
   * Generates the images of a kind that a document needs.
   *
   * @param uri of the document; by default, the active one
   * @param id of a single image, which asks only for its prompt
   */
  async inFile(texts: Texts, uri?: unknown, id?: unknown): Promise<void> {
    await reported(this.#log, async () => {
      requireTrust();
      const document =
        uri instanceof vscode.Uri
          ? await vscode.workspace.openTextDocument(uri)
          : vscode.window.activeTextEditor?.document;
      if (!document) {
        throw refuse('invalid_request', l10n.t('Open the document that needs images.'));
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
          l10n.t(
            "Limner can't read {0}. It reads Markdown, HTML, components, styles, scripts, and AsciiDoc in the folders of this workspace, up to 2 million characters.",
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

  /** Generates the images of a kind that the documents of the workspace need, without duplicates. */
  async inWorkspace(texts: Texts): Promise<void> {
    await reported(this.#log, async () => {
      requireTrust();
      const readAt = Date.now();
      const wanted = await (await this.#documents()).wantedInWorkspace(texts.searching(), texts.kind);
      const { titleInWorkspace, batchInWorkspace, noneInWorkspace } = texts;
      await this.#chooseAndMake(titleInWorkspace(), batchInWorkspace(), wanted, noneInWorkspace(), readAt);
    });
  }

  /** @param proposal undefined if the document no longer names the offered image */
  async #makeOne(name: string, proposal: Proposal | undefined, readAt: number): Promise<void> {
    const [open] = proposal ? await this.#notBeingMade([proposal], readAt) : [];
    if (!open) {
      void vscode.window.showInformationMessage(proposal ? beingMade() : noLongerNeeded(name));
      return;
    }
    const askedAt = Date.now();
    const [left] = await this.#withoutResumable([open], readAt);
    if (left) {
      // Another window may generate it while the prompt is written.
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
    const wished = await chooseProposals(title, await this.#inStyle(open), {
      runText: (proposals) => this.#painting.runText(proposals.map(imageFor)),
      canWrite: async () => this.#writer.isReady(),
      write: async (proposals) => reported(this.#log, async () => this.#writePrompts(proposals)),
    });
    const askedAt = Date.now();
    const left = await this.#withoutResumable(wished, readAt);
    // Another window may have started some while the list was open.
    const images = new Map(
      (await this.#notBeingMade(left, readAt, askedAt)).map((one) => [
        one,
        { ...imageFor(one), claim: claimOf(one, readAt, askedAt) },
      ]),
    );
    if (images.size > 0) {
      // Another window may start some during the question.
      await this.#painting.makeAll(batch, [...images.values()], async () => {
        const needed = await this.#notBeingMade([...images.keys()], readAt, askedAt);
        if (needed.length === 0) {
          void vscode.window.showInformationMessage(beingMade());
        }
        return needed.flatMap((proposal) => images.get(proposal) ?? []);
      });
    }
  }

  /** Adds what the style of new images decides, so that the list tells it. */
  async #inStyle(proposals: readonly Proposal[]): Promise<Proposal[]> {
    return Promise.all(
      proposals.map(async (proposal) => {
        const { given, isSizeOfStyle = false } = await this.#painting.withStyle(imageFor(proposal));
        const { style, model, size, fit, quality, background } = given;
        const styled = { given: { style, model, size, fit, quality }, isSizeOfStyle };
        return { ...proposal, styled, isCutout: background !== undefined };
      }),
    );
  }

  /** Has a language model write the prompts of images that have none. */
  async #writePrompts(proposals: readonly Proposal[]): Promise<void> {
    const places = proposals.map(({ label, size, around = '' }) => ({ name: label, size, around }));
    await this.#writer.forPlaces(places, (index, prompt) => {
      const proposal = proposals[index];
      if (proposal) {
        proposal.prompt = prompt;
      }
    });
  }

  /**
   * Leaves out images that are in progress, that wait to be saved, or that exist by now.
   *
   * @param readAt time at which the documents were read, in Unix milliseconds
   * @param askedAt time of the question about ended tasks, in Unix milliseconds; images of tasks that ended since are
   * left out, too
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
   * Asks whether to resume ended tasks that may still bring some of these images, and returns the other images.
   * @throws vscode.CancellationError if the user dismisses the question
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
    const [resume, makeNew] = [l10n.t('Resume'), l10n.t('Generate New Images')];
    const answer = await choice(
      resumable.size === 1
        ? l10n.t('1 of these images may still come from an earlier task. Resume it?')
        : l10n.t('{0} of these images may still come from earlier tasks. Resume them?', resumable.size),
      [resume, makeNew],
      l10n.t('The service may still finish and bill them. Resuming is free.'),
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
    throw refuse('invalid_request', l10n.t('Limner reads documents once you trust this workspace.'), [
      manageTrust(),
    ]);
  }
}

function beingMade(): string {
  return l10n.t('These images are already being generated or waiting to be saved.');
}

function noLongerNeeded(name: string): string {
  return l10n.t('{0} no longer needs this image.', name);
}

function imageFor({ prompt, size, isCutout, styled, folder, fileName, reference }: Proposal): ProposedImage {
  return {
    given: {
      prompt,
      n: 1,
      folder,
      ...(fileName !== undefined && { fileName }),
      ...(size !== undefined && { size, fit: 'crop' }),
      ...(isCutout === true && { background: 'transparent' }),
      ...styled?.given,
    },
    ...(styled && { keepsBackground: true, isSizeOfStyle: styled.isSizeOfStyle }),
    ...(reference && { reference }),
  };
}
