import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { portableName } from '../../engine/task/fileNames.ts';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { Task, TaskRequest } from '../../engine/task/task.ts';
import { commandAction, type ErrorAction, offer } from '../window/offers.ts';
import type { OriginalReplacer } from '../actions/originalReplacer.ts';
import { publishBytes } from '../actions/workspacePublisher.ts';
import type { Documents } from '../documents/documents.ts';
import type { CardFile } from '../documents/socialPages.ts';
import type { Painting } from '../generate/painting.ts';
import { choice } from '../ask/confirm.ts';
import { refuse, reported } from '../ask/refusal.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { oneLine, plainText } from '../window/plainText.ts';
import { isSameFile, wayBelow } from '../../common/fileUris.ts';
import { standingOf } from '../../common/taskStatus.ts';
import { cardChange, openIfThere, type PageChanges } from './cardChanges.ts';

/** Size that networks show without cropping, in pixels. */
const size = { width: 1200, height: 630 };
const cardSize = `${size.width}x${size.height}`;
/** Maximum length of a page's name in file names, in UTF-8 bytes. */
const longestName = 80;
/** Number of newest tasks to search for a page's last card. */
const newestTasks = 1000;
/** Maximum number of files of one name to compare with a card. */
const mostCards = 100;

export interface SocialCardServices {
  engine: EngineHost;
  painting: Painting;
  documents: () => Promise<Documents>;
  changes: PageChanges;
  originals: Pick<OriginalReplacer, 'replaceFile'>;
  show: (task: Task) => Promise<void>;
  log: vscode.LogOutputChannel;
}

export interface DrawnCard {
  bytes: Uint8Array;
  title: string;
  siteName: string;
}

export class SocialCards {
  readonly #services: SocialCardServices;

  constructor(services: SocialCardServices) {
    this.#services = services;
  }

