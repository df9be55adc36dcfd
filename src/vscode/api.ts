import * as vscode from 'vscode';
import type { ErrorCode } from '../common/limnerError.ts';
import { type TaskStatus, type ImageCounts, imageCounts } from '../common/taskStatus.ts';
import type { Task } from '../engine/task/task.ts';
import type { TaskOutcome } from './generate/taskRuns.ts';
import { damagedFiles, savedFiles } from './taskList/taskLabels.ts';
import type { EngineHost } from './window/engineHost.ts';
import * as commands from './window/commandIds.ts';
import type { PaintArguments } from './generate/paintArguments.ts';

/** Task of the list, for other extensions. */
export interface LimnerTask {
  id: string;
  kind: 'generate' | 'edit';
  prompt: string;
  model: string;
  status: TaskStatus;
  /** Start time, in Unix milliseconds. */
  createdAt: number;
  /** 0–100, if the service reports it. */
  progress?: number;
  /** Saved files, in the order of their images. */
  files: vscode.Uri[];
  images: ImageCounts;
  damagedFiles: vscode.Uri[];
  /** Reason why it ended without all of its images, or what it waits for. */
  error?: { code: ErrorCode; message: string };
}

/** Arguments that replace all questions. */
type PromptArguments = PaintArguments & { prompt: string };

/** API for other extensions. Events start once the task list is open. */
export class Api implements vscode.Disposable {
  readonly version = 1;
  readonly #engine: EngineHost;
  readonly #changed = new vscode.EventEmitter<readonly string[]>();
  readonly #subscriptions: { dispose(): void }[] = [];

  /** Fires with the IDs of tasks that any window added, changed, or removed. */
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
   * Generates images, and resolves when they are saved. Asks only if `limner.confirmAbove` or `limner.budget` requires
   * it. A call that is repeated within about three seconds, such as by a held key, joins the same run.
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

  async tasks(limit = 100): Promise<LimnerTask[]> {
    const { store } = await this.#engine.get();
    return store.list({ limit }).map(described);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }
}

/** Value of `activate()`, which other extensions get as `exports`. */
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
