import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { pageSize, TaskList } from '../../../../src/vscode/taskList/taskList.ts';
import type { DayRow } from '../../../../src/vscode/taskList/taskNode.ts';
import type { TaskScope } from '../../../../src/engine/store/taskStore.ts';
import type { Task, TaskResult } from '../../../../src/engine/task/task.ts';
import { standingOf } from '../../../../src/common/taskStatus.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { progressOf } from '../../../../src/vscode/taskList/batchProgress.ts';
import type { ErrorRecord } from '../../../../src/common/limnerError.ts';
import { isInInbox } from '../../../../src/engine/messages/stateText.ts';
import { loadEditorWords } from '../window/vscodeWords.ts';

let noon = new Date(2026, 4, 20, 12).getTime();
const day = 24 * 60 * 60_000;

const isWithin = (folder: string): boolean => folder.startsWith('file:///here');

/** Tasks as the store gives them, newest first. */
class Tasks {
  readonly all = new Map<string, Task>();

  add(createdAt: number, changes: Partial<Task> = {}): Task {
    const task = aTask({ id: newTaskId(createdAt), createdAt, status: 'completed', ...changes });
    this.all.set(task.id, task);
    return task;
  }

  change(task: Task, changes: Partial<Task>): void {
    this.all.set(task.id, { ...task, ...changes });
  }

  get(id: string): Task | undefined {
    return this.all.get(id);
  }

  unfinished(): Task[] {
    return this.#sorted().filter((task) => standingOf(task) !== 'ended');
  }

  list({ limit, before }: { limit: number; before?: string }): Task[] {
    return this.#sorted()
      .filter(({ id }) => before === undefined || id < before)
      .slice(0, limit);
  }

  listWithin({ isWithin, ids }: TaskScope, page: { limit: number; before?: string }): Task[] {
    return this.list({ ...page, limit: Infinity })
      .filter(({ id, request }) => ids.has(id) || isWithin(request.target.folder))
      .slice(0, page.limit);
  }

  #sorted(): Task[] {
    return [...this.all.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
  }
}

/** The top rows: ids of running tasks, those in a batch, how many rows a day has, "more". */
function shape(list: TaskList): (string | number | string[])[] {
  return list.top.map((row) => {
    switch (row.kind) {
      case 'task':
        return row.task.id;
      case 'batch':
        return row.rows.map(({ task }) => task.id);
      case 'day':
        return list.below(row).length;
      case 'more':
        return 'more';
    }
  });
}

function days(list: TaskList): DayRow[] {
  return list.top.filter((row) => row.kind === 'day');
}

function savedIn(folder: string): Pick<Task, 'request'> {
  return { request: aRequest({ target: { folder, root: folder, fileName: '{prompt}' } }) };
}