  /**
   * `limner.generateSocialCard`: generates the background of a page's card, and shows it in the studio. @param uri of
   * the page; by default, the active one
   */
  async generate(uri?: unknown): Promise<void> {
    await reported(this.#services.log, async () => {
      const { painting, documents, show } = this.#services;
      const document =
        uri instanceof vscode.Uri
          ? await vscode.workspace.openTextDocument(uri)
          : vscode.window.activeTextEditor?.document;
      const reader = await documents();
      const shown = document && (await reader.pages.read(document));
      if (!shown) {
        throw refuse(
          'invalid_request',
          l10n.t('Open the Markdown, MDX, Astro, or HTML page that the social card is for.'),
        );
      }
      if (document.isUntitled) {
        throw refuse('invalid_request', l10n.t('Save the page first: its social card is saved beside it.'));
      }
      const page = await reader.read(document.uri);
      if (!page) {
        const { message, actions } = reader.lossy(document);
        throw refuse('invalid_request', message, actions);
      }
      const words = (await reader.pages.read(page)) ?? shown;
      const stem = stemOf(document.uri);
      const title = oneLine(words.title) || stem;
      const background = await painting.withStyle({
        given: {
          prompt: promptFor(title, oneLine(words.description)),
          n: 1,
          size: cardSize,
          fit: 'crop',
          fileName: `${stem}-background`,
        },
        socialCard: { document: document.uri.toString(), title, siteName: oneLine(words.siteName) },
      });
      const earlier = await this.#cardOf(document.uri);
      if (earlier && (await wantsEarlier(earlier, nameOf(document.uri), painting.runText([background])))) {
        await show(earlier);
        return;
      }
      const task = await painting.proposeCard(background, plainText(nameOf(document.uri)));
      await (task && show(task));
    });
  }

  /**
   * Returns the data that makes a draft's image another background of its last card, with the card's current words.
   * Returns nothing if it has no card, another size, or is an edit.
   */
  async continuedBy({ tasks, size: wanted, inputs, view }: Draft): Promise<Pick<TaskRequest, 'socialCard'>> {
    const [last = ''] = tasks;
    const { socialCard } = (await this.#services.engine.get()).store.get(last)?.request ?? {};
    if (!socialCard || wanted !== cardSize || inputs.length > 0) {
      return {};
    }
    const { title, siteName } = view.cards.findLast(({ task }) => task === last) ?? socialCard;
    return { socialCard: { ...socialCard, title, siteName } };
  }

  /**
   * Saves a card beside the images of its page, over the page's last card only if the user agrees, and previews how the
   * page will name it.
   *
   * @returns the name of the file; the page changes later, and only if the user accepts that
   * @throws LimnerError `invalid_request` if the task doesn't belong to a card
   * @throws vscode.CancellationError if the user dismissed the question; nothing was saved then
   */
  async save({ request: { socialCard, target } }: Task, card: DrawnCard): Promise<string> {
    if (!socialCard) {
      throw refuse('invalid_request', l10n.t('The image is not the background of a social card.'));
    }
    const page = vscode.Uri.parse(socialCard.document, true);
    const document = await openIfThere(page);
    const { pages } = await this.#services.documents();
    const folder = document ? await pages.folderFor(document) : vscode.Uri.parse(target.folder, true);
    const stem = `${stemOf(page)}-card`;
    const replaced = await this.#replaceLast(document && (await pages.imageOf(document)), stem, card.bytes);
    const uri = replaced?.uri ?? (await this.#publish(folder, stem, card.bytes));
    const alt = [card.title, card.siteName].map(oneLine).filter((words) => words !== '');
    void this.#tellPage(page, { uri, ...size, alt: alt.join(' · ') }, replaced?.undo);
    return nameOf(uri);
  }

  /**
   * Offers to replace the card that a page names with other contents.
   *
   * @param named the image of the page, if there is one
   * @returns undefined if that is no card, holds these bytes, or is to stay
   */
  async #replaceLast(
    named: vscode.Uri | undefined,
    stem: string,
    bytes: Uint8Array,
  ): Promise<{ uri: vscode.Uri; undo: ErrorAction } | undefined> {
    const before = named && isCard(nameOf(named), stem) ? await readIfThere(named) : undefined;
    if (!named || !before || Buffer.compare(before, bytes) === 0) {
      return undefined;
    }
    const name = plainText(nameOf(named));
    const replace = l10n.t('Replace {0}', name);
    const answer = await choice(
      l10n.t('Replace the last card of this page?'),
      [replace, l10n.t('Save as Another File')],
      l10n.t('The old version of {0} is kept for 30 days.', name),
    );
    if (answer === undefined) {
      throw new vscode.CancellationError();
    }
    const undo =
      answer === replace ? await this.#services.originals.replaceFile(named, before, bytes) : undefined;
    return undo && { uri: named, undo };
  }

  /** Previews the change of a page that names a card, applies it once it is accepted, and reports the result. */
  async #tellPage(page: vscode.Uri, card: CardFile, undo?: ErrorAction): Promise<void> {
    const names = [plainText(nameOf(card.uri)), plainText(nameOf(page))] as const;
    const open = [commandAction(l10n.t('Open Card'), 'vscode.open', card.uri), ...(undo ? [undo] : [])];
    const again = {
      title: l10n.t('Show the Change…'),
      run: async () => this.#tellPage(page, card, undo),
    };
    const { changes, documents, log } = this.#services;
    await reported(log, async () => {
      const reader = await documents();
      switch (await changes.confirm(reader, page, cardChange(reader, page, card))) {
        case 'written':
          await tell(l10n.t('Saved {0}, and {1} names it.', ...names), ...open);
          break;
        case 'path':
          await warn(
            l10n.t(
              'Saved {0}, and {1} names it by its path. Networks need a full URL: with <link rel="canonical"> in the page, Limner writes one.',
              ...names,
            ),
            ...open,
          );
          break;
        case 'same':
          await tell(l10n.t('Saved {0}. {1} already names it.', ...names), ...open);
          break;
        case 'declined':
          await tell(l10n.t('Saved {0}. {1} was not changed.', ...names), again, ...open);
          break;
        case 'failed':
          await warn(
            l10n.t("Saved {0}. {1} was not changed: it was edited meanwhile or can't be written.", ...names),
            again,
            ...open,
          );
          break;
        case 'unknown':
          await warn(
            l10n.t("Saved {0}. {1} was not changed: Limner can't tell where it names its image.", ...names),
            ...open,
            commandAction(l10n.t('Copy Path'), 'copyFilePath', card.uri),
          );
          break;
        case 'gone':
          await warn(l10n.t("Saved {0}. {1} is no longer there or can't be read.", ...names), ...open);
          break;
        case 'lossy': {
          const { message, actions } = reader.lossy({ uri: page });
          await warn(message, ...actions, again, ...open);
          break;
        }
      }
    });
  }

  /** Returns the newest task of a page's card that is in progress or has its image. */
  async #cardOf(page: vscode.Uri): Promise<Task | undefined> {
    const { store } = await this.#services.engine.get();
    return store
      .list({ limit: newestTasks })
      .find(
        (task) =>
          task.request.socialCard &&
          isSameFile(task.request.socialCard.document, page.toString()) &&
          (standingOf(task) !== 'ended' || savedImages(task).length > 0),
      );
  }

  /** Creates the file of a card, unless an identical one exists. */
  async #publish(folder: vscode.Uri, stem: string, bytes: Uint8Array): Promise<vscode.Uri> {
    for (let number = 1; number <= mostCards; number++) {
      const name = `${stem}${number === 1 ? '' : `-${number}`}.png`;
      const uri = vscode.Uri.joinPath(folder, name);
      const there = await readIfThere(uri).catch(() => new Uint8Array());
      if (!there) {
        break;
      }
      if (Buffer.compare(there, bytes) === 0) {
        return uri;
      }
    }
    return publishBytes(this.#services.engine.home, bytes, folder, `${stem}.png`);
  }
}

