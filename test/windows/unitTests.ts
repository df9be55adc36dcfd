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
const links = 'Wine 8 makes no links';
const esbuild = 'bundles the command line first, for which esbuild would have to be that of Windows';
const posix = 'assumes POSIX: paths without a drive, links, or rights';
const slow = 'takes minutes there';

/** Files below `test/unit` that can't run there, and why. */
export const left: Readonly<Record<string, string>> = {
  'agents/agentCalls': sharp,
  'agents/finishImage': sharp,
  'agents/places': links,
  'cli/commands/finishImages': sharp,
  'cli/commands/interruption': posix,
  'cli/commands/mcpHost': posix,
  'cli/commands/readRequest': posix,
  'cli/commands/resumeTasks': posix,
  'cli/commands/watch': posix,
  'cli/output/hostileTexts': esbuild,
  'common/disk/fileUris': posix,
  'common/disk/macNames': posix,
  'common/heldFiles': posix,
  'editor/actions/replacement': sharp,
  'editor/documents/replaceWhenSaved': posix,
  'editor/documents/workspaceSearch': posix,
  'editor/studioPanel/draftFile': sharp,
  'studio/mask/maskPng': sharp,
  'tasks/files/hostileNames': posix,
  'tasks/files/publishOnDisk': links,
  'tasks/files/stagedImages': sharp,
  'tasks/files/targetFolder': posix,
  'tasks/files/taskInput': sharp,
  'tasks/requests/sentMask': sharp,
  'tasks/store/changeWatch': posix,
  'tasks/store/taskStore': posix,
  'tasks/store/troubledStore': slow,
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
