import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { activatedVariable } from '../link.ts';
import { type Activation, activateInTurn } from './activations.ts';
import { answerBench } from './answerBench.ts';

const delay = monitorEventLoopDelay({ resolution: 1 });
let activations: Record<string, Activation> = {};

const methods = {
  /** What starting the extensions took that the environment names. */
  activations: () => activations,

  /** Runs Limner's command with arguments, so that it asks nothing, until the images are saved. */
  async paint(given: { prompt: string; n?: number; callStyle?: string }): Promise<void> {
    await vscode.commands.executeCommand('limner.generate', given);
  },

  watchEventLoop(): void {
    delay.reset();
    delay.enable();
  },

  /** The longest time that the event loop stood still since then, in milliseconds. */
  longestStall(): number {
    delay.disable();
    return delay.max / 1e6;
  },

  /**
   * Memory of this process without garbage, in MB: within this time of rest, V8 gives back the pages in which young objects
   * were, and threads that have nothing to do end.
   */
  async memory(): Promise<number> {
    await sleep(30_000);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let times = 0; times < 3; times++) {
      collect();
      await sleep(100);
    }
    return process.memoryUsage.rss() / 1e6;
  },

  /** Looks for missing images in a workspace that has none. @returns how long it took, in milliseconds */
  async searchForMissing(): Promise<number> {
    const start = performance.now();
    await vscode.commands.executeCommand('limner.generateMissingInWorkspace');
    return performance.now() - start;
  },

  /** Shows a box of VS Code's own. @returns when the extension host was told of Enter in it, in Unix milliseconds */
  async enterInBareBox(prompt: string): Promise<number> {
    await vscode.window.showInputBox({ prompt });
    return performance.timeOrigin + performance.now();
  },

  /** Opens a webview with one word. @returns when, in Unix milliseconds */
  openBareWebview(): number {
    const asked = performance.timeOrigin + performance.now();
    const panel = vscode.window.createWebviewPanel('bare', 'Studio', vscode.ViewColumn.Active);
    panel.webview.html =
      '<!DOCTYPE html><html lang="en"><body><main class="studio">Bare</main></body></html>';
    return asked;
  },

  /** Compares a file with the last commit, without waiting for it. @returns when, in Unix milliseconds */
  compareWithHead(path: string): number {
    const asked = performance.timeOrigin + performance.now();
    void vscode.commands.executeCommand('limner.compareWithHead', vscode.Uri.file(path));
    return asked;
  },

  async closeTabs(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  },

  /** Shows a task of the list in the studio. */
  async openInStudio(task: string): Promise<void> {
    await vscode.commands.executeCommand('limner.task.openInStudio', task);
  },
};

/** What the bench can ask for. */
export type ProbeMethods = typeof methods;

/** VS Code activates what waits for the window only once this has settled. */
export async function activate(): Promise<void> {
  const ids = process.env[activatedVariable];
  activations = ids === undefined ? {} : await activateInTurn(ids.split(','));
  answerBench(methods);
}
