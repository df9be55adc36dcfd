import * as vscode from 'vscode';
import { fileUri, isSameFile } from '../../common/fileUris.ts';
import { restorable } from '../../common/taskStatus.ts';
import type { TaskStore } from '../../engine/store/taskStore.ts';
import type { Task, TaskInput, TaskResult } from '../../engine/task/task.ts';
import { contextKeys } from '../window/names.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isSame, statOf, isOwn } from '../window/files.ts';
import { type SavedResult, savedImages } from './taskLabels.ts';

/** Number of edits, newest first, that file editors know. */
const knownEdits = 100;

type Source = Pick<TaskStore, 'get' | 'list'>;

interface Edit {
  task: Task;
  result: SavedResult;
}

interface Replacing {
  task: Task;
  result: TaskResult;
  original: vscode.Uri;
}

/** Returns the user's file that was edited; undefined for a pasted image. */
export function originalOf({ request }: Pick<Task, 'request'>): vscode.Uri | undefined {
  const { uri = '' } = editedInput(request) ?? {};
  const original = uri === '' ? undefined : vscode.Uri.parse(uri);
  return original && !isOwn(original) ? original : undefined;
}

/** Returns the image that a user edited. An edit to black, which Limner made itself, counts as an edit of its original. */
export function editedInput({ images, original, finish }: Task['request']): TaskInput | undefined {
  return finish?.cutout?.by === 'grounds' ? original : images?.[0];
}

export async function keptOriginalOf({ results }: Task): Promise<vscode.Uri | undefined> {
  const replaced = results.flatMap((result) => restorable(result) ?? []);
  // The earliest replacement holds the original.
  for (const { path } of replaced.toSorted((one, other) => one.at - other.at)) {
    const kept = vscode.Uri.file(path);
    if (await statOf(kept)) {
      return kept;
    }
  }
  return undefined;
}

/** Returns the path of the first image that was sent, if any. */
export async function sentPath(task: Task): Promise<string | undefined> {
  const input = editedInput(task.request);
  const isCopy = input && !isSameFile(input.uri, fileUri(input.path));
  const kept = isCopy ? undefined : await keptOriginalOf(task);
  return input && (kept?.fsPath ?? input.path);
}

/** Tells VS Code which files are edits, so that their editor titles offer to compare them with their originals. */
export function markEdits(engine: EngineHost): vscode.Disposable {
  return engine.onDidOpen(({ store }) => {
    const edits = new RecentEdits(store);
    let marked = '';
    const mark = (): void => {
      const { images } = edits;
      const replacing = images.filter((image) => restorable(image) !== undefined);
      const files = {
        [contextKeys.edits]: images.map(({ uri }) => uri),
        [contextKeys.replacingEdits]: replacing.map(({ uri }) => uri),
        [contextKeys.replacedOriginals]: edits.replacing.map(({ original }) => original.toString()),
      };
      if (JSON.stringify(files) !== marked) {
        marked = JSON.stringify(files);
        for (const [key, uris] of Object.entries(files)) {
          setContext(key, uris);
        }
      }
    };
    store.onDidChange((ids) => {
      edits.update(ids);
      mark();
    });
    mark();
  });
}

/** Returns the newest known edit that was saved as this file. */
export function editAt(store: Source, file: vscode.Uri): Edit | undefined {
  return new RecentEdits(store).all.find(({ result }) => isSameFile(result.uri, file.toString()));
}

/**
 * Returns the image whose original can be restored from this file: the image itself, or the last one to replace the
 * file.
 */
export function replacingImageAt(store: Source, file: vscode.Uri): Omit<Replacing, 'original'> | undefined {
  const edit = editAt(store, file);
  return edit && restorable(edit.result)
    ? edit
    : new RecentEdits(store).replacing.find(({ original }) => isSame(original, file));
}

/** The newest edits. The store is read once; after that, a change costs no more than its tasks. */
export class RecentEdits {
  readonly #store: Source;
  #tasks: Map<string, Task>;

  constructor(store: Source) {
    this.#store = store;
    this.#tasks = this.#read();
  }

  /** Images made from files, newest first. */
  get all(): Edit[] {
    return [...this.#tasks.values()].flatMap((task) =>
      originalOf(task) ? savedImages(task).map((result) => ({ task, result })) : [],
    );
  }

  /** Images that replaced their originals, latest first. Some may be discarded themselves. */
  get replacing(): Replacing[] {
    return [...this.#tasks.values()]
      .flatMap((task) => {
        const original = originalOf(task);
        return original ? task.results.map((result) => ({ task, result, original })) : [];
      })
      .filter(({ result }) => restorable(result))
      .toSorted(
        (one, other) => (other.result.replacedOriginal?.at ?? 0) - (one.result.replacedOriginal?.at ?? 0),
      );
  }

  get images(): SavedResult[] {
    return this.all.map(({ result }) => result);
  }

  update(ids: readonly string[]): void {
    const changed = ids.map((id) => ({ id, task: this.#store.get(id) }));
    for (const { id, task } of changed) {
      if (task && this.#tasks.has(id)) {
        this.#tasks.set(id, task);
      }
    }
    // Added or removed edits may change which ones are the newest.
    if (changed.some(({ id, task }) => this.#tasks.has(id) !== (task?.request.kind === 'edit'))) {
      this.#tasks = this.#read();
    }
  }

  #read(): Map<string, Task> {
    const tasks = this.#store.list({ kind: 'edit', limit: knownEdits });
    return new Map(tasks.map((task) => [task.id, task]));
  }
}

/** Passes URIs rather than texts: VS Code converts them to the notation of its window, which may be on another host. */
function setContext(key: string, files: readonly string[]): void {
  const uris = files.map((uri) => vscode.Uri.parse(uri, true));
  void vscode.commands.executeCommand('setContext', key, uris);
}
