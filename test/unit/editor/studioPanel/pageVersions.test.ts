import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageVersions } from '../../../../src/editor/studioPanel/pageVersions.ts';

test('a page counts from when it is opened, and after it is hidden', () => {
  const versions = new PageVersions();
  versions.give(1);
  assert.ok(!versions.isOutdated({ page: 1, method: 'opened' }));
  assert.ok(!versions.isOutdated({ page: 1, method: 'saveDraft' }));
  versions.give(2);
  assert.ok(!versions.isOutdated({ page: 1, method: 'saveDraft' }), 'what it says last');
  assert.ok(!versions.isOutdated({ page: 2, method: 'opened' }));
});

test('a page that is opened once more shows what was, and nothing that it asks counts', () => {
  const versions = new PageVersions();
  versions.give(1);
  versions.isOutdated({ page: 1, method: 'opened' });
  assert.ok(versions.isOutdated({ page: 1, method: 'opened' }));
  assert.ok(versions.isOutdated({ page: 1, method: 'saveDraft' }));
  versions.give(2);
  assert.ok(!versions.isOutdated({ page: 2, method: 'opened' }));
  assert.ok(!versions.isOutdated({ page: 2, method: 'saveDraft' }));
});

test('a page that is opened after VS Code was given the next one is outdated', () => {
  const versions = new PageVersions();
  versions.give(1);
  versions.give(2);
  assert.ok(versions.isOutdated({ page: 1, method: 'opened' }));
  assert.ok(!versions.isOutdated({ page: 2, method: 'opened' }));
});
