import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  carriesFiles,
  droppedUris,
  foreignUris,
  inputType,
} from '../../../../src/studio/compose/inputList.ts';

void describe('what is dropped on the studio', () => {
  void it('is the files of the explorer', () => {
    const dropped = transfer({
      'application/vnd.code.uri-list': 'file:///a.png\r\nfile:///b.png',
      'text/plain': '/a.png',
    });
    assert.equal(carriesFiles(dropped), true);
    assert.deepEqual(droppedUris(dropped), ['file:///a.png', 'file:///b.png']);
  });

  void it('is one file of the explorer, whatever else is said of it', () => {
    const dropped = transfer({
      'application/vnd.code.uri-list': 'file:///a.png',
      resourceurls: '["file:///b.png"]',
    });
    assert.deepEqual(droppedUris(dropped), ['file:///a.png']);
  });

  void it('is no file where an input is moved in its list', () => {
    // Browsers have types in lower case.
    assert.match(inputType, /^[a-z]+\/[a-z-]+$/);
    assert.equal(carriesFiles({ types: [inputType] }), false);
  });

  void it('is the file of a tab', () => {
    const dropped = transfer({ resourceurls: '["vscode-remote://host/a.png"]' });
    assert.equal(carriesFiles(dropped), true);
    assert.deepEqual(droppedUris(dropped), ['vscode-remote://host/a.png']);
  });

  void it('is a list of addresses, without its comments', () => {
    assert.deepEqual(foreignUris(transfer({ 'text/uri-list': '# two\nfile:///a.png\n' })), ['file:///a.png']);
  });

  void it('is nothing where the data is damaged', () => {
    assert.deepEqual(droppedUris(transfer({ resourceurls: '["file:///a.png"' })), []);
    assert.deepEqual(droppedUris(transfer({ resourceurls: '{"a":1}' })), []);
    assert.deepEqual(droppedUris(transfer({ resourceurls: '[1,"file:///a.png"]' })), ['file:///a.png']);
  });

  void it('is not taken where it is only text', () => {
    assert.equal(carriesFiles(transfer({ 'text/plain': 'words' })), false);
  });

  void it('is taken from the desktop', () => {
    assert.equal(carriesFiles({ types: ['Files'] }), true);
  });
});

function transfer(data: Readonly<Record<string, string>>) {
  return { types: Object.keys(data), getData: (type: string) => data[type] ?? '' };
}
