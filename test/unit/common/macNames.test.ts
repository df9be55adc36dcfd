import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPlatform } from '../../support/onPlatform.ts';

const { fileUri, isSameFile, wayBetween, wayInto } = await onPlatform(
  'darwin',
  async () => import('../../../src/common/fileUris.ts'),
);

test('macOS takes both cases, and letters in both forms', () => {
  assert.equal(fileUri('/Users/me/e\u0301.png'), 'file:///Users/me/%C3%A9.png');
  assert.ok(isSameFile('file:///Users/me/e%CC%81.png', 'file:///users/Me/%C3%A9.png'));
  assert.equal(
    wayInto('file:///users/me/projects', 'file:///Users/me/Projects/Images/fox.png'),
    'Images/fox.png',
  );
  assert.equal(
    wayBetween('/users/me/projects/docs', '/Users/me/Projects/images/fox.png'),
    '../images/fox.png',
  );
  assert.ok(!isSameFile('file:///Users/me/e.png', 'file:///Users/me/%C3%A9.png'));
});
