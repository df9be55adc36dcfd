import * as vscode from 'vscode';
import type { ErrorCode } from '../common/limnerError.ts';
import type { TaskStatus } from '../common/taskStatus.ts';
import { type ImageCounts, imageCounts } from '../common/resultAvailability.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskOutcome } from './paint/taskRuns.ts';
import { damagedFiles, savedFiles } from './taskList/taskLabels.ts';
import type { EngineHost } from './window/engineHost.ts';
import * as commands from './commandIds.ts';
import type { PaintArguments } from './paint/paintArguments.ts';

/** One task of the list, as other extensions see it. */
export interface LimnerTask {
  id: string;
  kind: 'generate' | 'edit';
  prompt: string;
  model: string;
  status: TaskStatus;
  /** When it was started, in Unix milliseconds. */
  createdAt: number;
  /** 0–100, while the service reports it. */
  progress?: number;
  /** The saved files, in the order of their images. */
  files: vscode.Uri[];
  /** How many images it was to bring, and how many came. */
  images: ImageCounts;
  /** Those of the files that were saved as received although they are truncated or damaged. */
  damagedFiles: vscode.Uri[];
  /** Why it ended without all of its images, or what it waits for. */
  error?: { code: ErrorCode; message: string };
}

/** Arguments with which nothing is asked. */
type PromptArguments = PaintArguments & { prompt: string };

/** The API for other extensions; events begin once the task list is open. */
export class Api implements vscode.Disposable {
  readonly version = 1;
  readonly #engine: EngineHost;
  readonly #changed = new vscode.EventEmitter<readonly string[]>();
  readonly #subscriptions: { dispose(): void }[] = [];

  /** Fires with the IDs of tasks that were added, changed or removed, in whichever window. */
  readonly onDidChangeTasks: vscode.Event<readonly string[]> = this.#changed.event;

  constructor(engine: EngineHost) {
    this.#engine = engine;
    this.#subscriptions.push(
      engine.onDidOpen(({ store }) => {
        this.#subscriptions.push(store.onDidChange((ids) => this.#changed.fire(ids)));
      }),
    );
  }

  /**
   * Generates images and asks nothing but what `limner.confirmAbove` and `limner.budget` say; resolves when they are saved. A repeated
   * call within about three seconds, as of a key that is held down, joins the same run.
   *
   * @throws Error with a `code`
   */
  async generate(given: PromptArguments): Promise<TaskOutcome> {
    return vscode.commands.executeCommand<TaskOutcome>(commands.generate, given);
  }

  /**
   * Edits an image, or several as inputs of one edit; otherwise like `generate`.
   *
   * @throws Error with a `code`
   */
  async edit(uri: vscode.Uri | string | undefined, given: PromptArguments): Promise<TaskOutcome> {
    return vscode.commands.executeCommand<TaskOutcome>(commands.edit, uri, given);
  }

  /** Returns the newest tasks of all windows, newest first. */
  async tasks(limit = 100): Promise<LimnerTask[]> {
    const { store } = await this.#engine.get();
    return store.list({ limit }).map(described);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }
}

/** The return value of `activate()`, which other extensions get as `exports`. */
export type LimnerApi = Omit<Api, 'dispose'>;

function described(task: Task): LimnerTask {
  const { id, request, status, createdAt, progress, error } = task;
  return {
    id,
    kind: request.kind,
    prompt: request.prompt,
    model: request.model,
    status,
    createdAt,
    ...(progress !== undefined && { progress }),
    files: savedFiles(task),
    images: imageCounts(task),
    damagedFiles: damagedFiles(task),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}
