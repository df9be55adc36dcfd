import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { isAmong } from '../../src/vscode/window/files.ts';

describe('files that VS Code reports as deleted', () => {
  it('are recognized however their URI is written', () => {
    const path = '/w/images/fox (1) [ä].png';
    const { href } = pathToFileURL(path);
    assert.notEqual(href, vscode.Uri.file(path).toString());
    const isDeleted = isAmong([vscode.Uri.file('/w/a.png'), vscode.Uri.file(path)]);
    assert.ok(isDeleted(href));
    assert.ok(isDeleted(vscode.Uri.file(path).toString()));
    assert.ok(!isDeleted(pathToFileURL('/w/images/fox.png').href));
  });

  it('are also those of a folder', () => {
    const isDeleted = isAmong([vscode.Uri.file('/w/images (1)')]);
    assert.ok(isDeleted(pathToFileURL('/w/images (1)/fox.png').href));
    assert.ok(!isDeleted(pathToFileURL('/w/images (1) copy/fox.png').href));
  });
});
