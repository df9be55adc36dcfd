import { globSync } from 'node:fs';
import { projectFolder } from '../support/folders.ts';

/** Parts of the unit floor that can run there. The files of each run in one process. */
const patterns = {
  agents: 'agents/**/*',
  common: 'common/**/*',
  references: '{references,socialCards}/**/*',
  taskFiles: 'tasks/{files,requests}/**/*',
  taskStore: 'tasks/store/**/*',
  studio: 'studio/**/*',
  editor: 'editor/**/*',
  cliParts: 'cli/{commands,output}/**/*',
};

const sharp = 'sharp needs bcryptprimitives.dll, which Wine 8 lacks';

/** Files that can't run there, below `test/unit`. */
const left: Readonly<Record<string, string>> = {
  'agents/agentCalls': sharp,
  'agents/finishImage': sharp,
  'tasks/files/stagedImages': sharp,
  'tasks/files/taskInput': sharp,
  'tasks/requests/sentMask': sharp,
  'studio/mask/maskPng': sharp,
  'editor/actions/replacement': sharp,
  'editor/studioPanel/draftFile': sharp,
  'cli/commands/finishImages': sharp,
};

/** Tests that can't hold there, by their names, in files that run. */
const tests: readonly (readonly [RegExp, string])[] = [];

/** Returns the files of each part. */
export function parts(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(patterns).map(([part, pattern]) => [
      part,
      globSync(`test/unit/${pattern}.test.ts`, { cwd: projectFolder })
        .toSorted()
        .filter((file) => left[file.slice('test/unit/'.length, -'.test.ts'.length)] === undefined),
    ]),
  );
}

/** Whether a test of these names can't hold there. */
export function isOfWine(name: string): boolean {
  return tests.some(([pattern]) => pattern.test(name));
}
