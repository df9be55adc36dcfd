import { type CommandId, commands } from '../names.ts';
import type { Limner } from '../limner.ts';
import { removeApiKey, setApiKey } from './apiKey.ts';
import { connect } from './connect.ts';
import { edit } from './edit.ts';
import { generate } from './generate.ts';
import { generateFromSelection } from './generateFromSelection.ts';
import { taskCommands } from './taskCommands.ts';
import { openStudio } from '../studio/openStudio.ts';
import { useDemoService } from './useDemoService.ts';

export { restoreStudio } from '../studio/openStudio.ts';

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
  const result: unknown = await Reflect.apply(handlers[id], undefined, passed);
  return result;
}
