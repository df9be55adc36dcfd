import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../support/folders.ts';

const table = readFileSync(join(projectFolder, 'node_modules/@vscode/codicons/dist/codicon.csv'), 'utf8');

/** Names of the icons of VS Code, and of the one that the studio draws itself. */
export const icons = new Set([
  'lasso',
  ...table
    .trim()
    .split('\n')
    .map((line) => line.replace(/,.*/u, '')),
]);
