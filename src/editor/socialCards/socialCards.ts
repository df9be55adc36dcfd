// Room: the social cards of pages: their backgrounds, their files, and how pages come to name them.
// Never: how a page is read, how a card is drawn.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import { portableName } from '../../tasks/files/fileNames.ts';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { Task, TaskRequest } from '../../tasks/task.ts';
import { commandAction, type ErrorAction, offer } from '../failures/errorText.ts';
import { publishBytes } from '../actions/publishBytes.ts';
import type { Documents } from '../documents/documents.ts';
import type { CardFile } from '../documents/socialPages.ts';
import type { Painting } from '../paint/painting.ts';
import { refuse, reported } from '../questions/refusal.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { oneLine, plainText } from '../window/plainText.ts';
import { isSameFile, wayBelow } from '../../common/disk/fileUris.ts';
import { standingOf } from '../../common/taskStatus.ts';
import { openIfThere, type PageChanges } from './pageChanges.ts';

/** In pixels: what networks show without cutting anything off. */
const size = { width: 1200, height: 630 };
const cardSize = `${size.width}x${size.height}`;
/** Longest name of a page in the names of its files, in UTF-8 bytes. */
const longestName = 80;
/** Among so many tasks, the newest, the last card of a page is looked for. */
const newestTasks = 1000;
/** How many files of one name are looked through for the same card. */
const mostCards = 100;

export interface SocialCardServices {
  engine: EngineHost;
  painting: Painting;
  documents: () => Promise<Documents>;
  changes: PageChanges;
  /** Shows a task in the studio. */
  show: (task: Task) => Promise<void>;
  log: vscode.LogOutputChannel;
}

/** A card as the studio drew it. */
export interface DrawnCard {
  /** A PNG. */
  bytes: Uint8Array;
  /** What stands on it. */
  title: string;
  siteName: string;
}

export class SocialCards {
  readonly #services: SocialCardServices;

  constructor(services: SocialCardServices) {
    this.#services = services;
  }

