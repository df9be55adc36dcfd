import { constants, type Stats } from 'node:fs';
import {
  access,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';

/**
 * A file system whose paths are those of the disk. A folder or file that nobody may write, by its mode, is read-only
 * whoever runs this: root too.
 */
export class FolderProvider implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #isReadonly: boolean;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.#changed.event;

  constructor(isReadonly: boolean) {
    this.#isReadonly = isReadonly;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Only what goes through this provider is told. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return inItsWords(uri, async () => {
      const stats = await stat(uri.path);
      return {
        type: typeOf(stats),
        ctime: stats.ctimeMs,
        mtime: stats.mtimeMs,
        size: stats.size,
        ...(isLocked(stats) && { permissions: vscode.FilePermission.Readonly }),
      };
    });
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return inItsWords(uri, async () =>
      (await readdir(uri.path, { withFileTypes: true })).map((entry) => [entry.name, typeOf(entry)]),
    );
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return inItsWords(uri, async () => readFile(uri.path));
  }

  async createDirectory(uri: vscode.Uri): Promise<void> {
    await this.#change(uri, vscode.FileChangeType.Created, async () => {
      await requireUnlocked(dirname(uri.path));
      await mkdir(uri.path);
    });
  }

  async writeFile(
    uri: vscode.Uri,
    content: Uint8Array,
    { create, overwrite }: { create: boolean; overwrite: boolean },
  ): Promise<void> {
    const exists = await isThere(uri);
    const type = exists ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    await this.#change(uri, type, async () => {
      if (exists && create && !overwrite) {
        throw vscode.FileSystemError.FileExists(uri);
      }
      if (!exists && !create) {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      await requireUnlocked(exists ? uri.path : dirname(uri.path));
      await writeFile(uri.path, content, { flag: overwrite ? 'w' : 'wx' });
    });
  }

  async delete(uri: vscode.Uri, { recursive }: { recursive: boolean }): Promise<void> {
    await this.#change(uri, vscode.FileChangeType.Deleted, async () => {
      await requireUnlocked(dirname(uri.path));
      const isFolder = (await stat(uri.path)).isDirectory();
      await (recursive ? rm(uri.path, { recursive }) : isFolder ? rmdir(uri.path) : unlink(uri.path));
    });
  }

  async rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }): Promise<void> {
    await this.#change(to, vscode.FileChangeType.Created, async () => {
      if (!overwrite && (await isThere(to))) {
        throw vscode.FileSystemError.FileExists(to);
      }
      await requireUnlocked(dirname(from.path));
      await requireUnlocked(dirname(to.path));
      await rename(from.path, to.path);
    });
    this.#changed.fire([{ uri: from, type: vscode.FileChangeType.Deleted }]);
  }

  async #change(uri: vscode.Uri, type: vscode.FileChangeType, make: () => Promise<void>): Promise<void> {
    if (this.#isReadonly) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    await inItsWords(uri, make);
    this.#changed.fire([{ uri, type }]);
  }
}

function typeOf(entry: Pick<Stats, 'isDirectory' | 'isFile'>): vscode.FileType {
  if (entry.isDirectory()) {
    return vscode.FileType.Directory;
  }
  return entry.isFile() ? vscode.FileType.File : vscode.FileType.Unknown;
}

async function isThere({ path }: vscode.Uri): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}

function isLocked({ mode }: Stats): boolean {
  return (mode & 0o222) === 0;
}

async function requireUnlocked(path: string): Promise<void> {
  if (isLocked(await stat(path))) {
    throw vscode.FileSystemError.NoPermissions(path);
  }
}

/** Errors of the disk as VS Code knows them. */
async function inItsWords<T>(uri: vscode.Uri, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'ENOENT':
        throw vscode.FileSystemError.FileNotFound(uri);
      case 'EEXIST':
        throw vscode.FileSystemError.FileExists(uri);
      case 'ENOTDIR':
        throw vscode.FileSystemError.FileNotADirectory(uri);
      case 'EISDIR':
        throw vscode.FileSystemError.FileIsADirectory(uri);
      case 'EACCES':
      case 'EPERM':
      case 'EROFS':
        throw vscode.FileSystemError.NoPermissions(uri);
      default:
        throw error;
    }
  }
}