void describe('the rows of the task list', () => {
  let tasks: Tasks;
  let clock: number;

  beforeEach(() => {
    tasks = new Tasks();
    // Ids of one process only grow.
    clock = noon += 10 * day;
  });

  void it('are running tasks first, then paused ones, then the days, newest first', () => {
    tasks.add(clock - day);
    const live = tasks.add(clock - day + 1, { status: 'queued' });
    tasks.add(clock);
    const keyless = tasks.add(clock + 1, { status: 'needs_key' });
    const unsent = tasks.add(clock + 2, { status: 'waiting', held: true });
    assert.deepEqual(shape(new TaskList(tasks)), [live.id, unsent.id, keyless.id, 1, 1]);
  });

  void it('are the same objects after their data changed, and only they are drawn again', () => {
    const live = tasks.add(clock, { status: 'in_progress', progress: 10 });
    tasks.add(clock + 1, { status: 'in_progress', progress: 10 });
    const list = new TaskList(tasks);
    const row = list.row(live.id);
    tasks.change(live, { progress: 60 });
    const { root, rows } = list.update([live.id]);
    assert.equal(root, false);
    assert.deepEqual([...rows], [row]);
    assert.equal(row?.task.progress, 60);
  });

  void it('move to their day when they end', () => {
    const live = tasks.add(clock, { status: 'saving' });
    const list = new TaskList(tasks);
    const row = list.row(live.id);
    tasks.change(live, { status: 'completed' });
    assert.equal(list.update([live.id]).root, true);
    assert.deepEqual(shape(list), [1]);
    assert.equal(days(list)[0]?.rows[0], row);
    assert.equal(list.dayOf(live.id), days(list)[0]);
  });

  void it('come page by page', () => {
    const half = pageSize / 2;
    for (let index = 0; index < 3 * half; index++) {
      tasks.add(clock + index * 1000);
    }
    const list = new TaskList(tasks);
    assert.deepEqual(shape(list), [pageSize, 'more']);
    const first = list.showMore();
    assert.deepEqual(shape(list), [pageSize + half]);
    assert.equal(days(list)[0]?.rows[pageSize], first);
    assert.equal(list.showMore(), undefined);
  });

  void describe('of tasks that were made together', () => {
    const together = { request: aRequest({ batch: { id: 'b', title: 'Missing images', index: 0 } }) };

    void it('are under one row, which is at the top until all have ended, and then in the day of the newest', () => {
      const done = tasks.add(clock - day, together);
      const live = tasks.add(clock, { status: 'queued', ...together });
      const other = tasks.add(clock + 1, { status: 'queued' });
      const plain = tasks.add(clock + 2);
      const list = new TaskList(tasks);
      assert.deepEqual(shape(list), [other.id, [live.id, done.id], 1]);
      assert.equal(list.dayOf(done.id), undefined);
      const batch = list.batch('b');
      tasks.change(live, { status: 'failed' });
      assert.equal(list.update([live.id]).root, true);
      assert.deepEqual(shape(list), [other.id, 2]);
      assert.deepEqual(
        days(list).map((one) => list.below(one)),
        [[list.row(plain.id), batch]],
      );
      assert.equal(list.dayOf(done.id), days(list)[0]);
    });
  });

  void describe('of one workspace', () => {
    const scope: TaskScope = { isWithin, ids: new Set() };
    const here = savedIn('file:///here');
    const there = savedIn('file:///there');

    void it('are its tasks alone, page by page', () => {
      for (let index = 0; index < pageSize + 1; index++) {
        tasks.add(clock + 2 * index, here);
        tasks.add(clock + 2 * index + 1, there);
      }
      const list = new TaskList(tasks, scope);
      assert.deepEqual(shape(list), [pageSize, 'more']);
      list.showMore();
      assert.deepEqual(shape(list), [pageSize + 1]);
    });

    void it('are also those that were started in it and saved elsewhere', () => {
      const ended = [tasks.add(clock, here), tasks.add(clock + 1, there), tasks.add(clock + 2, there)];
      const ids = new Set<string>();
      const list = new TaskList(tasks, { isWithin, ids });
      assert.deepEqual(shape(list), [1]);
      ids.add(ended[1]?.id ?? '');
      list.update(ended.map(({ id }) => id));
      assert.deepEqual(shape(list), [2]);
      assert.deepEqual(shape(new TaskList(tasks, { isWithin, ids })), [2]);
    });

    void it('neither show nor count the running tasks of others', () => {
      const shown = tasks.add(clock, { status: 'queued', ...here });
      const hidden = tasks.add(clock + 1, { status: 'queued', ...there });
      const list = new TaskList(tasks, scope);
      assert.deepEqual(shape(list), [shown.id]);
      const counted = (): string[] => list.counted.map(({ id }) => id);
      assert.deepEqual(counted(), [shown.id]);
      tasks.change(shown, { status: 'completed' });
      list.update([shown.id]);
      assert.deepEqual(shape(list), [1]);
      assert.deepEqual(counted(), []);
      tasks.change(hidden, { status: 'completed' });
      assert.equal(list.update([hidden.id]).root, true);
      assert.deepEqual(list.running, []);
    });
  });
});

const image = (index: number): Pick<Task, 'request'> => ({
  request: aRequest({ batch: { id: 'b', title: 'Missing images', index } }),
});
const saved: Partial<Task> = {
  status: 'completed',
  results: [{ index: 0, state: 'saved', uri: 'file:///w/one.png' }],
};

const unsaved = aResult({
  state: 'failed',
  stagedPath: '/inbox/one.png',
  error: anError({ code: 'save_failed' }),
});

