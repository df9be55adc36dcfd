import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TaskAction } from '../engine/operations/availableActions.ts';
import type { Task } from '../engine/task/task.ts';
import { noLongerListed, type TaskImage } from './actions/imageFileQueue.ts';
import {
  chosenRows,
  imageOf,
  listedImage,
  offering,
  replacingImageOf,
  type SavedImage,
  type TaskArgument,
} from './actions/taskArgument.ts';
import { reported } from './ask/refusal.ts';
import type { TaskTree } from './taskList/taskTree.ts';
import type { EngineHost } from './window/engineHost.ts';

type RowCommand = (argument: unknown, selection?: unknown) => Promise<void>;

/** Makes commands that act on rows of the task list. Each reports its own failures. */
export class RowCommands {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #tree: Pick<TaskTree, 'selection'>;
  readonly #log: vscode.LogOutputChannel;

  constructor(
    engine: Pick<EngineHost, 'get'>,
    tree: Pick<TaskTree, 'selection'>,
    log: vscode.LogOutputChannel,
  ) {
    this.#engine = engine;
    this.#tree = tree;
    this.#log = log;
  }

  /**
   * Acts on all selected rows at once. A key means the row with the focus ring, which may be none of them.
   *
   * @param action is told whether a key was pressed
   */
  onAll(action: (chosen: readonly TaskArgument[], isByKey: boolean) => Promise<void>): RowCommand {
    return async (argument, selection) => {
      const isByKey = isFromKey(argument);
      const chosen = chosenRows(argument, selection ?? (isByKey ? this.#selectedWith(argument) : undefined));
      if (chosen.length > 0) {
        await reported(this.#log, async () => action(chosen, isByKey));
      } else if (isByKey) {
        void vscode.window.showInformationMessage(l10n.t('Select a row in the task list first.'));
      } else {
        // The list has no rows while VS Code reloads it, so a menu command may come without one.
        void vscode.window.showInformationMessage(
          l10n.t('The task list just changed. Run the command again.'),
        );
      }
    };
  }

  /** Acts on its own row, whatever is selected. */
  on(action: (argument: TaskArgument) => Promise<void>): RowCommand {
    const onFirst = this.onAll(async ([first]) => action(first));
    return async (argument) => onFirst(argument, isFromKey(argument) ? argument : undefined);
  }

  /** Returns the selected rows if the focused one is among them, else that alone. */
  #selectedWith(focused: readonly unknown[]): readonly unknown[] {
    const { selection } = this.#tree;
    return selection.some((row) => focused.includes(row)) ? selection : focused;
  }

  /** Acts on the row's image, or on the first image of a task. */
  onImage(action: (image: SavedImage) => Promise<void>): RowCommand {
    return this.#onFound(imageOf, action);
  }

  /** Does the same wherever its file is. */
  onListedImage(action: (image: SavedImage) => Promise<void>): RowCommand {
    return this.#onFound(listedImage, action);
  }

  /** Acts on the row's image, or on the task's image that last replaced its original. */
  onReplacingImage(action: (image: TaskImage) => Promise<void>): RowCommand {
    return this.#onFound(replacingImageOf, action);
  }

  #onFound<T>(
    find: (engine: Pick<EngineHost, 'get'>, row: TaskArgument) => Promise<T | undefined>,
    action: (image: T) => Promise<void>,
  ): RowCommand {
    return this.on(async (row) => {
      const image = await find(this.#engine, row);
      if (!image) {
        await offering(this.#engine, [row], 'images', 'restore');
        throw noLongerListed();
      }
      await action(image);
    });
  }

  /** Acts on the row's task if it offers one of the actions, if any is named, and otherwise says so. */
  onTask(actions: readonly TaskAction[], action: (task: Task) => Promise<void>): RowCommand {
    return this.on(async (row) => {
      for (const task of await offering(this.#engine, [row], ...actions)) {
        await action(task);
      }
    });
  }

  /** Acts on each of the selected tasks that offers one of the actions, and says so if none does. */
  onEach(actions: readonly TaskAction[], action: (task: string) => Promise<void>): RowCommand {
    return this.onAll(async (chosen) => {
      for (const { id } of await offering(this.#engine, chosen, ...actions)) {
        await action(id);
      }
    });
  }
}

/** Whether a key binding of package.json passed this: the focused row in an array. */
function isFromKey(argument: unknown): argument is readonly unknown[] {
  return Array.isArray(argument);
}
