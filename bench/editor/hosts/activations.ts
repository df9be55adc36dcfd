import Module from 'node:module';
import * as vscode from 'vscode';

/** What starting an extension took, in milliseconds. */
export interface Activation {
  /** From the wish to have it activated to what it returned. */
  whole: number;
  /** The part of it that loads its code. */
  require: number;
}

interface Loader {
  _load: (this: unknown, request: string, ...rest: unknown[]) => unknown;
}

/**
 * Activates extensions one after the other, before VS Code does so by itself; by chance it is one or the other that
 * comes first.
 *
 * @returns by id
 */
export async function activateInTurn(ids: readonly string[]): Promise<Record<string, Activation>> {
  const activations: Record<string, Activation> = {};
  for (const id of Math.random() < 0.5 ? ids : ids.toReversed()) {
    activations[id] = await activate(id);
  }
  return activations;
}

async function activate(id: string): Promise<Activation> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension || extension.isActive) {
    throw new Error(`${id} is ${extension ? 'active already' : 'not there'}.`);
  }
  const loader = Module as unknown as Loader;
  const load = loader._load;
  let require = Number.NaN;
  loader._load = (request, ...rest) => {
    loader._load = load;
    const began = performance.now();
    try {
      return load.call(loader, request, ...rest);
    } finally {
      require = performance.now() - began;
    }
  };
  const began = performance.now();
  await extension.activate();
  return { whole: performance.now() - began, require };
}
