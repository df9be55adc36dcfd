import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageVersions } from '../../../../src/editor/studioPanel/pageVersions.ts';

test('a page counts from when it is opened, and after it is hidden', () => {
  const versions = new PageVersions();
  versions.give(1);
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'opened' }));
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }));
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'opened' }), 'said once more');
  versions.give(2);
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }), 'what it says last');
  assert.ok(!versions.isOutdated({ page: 2, load: 'b', method: 'opened' }));
});

test('a page that is loaded once more shows what was, and nothing that it asks counts', () => {
  const versions = new PageVersions();
  versions.give(1);
  versions.isOutdated({ page: 1, load: 'a', method: 'opened' });
  assert.ok(versions.isOutdated({ page: 1, load: 'b', method: 'opened' }));
  assert.ok(versions.isOutdated({ page: 1, load: 'b', method: 'saveDraft' }));
  versions.give(2);
  assert.ok(!versions.isOutdated({ page: 2, load: 'c', method: 'opened' }));
  assert.ok(!versions.isOutdated({ page: 2, load: 'c', method: 'saveDraft' }));
});

test('a page that is loaded once more is told from the first, also where that was not heard to open', () => {
  const versions = new PageVersions();
  versions.give(1);
  assert.ok(!versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }));
  assert.ok(versions.isOutdated({ page: 1, load: 'b', method: 'opened' }));
});

test('a page that is opened after VS Code was given the next one is outdated', () => {
  const versions = new PageVersions();
  versions.give(1);
  versions.give(2);
  assert.ok(versions.isOutdated({ page: 1, load: 'a', method: 'opened' }));
  assert.ok(versions.isOutdated({ page: 1, load: 'a', method: 'saveDraft' }));
  assert.ok(!versions.isOutdated({ page: 2, load: 'b', method: 'opened' }));
});