async function tell(message: string, ...actions: readonly ErrorAction[]): Promise<void> {
  await offer(vscode.window.showInformationMessage, message, ...actions);
}

async function warn(message: string, ...actions: readonly ErrorAction[]): Promise<void> {
  await offer(vscode.window.showWarningMessage, message, ...actions);
}

/**
 * Asks whether to change the words on an existing card or to generate a new background.
 *
 * @param run what the background would cost, and at which service
 */
async function wantsEarlier(task: Task, page: string, run = ''): Promise<boolean> {
  const items = [
    {
      label: l10n.t('Open Its Card'),
      description:
        standingOf(task) === 'ended'
          ? l10n.t('to change words, font, and colors, at no cost')
          : l10n.t('its background is being generated'),
      isEarlier: true,
    },
    {
      label: l10n.t('Generate Another Background…'),
      description: run,
      isEarlier: false,
    },
  ];
  const title = l10n.t('{0} has a social card', plainText(page));
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (!chosen) {
    throw new vscode.CancellationError();
  }
  return chosen.isEarlier;
}

/** Proposes a prompt for a background without words. */
function promptFor(title: string, description: string): string {
  const subject = description === '' ? title : `${title}: ${description}`;
  return l10n.t(
    'A calm, wide illustration about "{0}", with room for a headline; no text, no letters, no logos',
    subject.replaceAll('"', "'"),
  );
}

/** Whether a file has a name that its page's card gets: that of `#publish`. */
function isCard(name: string, stem: string): boolean {
  return name.startsWith(stem) && /^(?:-\d+)?\.png$/u.test(name.slice(stem.length));
}

/** Names a page in file names: an index page by its folder. */
function stemOf(page: vscode.Uri): string {
  const { name, dir } = posix.parse(page.path);
  const root = vscode.workspace.getWorkspaceFolder(page)?.uri.path;
  const isIndex = /^_?index$/iu.test(name) && root !== undefined && wayBelow(root, dir) !== '';
  const plain = (isIndex ? posix.basename(dir) : name).replaceAll(/[{}[\]]+/gu, ' ').trim();
  return portableName(plain === '' ? 'page' : plain, longestName);
}
