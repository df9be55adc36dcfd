import type * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { type CommandId, commands } from '../names.ts';
import { StudioSession } from '../studio/studioSession.ts';
import { removeApiKey, setApiKey } from '../connect/apiKey.ts';
import { connect } from '../connect/connect.ts';
import { edit } from './edit.ts';
import { generate } from './generate.ts';
import { generateFromSelection } from './generateFromSelection.ts';
import { StartedRuns } from '../actions/startedRuns.ts';
import { taskCommands } from './taskCommands.ts';
import { useDemoService } from '../connect/useDemoService.ts';

/** All that is loaded when a command first runs; made once a window. */
export class Commands {
  readonly #studio: StudioSession;
  readonly #started = new StartedRuns<unknown>();
  /** One without a handler does not compile. */
  readonly #handlers: Record<CommandId, (...passed: never[]) => unknown>;

  constructor(limner: Limner) {
    this.#studio = new StudioSession(limner);
    this.#handlers = {
      [commands.generate]: async (given?: unknown) => generate(limner, given),
      [commands.generateFromSelection]: async () => generateFromSelection(limner),
      [commands.edit]: async (first?: unknown, second?: unknown) => edit(limner, first, second),
      [commands.openStudio]: async (first?: unknown, second?: unknown) => this.#studio.open(first, second),
      [commands.connect]: async () => connect(limner),
      [commands.setApiKey]: async () => setApiKey(limner),
      [commands.removeApiKey]: async () => removeApiKey(limner),
      [commands.useDemoService]: async () => useDemoService(limner),
      [commands.showLog]: () => limner.log.show(),
      ...taskCommands(limner),
    };
  }

  /** Runs a command of the table in `names.ts` with what was passed to it. */
  async run(id: CommandId, passed: readonly unknown[]): Promise<unknown> {
    const run = async (): Promise<unknown> => {
      const result: unknown = await Reflect.apply(this.#handlers[id], undefined, passed);
      return result;
    };
    const asksNothing = (id === commands.generate || id === commands.edit) && passed.some(hasPrompt);
    return asksNothing ? this.#started.once(JSON.stringify([id, ...passed]), run) : run();
  }

  /** Fills the studio's panel that VS Code brings back after a reload. */
  async restoreStudio(panel: vscode.WebviewPanel): Promise<void> {
    await this.#studio.restore(panel);
  }
}

function hasPrompt(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'prompt' in value && typeof value.prompt === 'string';
}
