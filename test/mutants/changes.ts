import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesLike } from '../support/folders.ts';
import { type Mutant, mutantsOf } from './mutate.ts';

/** A change and where it is, as a user reads it. */
export interface Change {
  file: string;
  mutant: Mutant;
  /** From 1. */
  lineNumber: number;
  /** The line on which it begins, without its indentation. */
  line: string;
  from: string;
  to: string;
}

/** Returns the changes of a file that can be made. */
export function changesOf(project: string, file: string): Change[] {
  const source = readFileSync(join(project, file), 'utf8');
  return mutantsOf(file, source).map((mutant) => {
    const before = source.slice(0, mutant.start);
    const [line = ''] = source.slice(before.lastIndexOf('\n') + 1).split('\n');
    return {
      file,
      mutant,
      lineNumber: before.split('\n').length,
      line: line.trim(),
      from: source.slice(mutant.start, mutant.end),
      to: mutant.replacement,
    };
  });
}

/** Returns the files of programs in a folder, or the file itself; views and declarations are none. */
export function sourceFiles(project: string, path: string): string[] {
  const files = statSync(join(project, path)).isDirectory()
    ? filesLike(`${path}/**/*.ts`, project).toSorted()
    : [path];
  return files.filter((file) => !file.endsWith('.d.ts'));
}
