import { registerHooks } from 'node:module';
import { failDisk } from '../../engine/run/diskFaults.ts';
import { arranged, Document, Uri } from './windowStub.ts';

// A process that puts much text before a document, with as much room for files as the process was given. It is refused to
// write more, in the document itself if there may be no other file, or is killed there.
const [, , path = '', end] = process.argv;
const listen = (): void => {};
const stub = new URL('windowStub.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { changeDocument } = await import('../../../../src/vscode/documents/changeDocument.ts');
const uri = Uri.file(path);
arranged.documents.set(uri.toString(), new Document(uri, ''));
if (end === 'killed') {
  // Node ignores the signal, until somebody has listened to it.
  process.on('SIGXFSZ', listen).off('SIGXFSZ', listen);
}
if (end === 'refused in place') {
  await failDisk({ operation: 'writeFile', code: 'EACCES', on: () => true });
}
await changeDocument(uri, async () => [{ start: 0, end: 0, text: 'much '.repeat(100_000) }]);
