import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { projectFolder } from '../support/folders.ts';

/** Parts of the unit floor that can run there, of which the files run in one process. */
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

/** Others, of which each file runs in a process of its own. */
const alone = ['editor/{actions,documents,incoming,paint,studioPanel,wanted}/**/*'];

const sharp = 'sharp needs bcryptprimitives.dll, which Wine 8 lacks';

/** Files below `test/unit` that can't run there, and why. */
export const left: Readonly<Record<string, string>> = {
  'agents/agentCalls': sharp,
  'agents/finishImage': sharp,
  'cli/commands/finishImages': sharp,
  'cli/output/hostileTexts':
    'bundles the command line first, for which esbuild would have to be that of Windows',
  'common/disk/macNames': 'is of macOS, and loads a module anew that others in its process have loaded',
  'editor/actions/replacement': sharp,
  'editor/studioPanel/draftFile': sharp,
  'studio/mask/maskPng': sharp,
  'tasks/files/stagedImages': sharp,
  'tasks/files/taskInput': sharp,
  'tasks/requests/sentMask': sharp,
  'tasks/store/troubledStore': 'takes minutes there',
};

const name = 'a deleted file that is still open keeps its name in Wine 8';

/** Names of tests that can't run there, as far as no other one has them, and why. */
export const leftTests: Readonly<Record<string, string>> = {
  'somebody writes in the place of the file that reserves one': name,
  'somebody writes nothing yet in the place of the file that reserves one': name,
};

/** The files of a process, under its name. */
type Files = [name: string, files: string[]];

/** Returns the files of each process. */
export function unitFiles(): Record<string, string[]> {
  const together = Object.entries(shared).map(([part, pattern]): Files => [part, filesOf(pattern)]);
  const others = alone.flatMap(filesOf).map((file): Files => [basename(file, '.test.ts'), [file]]);
  return Object.fromEntries([...together, ...others]);
}

function filesOf(pattern: string): string[] {
  return globSync(`test/unit/${pattern}.test.ts`, { cwd: projectFolder })
    .toSorted()
    .filter((file) => left[nameOf(file)] === undefined);
}

/** Returns the name of a file in this table. */
function nameOf(file: string): string {
  return file.replaceAll('\\', '/').slice('test/unit/'.length, -'.test.ts'.length);
}
