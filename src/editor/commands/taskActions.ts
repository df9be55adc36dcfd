import * as vscode from 'vscode';
import { savedFiles } from '../followTask.ts';
import type { Limner } from '../limner.ts';
import type { ImageRow, TaskRow } from '../taskNode.ts';

/** What a task command is given: a row of the list, or a task's id from a message or a key binding. */
export type TaskArgument = TaskRow | ImageRow | string | undefined;

/** `limner.task.open`: opens the image of the row, or the first one of the task. */
export async function openTask(limner: Limner, argument: TaskArgument): Promise<void> {
  const image =
    typeof argument === 'object' && argument.kind === 'image' && argument.result.uri !== undefined
      ? vscode.Uri.parse(argument.result.uri, true)
      : await firstImage(limner, argument);
  if (image) {
    await vscode.commands.executeCommand('vscode.open', image);
  }
}

/** `limner.task.stop`: stops watching; the service has no cancel, which the row's text says. */
export async function stopTask(limner: Limner, argument: TaskArgument): Promise<void> {
  await withTask(argument, async (id) => (await limner.engine.get()).runner.stop(id));
}

/** `limner.task.resume`: watches a stopped or paused task again, or sends one that was not sent yet. */
export async function resumeTask(limner: Limner, argument: TaskArgument): Promise<void> {
  await withTask(argument, async (id) => {
    const { runner, store } = await limner.engine.get();
    await (store.get(id)?.held ? runner.sendNow(id) : runner.resume(id));
  });
}

/** `limner.task.runAgain`: sends the same request once more, as a new task that is paid for anew. */
export async function runTaskAgain(limner: Limner, argument: TaskArgument): Promise<void> {
  await withTask(argument, async (id) => {
    await limner.service.ready();
    await (await limner.engine.get()).runner.runAgain(id);
  });
}

/** `limner.task.saveAgain`: tries once more to save what was paid for. */
export async function saveTaskAgain(limner: Limner, argument: TaskArgument): Promise<void> {
  await withTask(argument, async (id) => (await limner.engine.get()).runner.saveAgain(id));
}

/** `limner.task.copyPrompt`: puts the prompt on the clipboard. */
export async function copyPrompt(limner: Limner, argument: TaskArgument): Promise<void> {
  await withTask(argument, async (id) => {
    const task = (await limner.engine.get()).store.get(id);
    if (task) {
      await vscode.env.clipboard.writeText(task.request.prompt);
    }
  });
}

async function firstImage(limner: Limner, argument: TaskArgument): Promise<vscode.Uri | undefined> {
  const id = idOf(argument);
  const task = id === undefined ? undefined : (await limner.engine.get()).store.get(id);
  return task && savedFiles(task)[0];
}

async function withTask(argument: TaskArgument, action: (id: string) => Promise<unknown>): Promise<void> {
  const id = idOf(argument);
  if (id !== undefined) {
    await action(id);
  }
}

function idOf(argument: TaskArgument): string | undefined {
  return typeof argument === 'object' ? argument.task.id : argument;
}
