import { type CommandId, commands } from '../names.ts';
import type { Limner } from '../limner.ts';
import { removeApiKey, setApiKey } from './apiKey.ts';
import { connect } from './connect.ts';
import { edit } from './edit.ts';
import { generate } from './generate.ts';
import { generateFromSelection } from './generateFromSelection.ts';
import { StartedRuns } from './startedRuns.ts';
import { taskCommands } from './taskCommands.ts';
import { openStudio } from '../studio/openStudio.ts';
import { useDemoService } from './useDemoService.ts';

export { restoreStudio } from '../studio/openStudio.ts';

const started = new StartedRuns<unknown>();

/** Runs a command of the table in `names.ts` with what was passed to it; one without a handler does not compile. */
export async function runCommand(
  limner: Limner,
  id: CommandId,
  passed: readonly unknown[],
): Promise<unknown> {
  const handlers: Record<CommandId, (...passed: never[]) => unknown> = {
    [commands.generate]: async (given?: unknown) => generate(limner, given),
    [commands.generateFromSelection]: async () => generateFromSelection(limner),
    [commands.edit]: async (first?: unknown, second?: unknown) => edit(limner, first, second),
    [commands.openStudio]: async (first?: unknown, second?: unknown) => openStudio(limner, first, second),
    [commands.connect]: async () => connect(limner),
    [commands.setApiKey]: async () => setApiKey(limner),
    [commands.removeApiKey]: async () => removeApiKey(limner),
    [commands.useDemoService]: async () => useDemoService(limner),
    [commands.showLog]: () => limner.log.show(),
    ...taskCommands(limner),
  };
  const run = async (): Promise<unknown> => {
    const result: unknown = await Reflect.apply(handlers[id], undefined, passed);
    return result;
  };
  const asksNothing = (id === commands.generate || id === commands.edit) && passed.some(hasPrompt);
  return asksNothing ? started.once(JSON.stringify([id, ...passed]), run) : run();
}

function hasPrompt(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'prompt' in value && typeof value.prompt === 'string';
}
