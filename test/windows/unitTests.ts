import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { projectFolder } from '../support/folders.ts';

/** Parts of the unit floor that can run there. The files of each of these run in one process, */
const shared = {
  agents: 'agents/**/*',
  common: 'common/**/*',
  references: '{references,socialCards}/**/*',
  taskFiles: 'tasks/{files,requests}/**/*',
  taskStore: 'tasks/store/**/*',
  studio: 'studio/**/*',
  editor: 'editor/{*,{agents,connect,failures,insert,prompts,questions,spending,taskList,window}/*}',
  cliParts: 'cli/{commands,output}/**/*',
};

/** and each of these in its own. */
const alone = ['editor/{actions,documents,incoming,paint,studioPanel,wanted}/**/*'];

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

/** Returns the files of each process. */
export function unitFiles(): Record<string, string[]> {
  const together = Object.entries(shared).map(([part, pattern]) => [part, filesOf(pattern)] as const);
  const others = alone.flatMap(filesOf).map((file) => [basename(file, '.test.ts'), [file]] as const);
  return Object.fromEntries([...together, ...others]);
}

function filesOf(pattern: string): string[] {
  return globSync(`test/unit/${pattern}.test.ts`, { cwd: projectFolder })
    .toSorted()
    .filter((file) => left[file.slice('test/unit/'.length, -'.test.ts'.length)] === undefined);
}

/** Whether a test of these names can't hold there. */
export function isOfWine(name: string): boolean {
  return tests.some(([pattern]) => pattern.test(name));
}
