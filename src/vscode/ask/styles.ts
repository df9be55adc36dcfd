import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { requireSize } from '../../common/regularFile.ts';
import { isLimnerError, messageOf } from '../../common/limnerError.ts';
import { inEnglish } from '../../engine/messages/language.ts';
import {
  isStyleName,
  largestStyle,
  noStyle,
  readStyle,
  type SentStyle,
  type Style,
  styleImages,
  stylesFolder,
  unknownStyle,
  unusableStyle,
} from '../../engine/operations/style.ts';
import type { TaskInput } from '../../engine/task/task.ts';
import { readIfThere, statOf } from '../window/files.ts';
import { commandAction, type ErrorAction } from '../window/offers.ts';
import { plainText } from '../window/plainText.ts';
import * as settingNames from '../window/settingNames.ts';
import type { Settings } from '../window/settings.ts';
import { choice, openSetting, type WorkspaceFolders } from './confirm.ts';
import { refuse } from './refusal.ts';

/** A style as a run uses it. */
export interface ChosenStyle extends Style {
  /** Its reference images; those of an earlier task are kept as they were sent. */
  files: readonly (vscode.Uri | TaskInput)[];
  /** Its own file; absent for that of an earlier task. */
  file?: vscode.Uri;
}

/** Returns the style of an earlier request, as it was sent. */
export function styleOfTask({ name, images = [], ...words }: SentStyle): ChosenStyle {
  return { ...words, name, images: [], files: images, hash: '' };
}

/** The styles of the open folders: files in `.limner/styles`. */
export class Styles {
  readonly #settings: Settings;
  readonly #folders: WorkspaceFolders;
  /** Whether the styles of an untrusted workspace may be used, by their hashes, until the window closes. */
  readonly #answers = new Map<string, boolean>();

  constructor(settings: Settings, folders: WorkspaceFolders) {
    this.#settings = settings;
    this.#folders = folders;
  }

  /**
   * Returns the name of the style of new images; empty for none.
   *
   * @param folder of the images; by default, of the workspace
   */
  async usual(folder?: vscode.Uri): Promise<string> {
    const [root] = await this.#roots(folder);
    const name = this.#settings.style(folder ?? root).trim();
    return name === noStyle ? '' : name;
  }

