import * as vscode from 'vscode';
import { Semaphore } from '../../common/semaphore.ts';
import type { Engine } from '../../engine.ts';
import { isGone } from '../../common/fileErrors.ts';
import { versionOf } from '../window/files.ts';
import type { Task } from '../../tasks/task.ts';
import { outcomeOf, savedImages, type SavedResult } from './taskLabels.ts';
import type { ImageRow, TaskRow } from './taskNode.ts';

interface FileState {
  /** Changes whenever the file does. */
  stamp: string;
  gone: boolean;
  /** Absent until it is wanted, and where none can be made. */
  thumbnail?: vscode.Uri;
  /** Whether a thumbnail was wanted. */
  wanted: boolean;
}

type FileRow = TaskRow | ImageRow;

/** What is known of the files of rows: which are missing, and their thumbnails. Found out once the rows are drawn. */
export class RowFiles {
  readonly #states = new Map<string, FileState>();
  /** Rows that are being looked at, and whether they were drawn again meanwhile. */
  readonly #looking = new Map<FileRow, { again: boolean }>();
  /** One thumbnail is made at a time. */
  readonly #making = new Semaphore(() => 1);
  readonly #redraw: (row: FileRow) => void;
  #thumbnails: Pick<Engine['thumbnails'], 'of'> | undefined;
  #isDisposed = false;

  /** @param redraw called with a row whose files are not what it shows */
  constructor(redraw: (row: FileRow) => void) {
    this.#redraw = redraw;
  }

  /** Begins to make thumbnails. */
  open({ thumbnails }: { thumbnails: Pick<Engine['thumbnails'], 'of'> }): void {
    this.#thumbnails = thumbnails;
  }

  /** Whether the row has files, and all of them are missing. */
  areGone(row: FileRow): boolean {
    const images = imagesOf(row);
    return images.length > 0 && images.every(({ uri }) => this.#states.get(uri)?.gone);
  }

  /** Returns the thumbnail of the image that stands for a row. */
  thumbnailOf(row: FileRow): vscode.Uri | undefined {
    const image = this.picturedBy(row);
    return image && this.#states.get(image.uri)?.thumbnail;
  }

  /** Returns the image that stands for a row: of several the starred one, or the first, as far as they are there. */
  picturedBy(row: FileRow): SavedResult | undefined {
    const images = imagesOf(row);
    if (row.kind !== 'image' && !isComplete(row.task)) {
      return undefined;
    }
    const there = images.filter(({ uri }) => !this.#states.get(uri)?.gone);
    return there.find(({ starred }) => starred) ?? there[0] ?? images[0];
  }

  /** Looks at the files of a row that is being drawn. A file system that does not answer holds up no other row. */
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
          await this.#lookAtFile(image, false);
        }
        const pictured = this.picturedBy(row);
        await (pictured && this.#lookAtFile(pictured, true));
        if (this.#shownBy(row) !== shown && !this.#isDisposed) {
          this.#redraw(row);
        }
      } while (looking.again && !this.#isDisposed);
    } finally {
      this.#looking.delete(row);
    }
  }

  async #lookAtFile({ uri }: SavedResult, isPictured: boolean): Promise<void> {
    const before = this.#states.get(uri);
    const file = vscode.Uri.parse(uri);
    if (!isNear(file)) {
      return;
    }
    const found = await stateOf(file);
    const wanted = isPictured && !found.gone;
    if (before?.stamp === found.stamp && (before.wanted || !wanted)) {
      return;
    }
    const path =
      wanted && file.scheme === 'file'
        ? await this.#making.use(1, async () => this.#thumbnails?.of(file.fsPath))
        : undefined;
    this.#states.set(uri, {
      ...found,
      wanted,
      ...(path !== undefined && { thumbnail: vscode.Uri.file(path) }),
    });
  }
}

/** Whether a file is on disk or where a folder is open: others would wake the extensions that have their files. */
function isNear({ scheme, authority }: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return scheme === 'file' || folders.some(({ uri }) => uri.scheme === scheme && uri.authority === authority);
}

/** Returns what tells whether a file has changed. One that cannot be reached is not missing. */
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

/** Whether a task brought all of its images; the icon of another one says what became of it. */
function isComplete(task: Task): boolean {
  const { saved, wanted } = outcomeOf(task);
  return task.status === 'completed' && saved === wanted;
}
