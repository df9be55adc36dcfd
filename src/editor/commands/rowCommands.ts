import * as vscode from 'vscode';
import { chosenRows, imageOf, type SavedImage, type TaskArgument } from '../actions/taskArgument.ts';
import { reported } from '../failures/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';

type RowCommand = (argument: unknown, selection?: unknown) => Promise<void>;

/** Makes commands of acts on rows of the task list; each reports its own failures. */
export class RowCommands {
  readonly #engine: EngineHost;
  readonly #log: vscode.LogOutputChannel;

  constructor(engine: EngineHost, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#log = log;
  }

  /** Acts on all selected rows at once. */
  onAll(action: (chosen: readonly TaskArgument[]) => Promise<void>): RowCommand {
    return async (argument, selection) => {
      const chosen = chosenRows(argument, selection);
      if (chosen.length > 0) {
        await reported(this.#log, async () => action(chosen));
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
    return this.on(async (row) => {
      const image = await imageOf(this.#engine, row);
      if (image) {
        await action(image);
      }
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
