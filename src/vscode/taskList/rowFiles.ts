import * as vscode from 'vscode';
import { Semaphore } from '../../common/semaphore.ts';
import type { Engine } from '../../engine/run/engine.ts';
import { isGone } from '../../common/fileErrors.ts';
import { versionOf } from '../window/files.ts';
import type { Task } from '../../engine/task/task.ts';
import { outcomeOf, savedImages, type SavedResult } from './taskLabels.ts';
import type { ImageRow, TaskRow } from './taskNode.ts';

interface FileState {
  stamp: string;
  gone: boolean;
  /** Absent until it is requested, or if none can be made. */
  thumbnail?: vscode.Uri;
  wanted: boolean;
}

type FileRow = TaskRow | ImageRow;

interface Files {
  thumbnails: Pick<Engine['thumbnails'], 'of'>;
  savedFiles: Pick<Engine['savedFiles'], 'isOf'>;
}

/** File state of rows: missing files and thumbnails. It is determined once the rows are drawn. */
export class RowFiles {
  readonly #states = new Map<string, FileState>();
  /** Rows that are being checked, and whether they were drawn again meanwhile. */
  readonly #looking = new Map<FileRow, { again: boolean }>();
  readonly #making = new Semaphore(() => 1);
  readonly #redraw: (row: FileRow) => void;
  readonly #find: (task: Task, image: SavedResult) => Promise<unknown>;
  #engine: Files | undefined;
  #isDisposed = false;

  /**
   * @param redraw is called with each row whose files have changed
   * @param find looks for an image that is no longer where it was
   */
  constructor(
    redraw: (row: FileRow) => void,
    find: (task: Task, image: SavedResult) => Promise<unknown> = async () => {},
  ) {
    this.#redraw = redraw;
    this.#find = find;
  }

  open(engine: Files): void {
    this.#engine = engine;
  }

  /** Whether the row has files, all of them missing. */
  areGone(row: FileRow): boolean {
    const images = imagesOf(row);
    return images.length > 0 && images.every((image) => this.#state(row, image)?.gone);
  }

  thumbnailOf(row: FileRow): vscode.Uri | undefined {
    const image = this.picturedBy(row);
    return image && this.#state(row, image)?.thumbnail;
  }

  /** Returns the image that represents a row: the first existing starred image, else the first existing one. */
  picturedBy(row: FileRow): SavedResult | undefined {
    const images = imagesOf(row);
    if (row.kind !== 'image' && !isComplete(row.task)) {
      return undefined;
    }
    const there = images.filter((image) => !this.#state(row, image)?.gone);
    return there.find(({ starred }) => starred) ?? there[0] ?? images[0];
  }

  /** Checks the files of a row that is being drawn. An unresponsive file system holds up no other row. */
  lookAt(row: FileRow): void {
    const looking = this.#looking.get(row);
    if (looking) {
      looking.again = true;
    } else if (imagesOf(row).length > 0) {
      void this.#lookAtFiles(row);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
  }

  #state({ task }: FileRow, image: SavedResult): FileState | undefined {
    return this.#states.get(keyOf(task, image));
  }

  #shownBy(row: FileRow): string {
    return `${this.areGone(row)} ${String(this.thumbnailOf(row))}`;
  }

  async #lookAtFiles(row: FileRow): Promise<void> {
    const looking = { again: false };
    this.#looking.set(row, looking);
    try {
      do {
        looking.again = false;
        const shown = this.#shownBy(row);
        for (const image of imagesOf(row)) {
          await this.#lookAtFile(row.task, image, false);
        }
        const pictured = this.picturedBy(row);
        await (pictured && this.#lookAtFile(row.task, pictured, true));
        if (this.#shownBy(row) !== shown && !this.#isDisposed) {
          this.#redraw(row);
        }
      } while (looking.again && !this.#isDisposed);
    } finally {
      this.#looking.delete(row);
    }
  }

  async #lookAtFile(task: Task, image: SavedResult, isPictured: boolean): Promise<void> {
    const key = keyOf(task, image);
    const before = this.#states.get(key);
    const file = vscode.Uri.parse(image.uri);
    if (!isNear(file)) {
      return;
    }
    const found = await stateOf(file);
    if (!found.gone && (await this.#engine?.savedFiles.isOf(task, image)) === false) {
      found.gone = true;
    }
    const wanted = isPictured && !found.gone;
    if (before?.stamp === found.stamp && before.gone === found.gone && (before.wanted || !wanted)) {
      return;
    }
    if (found.gone && !before?.gone) {
      await this.#find(task, image);
    }
    const path =
      wanted && file.scheme === 'file'
        ? await this.#making.use(1, async () => this.#engine?.thumbnails.of(file.fsPath))
        : undefined;
    this.#states.set(key, {
      ...found,
      wanted,
      ...(path !== undefined && { thumbnail: vscode.Uri.file(path) }),
    });
  }
}

/** Several images may have been saved as one file. */
function keyOf({ id }: Task, { index, uri }: SavedResult): string {
  return `${id} ${index} ${uri}`;
}

/** Whether a file is on disk or below an open folder. Reading others would wake the extensions that provide them. */
function isNear({ scheme, authority }: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return scheme === 'file' || folders.some(({ uri }) => uri.scheme === scheme && uri.authority === authority);
}

/** Returns the state of a file. An unreachable file doesn't count as missing. */
async function stateOf(uri: vscode.Uri): Promise<Pick<FileState, 'stamp' | 'gone'>> {
  try {
    return { stamp: await versionOf(uri), gone: false };
  } catch (error) {
    const gone = isGone(error);
    return { stamp: `gone: ${gone}`, gone };
  }
}

function imagesOf(row: FileRow): SavedResult[] {
  return row.kind === 'image' ? [row.result] : savedImages(row.task);
}

/** Whether a task saved all of its images; otherwise its icon shows its status. */
function isComplete(task: Task): boolean {
  const { saved, wanted } = outcomeOf(task);
  return task.status === 'completed' && saved === wanted;
}