  /** Returns the names of all styles, in order. */
  async names(): Promise<string[]> {
    const roots = await this.#roots();
    const lists = roots.map(async (root) => {
      const folder = vscode.Uri.joinPath(root, stylesFolder);
      const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
      return entries.flatMap(([name]) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
    });
    return [...new Set((await Promise.all(lists)).flat())]
      .filter(isStyleName)
      .toSorted((one, other) => one.localeCompare(other));
  }

  /** Returns the file that a style has, or would have, in the folder of images. @throws LimnerError `save_failed` */
  async newFile(name: string, folder?: vscode.Uri): Promise<vscode.Uri> {
    const [root] = await this.#roots(folder);
    if (!root) {
      throw refuse('save_failed', l10n.t('Open a folder first. Styles are kept in the workspace.'), [
        commandAction(l10n.t('Open Folder…'), 'workbench.action.files.openFolder'),
      ]);
    }
    return vscode.Uri.joinPath(root, stylesFolder, `${name}.json`);
  }

  /**
   * Returns a style for a run; undefined for none. That of an untrusted workspace is shown to the user first.
   *
   * @param name empty for none; undefined for that of new images
   * @param folder of the images
   * @throws LimnerError `invalid_request` when it isn't there, or its file is invalid
   * @throws vscode.CancellationError when the user dismissed the question
   */
  async choose(name: string | undefined, folder?: vscode.Uri): Promise<ChosenStyle | undefined> {
    const style = await this.find(name ?? (await this.usual(folder)), folder);
    return style && (await this.#isAgreed(style)) ? style : undefined;
  }

  /** Returns a style without using it. @throws as `choose` */
  async find(name: string, folder?: vscode.Uri): Promise<ChosenStyle | undefined> {
    if (name === '' || name === noStyle) {
      return undefined;
    }
    for (const root of isStyleName(name) ? await this.#roots(folder) : []) {
      const file = vscode.Uri.joinPath(root, stylesFolder, `${name}.json`);
      const style = await read(file, name, root);
      if (style) {
        return style;
      }
    }
    throw refuse('invalid_request', unknownStyle(name, await this.names()).message, [
      openSetting(settingNames.style),
    ]);
  }

  /** Returns the folders where styles may be: first that of the images, or else the current one. */
  async #roots(folder?: vscode.Uri): Promise<vscode.Uri[]> {
    const own = folder && vscode.workspace.getWorkspaceFolder(folder)?.uri;
    const first = own ?? (await this.#folders.current(false));
    const all = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    return first ? [first, ...all.filter((uri) => uri.toString() !== first.toString())] : [];
  }

  async #isAgreed(style: ChosenStyle): Promise<boolean> {
    if (vscode.workspace.isTrusted) {
      return true;
    }
    const before = this.#answers.get(style.hash);
    if (before !== undefined) {
      return before;
    }
    const use = l10n.t('Use This Style');
    const without = l10n.t('Go On Without It');
    const chosen = await choice(
      l10n.t('This workspace is not trusted. Use its style {0}?', plainText(style.name)),
      [use, without],
      [...styleFacts(style), l10n.t('Limner asks again when the style changes.')].join('\n'),
    );
    if (chosen === undefined) {
      throw new vscode.CancellationError();
    }
    this.#answers.set(style.hash, chosen === use);
    return chosen === use;
  }
}

/** Returns what a style adds to the prompt, one fact a line. */
export function wordFacts({ before, after, images }: Style): string[] {
  return [
    ...(before === undefined ? [] : [l10n.t('Before the prompt: {0}', before)]),
    ...(after === undefined ? [] : [l10n.t('After the prompt: {0}', after)]),
    ...(images.length === 0 ? [] : [l10n.t('Images that are sent: {0}', images.join(', '))]),
  ];
}

/** Returns what a style adds and sets, one fact a line. */
export function styleFacts(style: Style): string[] {
  const { model, size, quality, format, transparent } = style;
  const settings = [model, size?.replace('x', ' × '), quality, format, transparent && l10n.t('transparent')];
  const set = settings.filter((one) => one !== undefined && one !== false).join(', ');
  return [...wordFacts(style), ...(set === '' ? [] : [l10n.t('Settings: {0}', set)])];
}

/** Returns the refusal of a style one of whose images can't be sent, with a button that opens the style. */
export function refusedStyle({ name, file }: ChosenStyle, error: unknown): Error {
  return refuse('invalid_request', unusableStyle(name, error).message, file ? [openStyle(file)] : []);
}

function openStyle(file: vscode.Uri): ErrorAction {
  return commandAction(l10n.t('Open Style'), 'vscode.open', file);
}

/** Reads a style; undefined if there is no such file. @throws LimnerError `invalid_request`, with a button that opens it */
async function read(file: vscode.Uri, name: string, root: vscode.Uri): Promise<ChosenStyle | undefined> {
  const stat = await statOf(file);
  if (!stat) {
    return undefined;
  }
  const shown = vscode.workspace.asRelativePath(file);
  try {
    requireSize(stat.size, largestStyle);
    const style = readStyle(new TextDecoder().decode(await readIfThere(file)), name, shown);
    const uris = await styleImages(style, file.toString(), root.toString());
    return { ...style, file, files: uris.map((uri) => vscode.Uri.parse(uri, true)) };
  } catch (error) {
    const message = isLimnerError(error)
      ? error.message
      : inEnglish(() => l10n.t("The style {0} can't be read: {1}", shown, messageOf(error)));
    throw refuse('invalid_request', message, [openStyle(file)]);
  }
}
