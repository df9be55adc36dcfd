import * as vscode from 'vscode';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { type ImageCounts, imageCounts } from '../../common/taskStatus.ts';
import type { Task } from '../../engine/task/task.ts';
import { activeFile } from '../ask/confirm.ts';
import { failTask, reportFailure } from '../ask/refusal.ts';
import { tellTogether } from '../taskList/taskEnds.ts';
import type { TaskNotices } from '../taskList/taskNotices.ts';
import { damagedFiles, firstError, savedFiles } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import * as english from '../../common/english.ts';

/** The outcome of a run: its task and the files it saved. */
export interface TaskOutcome {
  taskId: string;
  files: vscode.Uri[];
  /** How many images were asked for, and how many came. */
  images: ImageCounts;
  /** Those of the files that were saved as received although they are truncated or damaged. */
  damagedFiles: vscode.Uri[];
}

/** Follows tasks to their end. */
export class TaskRuns {
  readonly #engine: EngineHost;
  readonly #settings: Settings;
  readonly #notices: TaskNotices;
  readonly #log: vscode.LogOutputChannel;

  constructor(engine: EngineHost, settings: Settings, notices: TaskNotices, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#settings = settings;
    this.#notices = notices;
    this.#log = log;
  }

  /** Waits for the images of a task that is being started, and finishes it. @throws as `finish` */
  async follow(started: Promise<Task>): Promise<TaskOutcome> {
    const from = tabName();
    const { id } = await started;
    return this.finish(await this.ended(id), { from });
  }

  /** Follows a task that the user does not wait for: its end is shown, not thrown. */
  followInBackground(task: Task | undefined): void {
    if (task && !this.#notices.isFollowed(task.id)) {
      const from = tabName();
      this.ended(task.id)
        .then(async (ended) => this.finish(ended, { from }))
        .catch(async (error: unknown) => reportFailure(this.#log, error));
    }
  }

  /** Follows tasks to their end without waiting for it. Those of one batch are reported once, and opened by the user. */
  followAllInBackground(tasks: readonly Task[]): void {
    for (const group of Map.groupBy(tasks, ({ id, request }) => request.batch?.id ?? id).values()) {
      if (group[0]?.request.batch) {
        this.followTogether(group.map(async (task) => Promise.resolve(task))).catch(async (error: unknown) =>
          reportFailure(this.#log, error),
        );
      } else {
        this.followInBackground(group[0]);
      }
    }
  }

  /**
   * Follows tasks that are being started together, and reports once how they ended.
   *
   * @throws the error of the first that could not be started, once the others have ended
   */
  async followTogether(starting: readonly Promise<Task | undefined>[]): Promise<void> {
    const ends = await Promise.allSettled(
      starting.map(async (start) => {
        const task = await start;
        return task && this.ended(task.id);
      }),
    );
    const ended = ends.flatMap((end) => (end.status === 'fulfilled' && end.value ? end.value : []));
    const batch = ended[0]?.request.batch;
    if (batch) {
      const { store } = await this.#engine.get();
      const meant = new Set(ended.map(({ request }) => request.batch?.index));
      void tellTogether(
        batch,
        // An image may have been made by another task meanwhile.
        store.batch(batch.id).filter(({ request }) => meant.has(request.batch?.index)),
      );
    }
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) {
      throw failed.reason;
    }
  }

  /** Waits until a task has ended, which only the caller then reports. @param resume called once it is followed */
  async ended(id: string, resume?: () => Promise<unknown>): Promise<Task> {
    const followed = this.#notices.follow(id);
    try {
      await resume?.();
      const { runner } = await this.#engine.get();
      return await runner.outcome(id);
    } finally {
      followed.dispose();
    }
  }

  /**
   * Does what `limner.afterSave` says with the first image of a task that has ended, and reports it.
   *
   * @param how `isShown`: its images are visible already, so that nothing is opened or reported; `from` names the tab
   * that was active when the run was started
   * @throws LimnerError with the task's code when it ended without a saved image
   */
  async finish(task: Task, { isShown = false, from = tabName() } = {}): Promise<TaskOutcome> {
    const files = savedFiles(task);
    const [first] = files;
    if (!first) {
      throw failTask(task, firstError(task) ?? noImage);
    }
    if (!isShown) {
      const shown = await this.#afterSave(first, from);
      void this.#notices.saved(task, shown);
    }
    return { taskId: task.id, files, images: imageCounts(task), damagedFiles: damagedFiles(task) };
  }

  /** @returns whether the image is visible now */
  async #afterSave(image: vscode.Uri, from: string): Promise<boolean> {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    switch (this.#settings.afterSave) {
      case 'open': {
        const isFree = activeTab === undefined || isImage(activeTab);
        if (!isFree && tabName() !== from) {
          // The user has turned to something else.
          return false;
        }
        await vscode.commands.executeCommand('vscode.open', image, {
          preserveFocus: true,
          preview: true,
          viewColumn: isFree ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside,
        });
        return true;
      }
      case 'reveal':
        await vscode.commands.executeCommand('revealInExplorer', image);
        if (activeTab) {
          // The Explorer has the focus now, but further typing is meant for the editor.
          await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
        }
        return true;
      case 'nothing':
        return false;
    }
  }
}

const noImage: ErrorRecord = {
  code: 'empty_result',
  message: english.t('The task ended without a saved image.'),
  billing: 'maybe',
};

/** Names the active tab; empty if there is none. */
function tabName(): string {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab ? [activeTab.label, activeFile()].join('\n') : '';
}

/** Whether a tab previews an image, which another image may take the place of. */
function isImage({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputCustom && input.viewType === 'imagePreview.previewEditor';
}
