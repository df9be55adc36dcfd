import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { contextKeys, extensionId } from '../../src/vscode/window/names.ts';
import { eventually } from '../support/eventually.ts';

type Row = string | undefined | { kind: 'image'; task: { id: string }; result: { index: number } };

const idOf = (row: Row): string | undefined => (typeof row === 'object' ? row.task.id : row);

/** What a user noticed: messages, questions, editors, the clipboard, changes of tasks and settings. */
const noticed: string[] = [];
const undo: (() => void)[] = [];

/** Puts something in place of a function of VS Code until the end. */
function replace<Holder extends object, Name extends keyof Holder>(
  holder: Holder,
  name: Name,
  value: Holder[Name],
): void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, { configurable: true, value });
  undo.unshift(() => {
    if (before) {
      Object.defineProperty(holder, name, before);
    } else {
      Reflect.deleteProperty(holder, name);
    }
  });
}

/** A question that a user leaves at once. */
function leaving<Box extends vscode.QuickInput>(what: string, box: Box): Box {
  const show = box.show.bind(box);
  return Object.assign(box, {
    show() {
      noticed.push(what);
      show();
      box.hide();
    },
  });
}

const dismissed = (what: string) => async (): Promise<undefined> => {
  noticed.push(what);
  return Promise.resolve(undefined);
};

/** Notes what a user is shown and asked, and leaves each question at once. */
function watch(): void {
  const { window, env } = vscode;
  replace(window, 'showInformationMessage', dismissed('message'));
  replace(window, 'showWarningMessage', dismissed('message'));
  replace(window, 'showErrorMessage', dismissed('message'));
  replace(window, 'showQuickPick', dismissed('question'));
  replace(window, 'showInputBox', dismissed('question'));
  replace(window, 'showOpenDialog', dismissed('question'));
  replace(window, 'showSaveDialog', dismissed('question'));
  const { createQuickPick, createInputBox, createWebviewPanel } = window;
  replace(window, 'createQuickPick', <Item extends vscode.QuickPickItem>() =>
    leaving('question', createQuickPick<Item>()),
  );
  replace(window, 'createInputBox', () => leaving('question', createInputBox()));
  replace(window, 'createWebviewPanel', (...passed) => {
    noticed.push('page');
    return createWebviewPanel(...passed);
  });
  const clipboard = { ...env.clipboard, writeText: async () => Promise.resolve(void noticed.push('copy')) };
  replace(env, 'clipboard', clipboard);
  const { executeCommand } = vscode.commands;
  replace(vscode.commands, 'executeCommand', async <Reply>(command: string, ...passed: unknown[]) => {
    const isShown = command !== 'setContext' || passed[0] === contextKeys.showsAllTasks;
    if (isShown && !command.startsWith('limner.')) {
      noticed.push(command);
    }
    return executeCommand<Reply>(command, ...passed);
  });
}

describe('no command ends in silence', () => {
  const rows = new Map<string, Row>();
  /** Tasks that were there before a command, which go on by themselves, and the one that it is about. */
  let known = new Set<string>();
  let rowId: string | undefined;
  let limner: LimnerApi;
  let faults: string;

  before(async () => {
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(extension);
    limner = await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
    const folder = 'silence';
    const plain = await limner.generate({ prompt: 'A plain jug', folder });
    const many = await limner.generate({ prompt: 'Three jugs', n: 3, folder });
    const pair = await limner.generate({ prompt: 'Two jugs', n: 2, folder });
    const edit = await limner.edit(many.files[0], { prompt: 'make it green' });
    await assert.rejects(limner.generate({ prompt: 'A jug demo:reject', folder }));
    const [failed] = await limner.tasks(1);
    const baseUrl = vscode.workspace.getConfiguration('limner').get<string>('baseUrl', '');
    faults = `${baseUrl}/demo/faults`;
    const { status } = await fetch(faults, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'status', status: 503, on: 'query', times: 0 }),
    });
    assert.equal(status, 200);
    const running = limner.generate({ prompt: 'A jug that takes its time', folder });
    const [taken] = await eventually(
      'the task in progress',
      async () => limner.tasks(1),
      ([first]) => first?.error !== undefined && first.prompt.includes('takes its time'),
    );
    running.catch(() => {});
    rows
      .set('no row', undefined)
      .set('a task that is gone', 'no such task')
      .set('a task with one image', plain.taskId)
      .set('a task with three', many.taskId)
      .set('one of two images', { kind: 'image', task: { id: pair.taskId }, result: { index: 1 } })
      .set('an edit', edit.taskId)
      .set('a task that failed', failed?.id)
      .set('a task in progress', taken?.id);
    const subscription = vscode.Disposable.from(
      limner.onDidChangeTasks((ids) => {
        if (ids.some((id) => id === rowId || !known.has(id))) {
          noticed.push('tasks');
        }
      }),
      vscode.workspace.onDidChangeConfiguration(() => noticed.push('settings')),
      vscode.window.onDidChangeVisibleTextEditors(() => noticed.push('editors')),
    );
    undo.push(() => void subscription.dispose());
    watch();
  });

  after(async () => {
    undo.forEach((one) => one());
    // Other tests need the demo service as it is.
    await fetch(faults, { method: 'DELETE' });
    for (const { id, status } of await limner.tasks()) {
      await (status === 'queued' || status === 'in_progress'
        ? vscode.commands.executeCommand(commands.taskStop, id)
        : undefined);
    }
  });

  // VS Code tells nobody that it shows a log, and the same run twice within a moment is one.
  const unseen = new Set<string>([commands.showLog, commands.taskRunAgainBilled]);
  for (const command of Object.values(commands).filter((one) => !unseen.has(one))) {
    it(command, async () => {
      const isAboutRows = /\.(?:task|batch)\./u.test(command);
      for (const [what, row] of isAboutRows ? rows : [...rows].slice(0, 1)) {
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        known = new Set((await limner.tasks()).map(({ id }) => id));
        rowId = idOf(row);
        noticed.length = 0;
        await vscode.commands
          .executeCommand(command, row)
          .then(undefined, (error: unknown) => noticed.push(String(error)));
        await eventually(
          `${command} on ${what}`,
          async () => Promise.resolve(noticed.length),
          (count) => count > 0,
        );
      }
    });
  }
});