  /** `limner.generateSocialCard`: makes the background of a page's card, and shows it in the studio. @param uri of the page; the active one without it */
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
          vscode.l10n.t('Open the Markdown, MDX, Astro, or HTML page that the social card is for.'),
        );
      }
      if (document.isUntitled) {
        throw refuse(
          'invalid_request',
          vscode.l10n.t('Save the page first: its social card is saved beside it.'),
        );
      }
      const page = await reader.read(document.uri);
      if (!page) {
        const { message, actions } = reader.lossy(document);
        throw refuse('invalid_request', message, actions);
      }
      const words = (await reader.pages.read(page)) ?? shown;
      const earlier = await this.#cardOf(document.uri);
      if (earlier && (await wantsEarlier(earlier, nameOf(document.uri)))) {
        await show(earlier);
        return;
      }
      const stem = stemOf(document.uri);
      const title = oneLine(words.title) || stem;
      const task = await painting.proposeCard(
        {
          given: {
            prompt: promptFor(title, oneLine(words.description)),
            n: 1,
            size: cardSize,
            fit: 'crop',
            fileName: `${stem}-background`,
          },
          socialCard: { document: document.uri.toString(), title, siteName: oneLine(words.siteName) },
        },
        plainText(nameOf(document.uri)),
      );
      await (task && show(task));
    });
  }

  /**
   * Returns what makes the image of a draft another background of the card that was made from it last, with the words that
   * are on that by now; nothing where that was none, or the draft is of another size or an edit.
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
   * Saves a card beside the images of its page, never over another file, and shows how the page comes to name it.
   *
   * @returns the name of the file; the page changes later, and only if the person accepts that
   * @throws LimnerError `invalid_request` when the task is of no card
   */
  async save({ request: { socialCard, target } }: Task, card: DrawnCard): Promise<string> {
    if (!socialCard) {
      throw refuse('invalid_request', vscode.l10n.t('The image is not the background of a social card.'));
    }
    const page = vscode.Uri.parse(socialCard.document, true);
    const document = await openIfThere(page);
    const folder = document
      ? await (await this.#services.documents()).pages.folderFor(document)
      : vscode.Uri.parse(target.folder, true);
    const uri = await this.#publish(folder, `${stemOf(page)}-card`, card.bytes);
    const alt = [card.title, card.siteName].map(oneLine).filter((words) => words !== '');
    void this.#tellPage(page, { uri, ...size, alt: alt.join(' · ') });
    return nameOf(uri);
  }

  /** Shows the change of a page that names a card, writes it once it is accepted, and says what became of it. */
  async #tellPage(page: vscode.Uri, card: CardFile): Promise<void> {
    const names = [plainText(nameOf(card.uri)), plainText(nameOf(page))] as const;
    const open = commandAction(vscode.l10n.t('Open Card'), 'vscode.open', card.uri);
    const again = {
      title: vscode.l10n.t('Show the Change…'),
      run: async () => this.#tellPage(page, card),
    };
    const { changes, documents, log } = this.#services;
    await reported(log, async () => {
      const reader = await documents();
      switch (await changes.confirm(reader, page, card)) {
        case 'written':
          await tell(vscode.l10n.t('Saved {0}, and {1} names it.', ...names), open);
          break;
        case 'path':
          await warn(
            vscode.l10n.t(
              'Saved {0}, and {1} names it by its path. Networks need a whole address: with <link rel="canonical"> in the page, Limner writes it.',
              ...names,
            ),
            open,
          );
          break;
        case 'same':
          await tell(vscode.l10n.t('Saved {0}. {1} names it already.', ...names), open);
          break;
        case 'declined':
          await tell(vscode.l10n.t('Saved {0}. {1} was left as it is.', ...names), again, open);
          break;
        case 'failed':
          await warn(
            vscode.l10n.t(
              "Saved {0}. {1} changed meanwhile or can't be written, and was left as it is.",
              ...names,
            ),
            again,
            open,
          );
          break;
        case 'unknown':
          await warn(
            vscode.l10n.t(
              'Saved {0}. Only the author of {1} knows where it names its image, so it was left as it is.',
              ...names,
            ),
            open,
            commandAction(vscode.l10n.t('Copy Path'), 'copyFilePath', card.uri),
          );
          break;
        case 'gone':
          await warn(vscode.l10n.t("Saved {0}. {1} is no longer there or can't be read.", ...names), open);
          break;
        case 'lossy': {
          const { message, actions } = reader.lossy({ uri: page });
          await warn(message, ...actions, again, open);
          break;
        }
      }
    });
  }

  /** Returns the newest task of a page's card that is under way, or that has its image. */
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

  /** Makes a file of a card, unless there is one of it already. */
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

/** Asks whether to change the words on a card that there is, or to make a new background. */
async function wantsEarlier(task: Task, page: string): Promise<boolean> {
  const items = [
    {
      label: vscode.l10n.t('Open Its Card'),
      description:
        standingOf(task) === 'ended'
          ? vscode.l10n.t('to change words, font, and colors, at no cost')
          : vscode.l10n.t('its background is being made'),
      isEarlier: true,
    },
    {
      label: vscode.l10n.t('Make Another Background…'),
      description: vscode.l10n.t('1 image, which may be billed'),
      isEarlier: false,
    },
  ];
  const title = vscode.l10n.t('{0} has a social card', plainText(page));
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (!chosen) {
    throw new vscode.CancellationError();
  }
  return chosen.isEarlier;
}

/** Proposes a prompt for a background that leaves the words to Limner. */
function promptFor(title: string, description: string): string {
  const subject = description === '' ? title : `${title}: ${description}`;
  return vscode.l10n.t(
    'A calm, wide illustration about "{0}", with room for a headline; no text, no letters, no logos',
    subject.replaceAll('"', "'"),
  );
}

/** Returns the name of a page for the names of its files: that of its folder, where it is the index of one. */
function stemOf(page: vscode.Uri): string {
  const { name, dir } = posix.parse(page.path);
  const root = vscode.workspace.getWorkspaceFolder(page)?.uri.path;
  const isIndex = /^_?index$/iu.test(name) && root !== undefined && wayBelow(root, dir) !== '';
  const plain = (isIndex ? posix.basename(dir) : name).replaceAll(/[{}[\]]+/gu, ' ').trim();
  return portableName(plain === '' ? 'page' : plain, longestName);
}
