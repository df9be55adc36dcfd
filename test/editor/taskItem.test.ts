import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { batchItem, taskItem } from '../../src/vscode/taskList/taskItem.ts';
import { imageTooltip, taskTooltip } from '../../src/vscode/taskList/rowTooltips.ts';
import { ServiceNames } from '../../src/vscode/window/serviceNames.ts';
import type { Task } from '../../src/engine/task/task.ts';

const hostile = [
  '[click](command:workbench.action.quit)',
  '<a href="command:workbench.action.quit">click</a><img src="https://evil.example/x.png">',
  '![x](https://evil.example/x.png) https://evil.example/plain',
  '$(trash) `code` **bold** # heading\n\n| a | b |\n|---|---|\n\n---\n&#91;x&#93;(command:a)',
  'fox\u202egnp.exe\u0000\u001b[2J\r\nsecond line',
].join(' ');

function task(): Task {
  return {
    id: 'task',
    status: 'failed',
    createdAt: 0,
    origin: 'https://images.example.com',
    request: {
      kind: 'generate',
      prompt: hostile,
      model: hostile,
      family: 'image',
      callStyle: 'async',
      n: 1,
      baseUrl: 'https://images.example.com',
      target: { folder: 'file:///a', root: 'file:///a', fileName: '{prompt}' },
    },
    remoteStatus: hostile,
    remark: hostile,
    error: { code: 'image_generation_failed', message: hostile, service: { message: hostile } },
    results: [],
  };
}

const noFiles = { areGone: () => false, picturedBy: () => undefined, thumbnailOf: () => undefined };
const inUse = { otherOf: () => undefined };

describe('a prompt in the task list', () => {
  it('is short to be read beside what follows, and all there to be heard', () => {
    const prompt = `${'a lighthouse at dusk, '.repeat(10)}in oil`;
    const row = { kind: 'task' as const, task: { ...task(), request: { ...task().request, prompt } } };
    const { label, accessibilityInformation } = taskItem(row, noFiles, inUse);
    assert.equal(label, 'a lighthouse at dusk…');
    assert.ok(accessibilityInformation?.label.startsWith(`${prompt}, failed`));
  });
});

function ofBatch(index: number, how: Partial<Task>): { kind: 'task'; task: Task } {
  const { request, ...rest } = task();
  return {
    kind: 'task',
    task: { ...rest, request: { ...request, batch: { id: 'b', title: 'Birds', index } }, ...how },
  };
}

describe('the row of tasks that were started together', () => {
  it('tells images that the service still has from those that only a new request brings', () => {
    const paid = ofBatch(0, { status: 'stopped', remoteId: 'remote' });
    const row = { kind: 'batch', id: 'b', title: 'Birds' } as const;
    const fetched = batchItem({ ...row, rows: [paid] });
    assert.equal(fetched.description, '0 of 1 saved · 1 not fetched yet');
    assert.match(String(fetched.contextValue), /unfetched/);
    const mixed = batchItem({ ...row, rows: [paid, ofBatch(1, {})] });
    assert.equal(mixed.description, '0 of 2 saved · 1 not fetched yet · 1 not generated');
    assert.match(String(mixed.contextValue), /incomplete/);
  });

  it('tells what was not sent before its window closed, without the icon of work, and offers to send it', () => {
    const held = ofBatch(0, { status: 'waiting', held: true });
    const row = { kind: 'batch', id: 'b', title: 'Birds' } as const;
    const { description, iconPath, contextValue } = batchItem({ ...row, rows: [held] });
    assert.equal(description, '0 of 1 saved · 1 not sent');
    assert.deepEqual(iconPath, taskItem(held, noFiles, inUse).iconPath);
    assert.match(String(contextValue), /\bresume\b/);
  });
});

