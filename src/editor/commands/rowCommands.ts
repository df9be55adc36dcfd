import * as vscode from 'vscode';
import { chosenRows, type TaskArgument } from '../actions/taskArgument.ts';
import { reported } from '../failures/refusal.ts';

type RowCommand = (argument: unknown, selection?: unknown) => Promise<void>;

/** Makes commands of what can be done with rows of the task list; each says itself why it fails. */
export class RowCommands {
  readonly #log: vscode.LogOutputChannel;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** For all rows that are selected, at once. */
  onAll(action: (chosen: readonly TaskArgument[]) => Promise<void>): RowCommand {
    return async (argument, selection) => {
      const chosen = chosenRows(argument, selection);
      if (chosen.length > 0) {
        await reported(this.#log, async () => action(chosen));
      } else {
        // VS Code knows no rows while it asks for the list anew, and what is chosen from a menu then comes without one.
        void vscode.window.showInformationMessage(
          vscode.l10n.t('The task list just changed. Run the command again.'),
        );
      }
    };
  }

  /** For the row that it is run on, whatever else is selected. */
  on(action: (argument: TaskArgument) => Promise<void>): RowCommand {
    const onFirst = this.onAll(async ([first]) => action(first));
    return async (argument) => onFirst(argument);
  }

  /** For each row that is selected, one after another. */
  onEach(action: (argument: TaskArgument) => Promise<void>): RowCommand {
    return this.onAll(async (chosen) => {
      for (const one of chosen) {
        await action(one);
      }
    });
  }
}