void describe('the progress of tasks that were made together', () => {
  void it('counts an image once, however often it was asked for', () => {
    const tasks = [
      aTask({ id: '1', status: 'failed', ...image(0) }),
      aTask({ id: '2', ...saved, ...image(0) }),
      aTask({ id: '3', status: 'failed', ...image(1) }),
      aTask({ id: '4', status: 'unknown', ...image(1) }),
      aTask({ id: '5', status: 'failed', ...image(2) }),
      aTask({ id: '6', status: 'queued', ...image(2) }),
    ];
    const { images, saved: count, open, failed } = progressOf(tasks);
    assert.deepEqual({ images, count }, { images: 3, count: 1 });
    assert.deepEqual(
      open.map(({ id }) => id),
      ['6'],
    );
    assert.deepEqual(
      failed.map(({ id }) => id),
      ['4'],
    );
  });

  void it('has the second half of an image on two backgrounds, not its first', () => {
    const cutout = { by: 'grounds' } as const;
    const onBlack = { finish: { cutout }, fileName: 'a' };
    const white = aTask({ id: '1', ...saved, request: aRequest({ ...image(0).request, onBlack }) });
    const black = aTask({
      id: '2',
      status: 'failed',
      request: aRequest({ ...image(0).request, finish: { cutout } }),
    });
    assert.deepEqual(progressOf([white]), { images: 1, saved: 0, open: [], paused: [], failed: [] });
    assert.deepEqual(progressOf([white, black]), {
      images: 1,
      saved: 0,
      open: [],
      paused: [],
      failed: [black],
    });
  });

  void it('has the task of an image that is here and only to be saved, whatever was tried since', () => {
    const tasks = [
      aTask({ id: '1', status: 'failed', ...image(0), results: [unsaved] }),
      aTask({ id: '2', status: 'failed', ...image(0) }),
    ];
    assert.deepEqual(
      progressOf(tasks).failed.map(({ id }) => id),
      ['1'],
    );
  });
});

const { taskDescription } = await loadEditorWords();

const savedAt = (index: number): TaskResult => ({
  index,
  state: 'saved',
  uri: `file:///a/${index}.png`,
});
const discarded = (index: number): TaskResult => ({
  ...savedAt(index),
  discarded: { path: `/kept/${index}.png`, at: 1 },
});
const failed = (index: number): TaskResult => ({ index, state: 'failed' });

function ended(...results: TaskResult[]): Task {
  return aTask({ status: 'completed', request: aRequest({ n: results.length }), results });
}

const textOf = (...results: TaskResult[]): string =>
  taskDescription(ended(...results)).replace(/ · .*$/u, '');

function reasonOf(error: Partial<ErrorRecord>): string {
  const task = aTask({ status: 'failed', error: { code: 'invalid_request', message: '', ...error } });
  return taskDescription(task).replace(/ · .*$/u, '');
}

describe('the row of a task that ended', () => {
  it('says how many images there are', () => {
    assert.equal(textOf(savedAt(0), savedAt(1)), '2 images');
    assert.equal(textOf(savedAt(0), failed(1)), '1 of 2 images');
  });

  it('says that a cut-out needs a look whose check failed', () => {
    const reasons = [{ flaw: 'cut', text: 'It is cut off.' } as const];
    const checked = (index: number, verdict: 'good' | 'bad'): TaskResult => ({
      ...savedAt(index),
      finished: { got: { width: 64, height: 64 }, cutout: { verdict, reasons } },
    });
    assert.match(
      taskDescription(ended(checked(0, 'good'), checked(1, 'bad'))),
      /^2 images · needs a look · /u,
    );
    assert.match(taskDescription(ended(checked(0, 'good'))), /^1 image · \d/u);
  });

  it('does not say that an image is missing which was discarded', () => {
    assert.equal(textOf(discarded(0), savedAt(1), discarded(2)), '1 image');
    assert.equal(textOf(discarded(0)), 'deleted');
    assert.equal(textOf(discarded(0), savedAt(1), failed(2)), '2 of 3 images');
  });

  it('does not say that all images wait in the inbox when one was saved and discarded', () => {
    const staged: TaskResult = { index: 1, state: 'staged', stagedPath: '/inbox/1.png' };
    assert.ok(isInInbox(ended(staged)));
    assert.ok(!isInInbox(ended(discarded(0), staged)));
  });

  it('blames the service for nothing that was refused before anything was sent', () => {
    assert.equal(reasonOf({ sent: false, billing: 'no' }), 'input file changed or missing');
    assert.equal(reasonOf({ status: 400 }), 'request rejected');
    assert.equal(reasonOf({ service: { message: 'bad size' } }), 'request rejected');
  });
});