describe('the service of a task', () => {
  const row = { kind: 'task', task: task() } as const;

  it('is in the row while another one is in use, also for a screen reader', () => {
    const { description, accessibilityInformation } = taskItem(row, noFiles, {
      otherOf: () => 'images.example.com',
    });
    assert.match(String(description), / · images\.example\.com$/);
    assert.match(accessibilityInformation?.label ?? '', / · images\.example\.com$/);
    assert.doesNotMatch(String(taskItem(row, noFiles, inUse).description), /example/);
  });

  for (const [baseUrl, used, name] of [
    ['https://images.example.com', 'https://images.example.com/v1/', undefined],
    ['https://images.example.com', 'https://other.example.com', 'images.example.com'],
    ['https://images.example.com', '', undefined],
    ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'Demo'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:9', undefined],
  ] as const) {
    it(`is ${name} of ${baseUrl} while "${used}" is in use`, () => {
      const settings = { baseUrl: used, model: '' };
      const demo = { isAt: (url: string) => url === 'http://127.0.0.1:9', models: [] };
      const free = baseUrl.startsWith('http:');
      const names = new ServiceNames(settings, demo);
      assert.equal(names.otherOf({ baseUrl, ...(free && { free }) }), name);
    });
  }
});

describe('texts of others in the task list', () => {
  it('are one line of plain text in the row', () => {
    for (const status of ['failed', 'in_progress'] as const) {
      const item = taskItem({ kind: 'task', task: { ...task(), status } }, noFiles, inUse);
      assert.ok(typeof item.label === 'string');
      assert.doesNotMatch(item.label, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      assert.equal(item.resourceUri, undefined);
    }
  });

  it('are only shown in the tooltip: no picture, no HTML, no command', async () => {
    const tooltip = taskTooltip({ kind: 'task', task: task() }, noFiles);
    assert.ok(!tooltip.isTrusted);
    assert.ok(!tooltip.supportHtml);
    assert.ok(!tooltip.supportThemeIcons);
    const html = await vscode.commands.executeCommand<string>('markdown.api.render', tooltip.value);
    assert.doesNotMatch(html, /<(?:img|script|h1|table|hr|code|strong)\b/iu);
    // A URL that is visible may be a link.
    assert.doesNotMatch(html, /href="(?!https:)/iu);
    assert.doesNotMatch(tooltip.value.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  });

  it('bring no picture into a tooltip that has one of its own', async () => {
    const picture = vscode.Uri.file('/storage/a (1)]/b|c.webp');
    const files = { areGone: () => false, picturedBy: () => undefined, thumbnailOf: () => picture };
    const image = { index: 0, state: 'saved', uri: 'file:///a/x.png' } as const;
    for (const tooltip of [
      taskTooltip({ kind: 'task', task: task() }, files),
      imageTooltip({ kind: 'image', task: task(), result: image }, files),
    ]) {
      const own = `![](${picture.toString()}|width=160,height=160)\n\n`;
      assert.ok(tooltip.value.startsWith(own));
      const others = tooltip.value.slice(own.length);
      const html = await vscode.commands.executeCommand<string>('markdown.api.render', others);
      assert.doesNotMatch(html, /<img\b|href="(?!https:)/iu);
    }
  });
});

describe('a task whose files are missing', () => {
  it('says so and offers nothing that needs them', () => {
    const { error: _, ...saved } = task();
    const done: Task = {
      ...saved,
      status: 'completed',
      results: [{ index: 0, state: 'saved', uri: 'file:///a/x.png' }],
    };
    const row = { kind: 'task', task: done } as const;
    assert.match(String(taskItem(row, noFiles, inUse).contextValue), /\boneImage\b/);
    const item = taskItem(row, { ...noFiles, areGone: () => true }, inUse);
    assert.match(String(item.description), /^missing · /);
    assert.doesNotMatch(String(item.contextValue), /image/iu);
    assert.match(String(item.contextValue), /\bremove\b/);
    assert.equal(item.command, undefined);
  });
});
