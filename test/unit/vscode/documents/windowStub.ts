// As much of `vscode` as the images of documents need: documents in memory, files on disk, messages that wait for their
// button.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { URI, Utils } from 'vscode-uri';

/** VS Code's own, from its package. */
export const Uri = Object.assign(URI, {
  joinPath: (uri: URI, ...names: string[]) => Utils.joinPath(uri, ...names),
});
export type Uri = URI;

/** A place in a text, by its offset. */
interface Position {
  offset: number;
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}

export class Document {
  readonly uri: Uri;
  readonly isUntitled = false;
  readonly languageId = 'plaintext';
  readonly encoding = 'utf8';
  version = 1;
  isDirty = false;
  #text: string;

  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.#text = text;
  }

  /** As it is on disk, if it is there. */
  getText(range?: Range): string {
    const text = existsSync(this.uri.fsPath) ? readFileSync(this.uri.fsPath, 'utf8') : this.#text;
    return text.slice(range?.start.offset, range?.end.offset);
  }

  positionAt(offset: number): Position {
    return { offset };
  }

  write(text: string): void {
    writeFileSync(this.uri.fsPath, text);
    this.version++;
  }
}

export class WorkspaceEdit {
  readonly changes: { uri: Uri; range: Range; text: string }[] = [];

  get size(): number {
    return this.changes.length;
  }

  replace(uri: Uri, range: Range, text: string): void {
    this.changes.push({ uri, range, text });
  }
}

export class DocumentPasteEdit {
  insertText: string;
  readonly title: string;
  readonly kind: DocumentDropOrPasteEditKind;

  constructor(insertText: string, title: string, kind: DocumentDropOrPasteEditKind) {
    this.insertText = insertText;
    this.title = title;
    this.kind = kind;
  }
}

export class DocumentDropOrPasteEditKind {
  static readonly Empty = new DocumentDropOrPasteEditKind('');
  static readonly Text = new DocumentDropOrPasteEditKind('text');
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  append(...parts: string[]): DocumentDropOrPasteEditKind {
    return new DocumentDropOrPasteEditKind([this.value, ...parts].join('.'));
  }
}

export class EventEmitter {
  readonly event = (): { dispose(): void } => ({ dispose() {} });
}

/** A message that is shown, and how to press one of its buttons. */
export interface Message {
  text: string;
  press: (button: string) => void;
}

/** What tests arrange, and what came of it. */
export const arranged = {
  /** The folder that is open, by its path or URI string. */
  root: '',
  /** Other folders of the workspace. */
  otherRoots: new Array<string>(),
  isReadonly: false,
  documents: new Map<string, Document>(),
  messages: new Array<Message>(),
  /** Documents that were shown, and commands that ran. */
  acts: new Array<string>(),
  /** Of what has its progress in sight. */
  cancelled: { isCancellationRequested: false },
  /** Of `files.exclude`. */
  excluded: {},
  /** Of `files.readonlyInclude` and `files.readonlyExclude`. */
  readonlyInclude: {},
  readonlyExclude: {},
  /** Lists that were shown, and how the next ones are answered. */
  lists: new Array<QuickPick>(),
  answers: new Array<'accept' | 'press' | 'dismiss'>(),
};

export class CancellationError extends Error {}

const event = (): { dispose(): void } => ({ dispose() {} });
const show = async (text: string): Promise<string> =>
  new Promise((press) => {
    arranged.messages.push({ text, press });
  });

function notFound(): never {
  throw Object.assign(new Error('Nothing is there.'), { code: 'FileNotFound' });
}

/** An entry of a list, or the heading of a group. */
interface Entry {
  label: string;
  detail?: string;
  kind?: number;
}

/** A list that is answered as soon as it is shown: as arranged, or with what is selected in it. */
export class QuickPick {
  title = '';
  items: readonly Entry[] = [];
  selectedItems: readonly Entry[] = [];
  buttons: readonly { tooltip: string }[] = [];
  #accept = (): void => {};
  #press = (): void => {};
  #dismiss = (): void => {};
  #changeSelection = (): void => {};
  readonly onDidTriggerItemButton = event;
  readonly dispose = (): void => {};

  readonly onDidAccept = (accept: () => void): { dispose(): void } => {
    this.#accept = accept;
    return event();
  };

  readonly onDidChangeSelection = (change: () => void): { dispose(): void } => {
    this.#changeSelection = change;
    return event();
  };

