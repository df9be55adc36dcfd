import { readFile } from 'node:fs/promises';
import { chooseKey, twoGroundSentences } from '../../images/keyColour.ts';
import type { TaskRequest } from '../task.ts';
import type { RunContext } from './run.ts';

/** Returns a request with the words that its finishing step needs, and no others. */
export async function withInstruction(
  given: TaskRequest,
  { fileColours, log }: Pick<RunContext, 'fileColours' | 'log'>,
): Promise<TaskRequest> {
  const { instruction: _, ...request } = given;
  const { finish, onBlack, prompt, images: [input] = [] } = request;
  if (onBlack) {
    return { ...request, instruction: twoGroundSentences.white };
  }
  if (finish?.cutout?.by === 'grounds') {
    return { ...request, instruction: twoGroundSentences.black };
  }
  if (finish?.cutout?.by !== 'key') {
    return request;
  }
  const colours = await (input &&
    readFile(input.path)
      .then(fileColours)
      .catch((error: unknown) => log.debug(`The colors of ${input.name} are not known: ${String(error)}`)));
  return { ...request, instruction: chooseKey(colours ?? prompt).sentence };
}
