import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { taskItem, taskTooltip } from '../../src/editor/taskList/taskItem.ts';
import type { Task } from '../../src/tasks/task.ts';

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

describe('a prompt in the task list', () => {
  it('is all there, to be read and to be heard', () => {
    const prompt = `${'a lighthouse at dusk, '.repeat(10)}in oil`;
    const { label, accessibilityInformation } = taskItem({
      kind: 'task',
      task: { ...task(), request: { ...task().request, prompt } },
    });
    assert.equal(label, prompt);
    assert.ok(accessibilityInformation?.label.startsWith(`${prompt}, failed`));
  });
});

describe('texts of others in the task list', () => {
  it('are one line of plain text in the row', () => {
    for (const status of ['failed', 'in_progress'] as const) {
      const item = taskItem({ kind: 'task', task: { ...task(), status } });
      assert.ok(typeof item.label === 'string');
      assert.doesNotMatch(item.label, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      assert.equal(item.resourceUri, undefined);
    }
  });

  it('are only shown in the tooltip: no picture, no HTML, no command', async () => {
    const tooltip = taskTooltip({ kind: 'task', task: task() });
    assert.ok(!tooltip.isTrusted);
    assert.ok(!tooltip.supportHtml);
    assert.ok(!tooltip.supportThemeIcons);
    const html = await vscode.commands.executeCommand<string>('markdown.api.render', tooltip.value);
    assert.doesNotMatch(html, /<(?:img|script|h1|table|hr|code|strong)\b/iu);
    // A URL that is visible may be a link.
    assert.doesNotMatch(html, /href="(?!https:)/iu);
    assert.doesNotMatch(tooltip.value.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  });
});
