import * as vscode from 'vscode';
import { noLongerListed, type TaskImage } from '../actions/imageActs.ts';
import {
  chosenRows,
  imageOf,
  replacingImageOf,
  type SavedImage,
  type TaskArgument,
} from '../actions/taskArgument.ts';
import { reported } from '../questions/refusal.ts';
import type { TaskTree } from '../taskList/taskTree.ts';
import type { EngineHost } from '../window/engineHost.ts';

type RowCommand = (argument: unknown, selection?: unknown) => Promise<void>;

/** Makes commands of acts on rows of the task list; each reports its own failures. */
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
   * Acts on all selected rows at once.
   *
   * @param action is told whether a key was pressed: the selection need not be where the focus is then
   */
  onAll(action: (chosen: readonly TaskArgument[], isByKey: boolean) => Promise<void>): RowCommand {
    return async (argument, selection) => {
      const isByKey = asksForSelection(argument);
      const chosen = isByKey ? chosenRows(undefined, this.#tree.selection) : chosenRows(argument, selection);
      if (chosen.length > 0) {
        await reported(this.#log, async () => action(chosen, isByKey));
      } else if (isByKey) {
        void vscode.window.showInformationMessage(vscode.l10n.t('Select a row of the task list first.'));
      } else {
        // While VS Code reloads the list it has no rows, and a command chosen from a menu then comes without one.
        void vscode.window.showInformationMessage(
          vscode.l10n.t('The task list just changed. Run the command again.'),
        );
      }
    };
  }

  /** Acts on the row that it is run on, whatever else is selected. */
  on(action: (argument: TaskArgument) => Promise<void>): RowCommand {
    const onFirst = this.onAll(async ([first]) => action(first));
    return async (argument) => onFirst(argument);
  }

  /** Acts on the image of the row that it is run on: the first one of a task. */
  onImage(action: (image: SavedImage) => Promise<void>): RowCommand {
    return this.#onFound(imageOf, action);
  }

  /** Acts on the image of the row that it is run on: the one of a task that replaced its original last. */
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
        throw noLongerListed();
      }
      await action(image);
    });
  }

  /** Acts on each selected row, one after another. */
  onEach(action: (argument: TaskArgument) => Promise<void>): RowCommand {
    return this.onAll(async (chosen) => {
      for (const one of chosen) {
        await action(one);
      }
    });
  }
}

/** Whether the key bindings of package.json passed this: VS Code gives them no row. */
function asksForSelection(argument: unknown): boolean {
  return (
    typeof argument === 'object' && argument !== null && 'rows' in argument && argument.rows === 'selected'
  );
}
