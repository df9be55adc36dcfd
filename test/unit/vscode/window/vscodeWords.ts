import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

/** As much of `vscode` as words need: texts as they stand in the source, with their values in place. */
const words = `
  export const env = { language: 'en' };
  export const l10n = {
    t: (text, ...values) => text.replaceAll(/\\{(\\d+)\\}/g, (_, index) => String(values[index])),
  };
  export const run = [];
  export const shown = [];
  export const window = { showErrorMessage: (text) => (shown.push(text), new Promise(() => {})) };
  export const commands = { executeCommand: async (id) => void run.push(id) };
`;

/** Loads what puts things into words for the editor, where there is none. */
export async function loadEditorWords(): Promise<
  typeof import('../../../../src/vscode/window/errorText.ts') &
    typeof import('../../../../src/vscode/taskList/taskLabels.ts') &
    typeof import('../../../../src/vscode/taskList/taskDetails.ts') & {
      /** Commands that were run, in their order. */
      run: string[];
      /** Error messages that were shown and are still open. */
      shown: string[];
    }
> {
  const url = `data:text/javascript,${encodeURIComponent(words)}`;
  const hooks = registerHooks({
    resolve: (name, context, next) => (name === 'vscode' ? { url, shortCircuit: true } : next(name, context)),
  });
  const errorText = await import('../../../../src/vscode/window/errorText.ts');
  const taskText = await import('../../../../src/vscode/taskList/taskLabels.ts');
  const details = await import('../../../../src/vscode/taskList/taskDetails.ts');
  hooks.deregister();
  const stub: unknown = await import(url);
  assert.ok(isStub(stub));
  return {
    ...errorText,
    ...taskText,
    ...details,
    run: stub.run,
    shown: stub.shown,
  };
}

function isStub(stub: unknown): stub is { run: string[]; shown: string[] } {
  return typeof stub === 'object' && stub !== null && 'run' in stub && 'shown' in stub;
}
