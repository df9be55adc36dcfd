import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { projectFolder } from '../support/folders.ts';

/** Parts of the unit floor that can run there, of which the files run in one process. */
const shared = {
  agents: 'agents/tools/*',
  common: 'common/**/*',
  pages: 'pages/**/*',
  taskFiles: 'engine/{files,operations}/**/*',
  taskStore: 'engine/store/**/*',
  studio: 'studio/**/*',
  vscode: 'vscode/{*,{agents,ask,taskList}/*}',
  cliParts: 'cli/{commands,output}/**/*',
};

/** Others, of which each file runs in a process of its own. */
const alone = ['vscode/{actions,documents,generate,pages,studio,window}/**/*'];

const sharp = 'sharp needs bcryptprimitives.dll, which Wine 8 lacks';

/** Files below `test/unit` that can't run there, and why. */
export const left: Readonly<Record<string, string>> = {
  'agents/tools/agentCalls': sharp,
  'agents/tools/finishImage': sharp,
  'cli/commands/finishImages': sharp,
  'cli/output/hostileTexts':
    'bundles the command line first, for which esbuild would have to be that of Windows',
  'common/macNames': 'is of macOS, and loads a module anew that others in its process have loaded',
  'vscode/actions/replacement': sharp,
  'vscode/pages/insertJudged': 'oxc-parser, which is among the judges, has a binding for one system',
  'vscode/contributions': 'writes with the settings of Prettier, which are not copied there',
  'vscode/studio/draftFile': sharp,
  'studio/mask/maskPng': sharp,
  'engine/files/repairMaskFile': sharp,
  'engine/files/stagedImages': sharp,
  'engine/files/taskInput': sharp,
  'engine/operations/sentMask': sharp,
  'engine/store/troubledStore': 'takes minutes there',
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
