import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { announcementOf } from '../../../src/studio/announcements.ts';
import type { StudioTask } from '../../../src/studio/protocol/state.ts';

void describe('what is read out of a task', () => {
  void it('is that it began', () => {
    assert.equal(announcementOf(undefined, task({})), 'A fox: Painting');
  });

  void it('is each quarter of its progress, and nothing between', () => {
    const progress = [0, 10, 24, 25, 49, 60, 75, 99];
    const told = progress.filter((now, index) =>
      announcementOf(task({ progress: progress[index - 1] ?? 0 }), task({ progress: now })),
    );
    assert.deepEqual(told, [25, 60, 75]);
  });

  void it('is how it ended, once', () => {
    const ended = task({ standing: 'ended', status: 'completed', statusText: '1 image' });
    assert.equal(announcementOf(task({ progress: 99 }), ended), 'A fox: 1 image');
    assert.equal(announcementOf(ended, ended), undefined);
    assert.equal(announcementOf(undefined, ended), undefined);
  });

  void it('has the beginning of a long prompt', () => {
    const said = announcementOf(undefined, task({ prompt: 'word '.repeat(100) }));
    assert.ok(said !== undefined && said.length < 60, said);
    for (const prompt of ['🦊'.repeat(40), `x${'🦊'.repeat(40)}`]) {
      assert.match(announcementOf(undefined, task({ prompt })) ?? '', /^x?(?:🦊)+…: /u);
    }
  });
});

function task(changes: Partial<StudioTask>): StudioTask {
  return {
    id: 'one',
    kind: 'generate',
    prompt: 'A fox',
    model: 'painter',
    status: 'in_progress',
    standing: 'running',
    statusText: 'Painting',
    createdAt: 0,
    count: 1,
    images: [],
    hasOriginal: false,
    actions: [],
    errorActions: [],
    ...changes,
  };
}
