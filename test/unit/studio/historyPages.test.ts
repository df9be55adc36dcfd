import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HistoryPages, rowWindow } from '../../../src/studio/historyPages.ts';
import type { StudioTask } from '../../../src/studio/protocol/state.ts';
import { aStudioTask } from './studioTasks.ts';

/** A host with so many tasks, which answers at once or when it is told to. */
class FakeHost {
  tasks: StudioTask[];
  /** Pages that were asked for, by their first row. */
  readonly asked: number[] = [];
  problem: Error | undefined;
  gate: Promise<void> = Promise.resolve();
  changes = 0;
  readonly problems: unknown[] = [];
  readonly pages: HistoryPages = new HistoryPages(
    async (offset, limit) => {
      this.asked.push(offset);
      await this.gate;
      if (this.problem) {
        throw this.problem;
      }
      return {
        total: this.tasks.length,
        tasks: this.tasks.slice(offset, offset + limit),
        models: ['one', 'two'],
      };
    },
    () => this.changes++,
    (problem) => this.problems.push(problem),
  );

  constructor(count: number) {
    this.tasks = Array.from({ length: count }, (_, row) => aStudioTask({ id: `task ${row}` }));
  }
}

void describe('the pages of the history', () => {
  void it('are fetched as they come into view, and once', async () => {
    const host = new FakeHost(10_000);
    const { pages } = host;
    await pages.showRange(0, 20);
    assert.deepEqual([pages.total, pages.models, host.changes], [10_000, ['one', 'two'], 1]);
    await pages.showRange(5030, 5050);
    await pages.showRange(5040, 5060);
    await pages.showRange(5190, 5210);
    await pages.showRange(0, 20);
    assert.deepEqual(host.asked, [0, 5000, 5050, 5150, 5200]);
    assert.equal(pages.task(5205)?.id, 'task 5205');
    assert.equal(pages.task(7000), undefined);
    assert.deepEqual(
      ['task 0', 'task 5042', 'task 7000'].map((id) => pages.rowOf(id)),
      [0, 5042, undefined],
    );
  });

  void it('are not fetched for what was only passed while scrolling', async () => {
    const host = new FakeHost(10_000);
    const gate = Promise.withResolvers<void>();
    host.gate = gate.promise;
    const first = host.pages.showRange(0, 20);
    void host.pages.showRange(3000, 3020);
    void host.pages.showRange(6000, 6020);
    gate.resolve();
    await first;
    assert.deepEqual(host.asked, [0, 6000]);
    const later = Promise.withResolvers<void>();
    host.gate = later.promise;
    const next = host.pages.showRange(1000, 1020);
    void host.pages.showRange(2000, 2020);
    void host.pages.showRange(4000, 4020);
    later.resolve();
    await next;
    assert.deepEqual(host.asked, [0, 6000, 1000, 4000]);
  });

  void it('show a change at once, and what is in view again', async () => {
    const host = new FakeHost(250);
    const { pages } = host;
    await pages.showRange(0, 20);
    await pages.showRange(120, 140);
    const changed = aStudioTask({ id: 'task 3', statusText: 'Failed' });
    const added = aStudioTask({ id: 'new' });
    host.tasks = [added, ...host.tasks.map((task) => (task.id === changed.id ? changed : task))];
    const heeded = pages.applyChanges({ kind: 'tasks', tasks: [changed, added], removed: [] });
    assert.deepEqual([pages.task(3)?.statusText, host.changes], ['Failed', 3]);
    await heeded;
    // Only the page that is in view.
    assert.deepEqual(host.asked, [0, 100, 100]);
    assert.deepEqual([pages.total, pages.task(101)?.id], [251, 'task 100']);
    await pages.showRange(0, 20);
    assert.equal(pages.task(0), added);
  });

  void it('are fetched again for what came or went, and show nothing new before', async () => {
    for (const [tasks, removed, asked] of [
      [[aStudioTask({ id: 'new' })], [], [0, 0]],
      [[], ['task 1'], [0, 0]],
      [[], [], [0]],
    ] as const) {
      const host = new FakeHost(10);
      await host.pages.showRange(0, 10);
      const heeded = host.pages.applyChanges({ kind: 'tasks', tasks: [...tasks], removed: [...removed] });
      assert.equal(host.changes, 1);
      await heeded;
      assert.deepEqual(host.asked, asked);
    }
  });

  void it('say nothing once they are closed', async () => {
    const host = new FakeHost(10);
    const showRange = host.pages.showRange(0, 10);
    host.pages.close();
    await showRange;
    assert.deepEqual([host.changes, host.pages.total], [0, undefined]);
    const many = new FakeHost(300);
    await many.pages.showRange(0, 10);
    const scrolling = many.pages.showRange(40, 290);
    many.pages.close();
    await scrolling;
    assert.deepEqual(many.asked, [0, 50]);
  });
});

void describe('the window of a long list', () => {
  void it('is what is seen and a little more', () => {
    assert.deepEqual(rowWindow(0, 500, 50, 10_000), { first: 0, end: 18 });
    assert.deepEqual(rowWindow(250_010, 500, 50, 10_000), { first: 4992, end: 5019 });
    assert.deepEqual(rowWindow(499_500, 500, 50, 10_000), { first: 9982, end: 10_000 });
    assert.deepEqual(rowWindow(9000, 500, 50, 3), { first: 3, end: 3 });
  });
});