  readonly onDidTriggerButton = (press: () => void): { dispose(): void } => {
    this.#press = press;
    return event();
  };

  readonly onDidHide = (dismiss: () => void): { dispose(): void } => {
    this.#dismiss = dismiss;
    return event();
  };

  show(): void {
    const answer = arranged.answers.shift() ?? 'accept';
    arranged.lists.push(this);
    if (answer === 'accept') {
      // As someone does who has read the list: unticks something, and ticks it again.
      const { selectedItems } = this;
      this.selectedItems = [];
      this.#changeSelection();
      this.selectedItems = selectedItems;
      this.#changeSelection();
      this.#accept();
    } else if (answer === 'press') {
      this.#press();
    }
    // If that did nothing.
    this.#dismiss();
  }
}

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const QuickPickItemKind = { Default: 0, Separator: -1 };
export const ProgressLocation = { Notification: 15 };
export const Disposable = { from: event };
export const l10n = {
  t: (text: string, ...values: unknown[]) =>
    text.replaceAll(/\{(\d+)\}/gu, (_, index: string) => String(values[Number(index)])),
};
export const commands = {
  executeCommand: async (...command: string[]) => void arranged.acts.push(command.join(' ')),
};
export const window = {
  visibleTextEditors: [],
  onDidChangeVisibleTextEditors: event,
  showWarningMessage: show,
  showInformationMessage: show,
  showErrorMessage: show,
  createQuickPick: () => new QuickPick(),
  withProgress: async (
    _: unknown,
    task: (progress: unknown, cancelled: typeof arranged.cancelled) => Promise<unknown>,
  ): Promise<unknown> => task({ report() {} }, arranged.cancelled),
  showTextDocument: async ({ path }: Uri) => void arranged.acts.push(path),
};
export const env = { language: 'en' };
export const workspace = {
  isTrusted: true,
  textDocuments: [],
  get workspaceFolders() {
    return [arranged.root, ...arranged.otherRoots].map((path) => ({ uri: rootAt(path) }));
  },
  getConfiguration: () => ({
    get: (name: string) => {
      const { excluded: exclude, readonlyInclude, readonlyExclude } = arranged;
      return { exclude, readonlyInclude, readonlyExclude, encoding: 'utf8' }[name];
    },
  }),
  decode: async (bytes: Uint8Array) => new TextDecoder().decode(bytes),
  encode: async (text: string) => new TextEncoder().encode(text),
  onDidGrantWorkspaceTrust: event,
  onDidChangeTextDocument: event,
  onDidOpenTextDocument: event,
  onDidCloseTextDocument: event,
  onDidRenameFiles: event,
  onDidDeleteFiles: event,
  onDidChangeWorkspaceFolders: event,
  createFileSystemWatcher: () => ({
    onDidCreate: event,
    onDidChange: event,
    onDidDelete: event,
    dispose() {},
  }),
  getWorkspaceFolder: (uri: Uri) => {
    const root = rootAt(arranged.root);
    return cased(uri).startsWith(`${cased(root)}/`) ? { uri: root } : undefined;
  },
  asRelativePath: ({ path }: Uri) => posix.relative(rootAt(arranged.root).path, path),
  openTextDocument: async (uri: Uri) => arranged.documents.get(uri.toString()) ?? notFound(),
  applyEdit: async ({ changes }: WorkspaceEdit) => !arranged.isReadonly && apply(changes),
  fs: {
    stat: async ({ fsPath }: Uri) => {
      const stat = statSync(fsPath, { throwIfNoEntry: false }) ?? notFound();
      return { type: stat.isDirectory() ? FileType.Directory : FileType.File, size: stat.size };
    },
  },
};

/** Returns a folder that is open, by its path or URI string. */
function rootAt(root: string): Uri {
  return root.startsWith('file:') ? URI.parse(root) : URI.file(root);
}

/** Windows takes names that differ in their case for one, and so does VS Code there. */
const isWindows = process.platform === 'win32';

function cased(uri: Uri): string {
  return isWindows ? uri.toString().toLowerCase() : uri.toString();
}

function apply(changes: WorkspaceEdit['changes']): boolean {
  for (const { uri, range, text } of changes.toReversed()) {
    const document = arranged.documents.get(uri.toString());
    const before = document?.getText() ?? '';
    document?.write(before.slice(0, range.start.offset) + text + before.slice(range.end.offset));
  }
  return true;
}
