import * as vscode from 'vscode';
import { draggedImagesType } from '../../common/draggedImages.ts';
import { documentsThatShowImages } from '../window/documentLanguages.ts';

/** Gives what takes images that come into documents. */
export type IncomingDoor = () => Promise<{
  readonly incoming: {
    drop: vscode.DocumentDropEditProvider['provideDocumentDropEdits'];
    paste: NonNullable<vscode.DocumentPasteEditProvider['provideDocumentPasteEdits']>;
    resolve: NonNullable<vscode.DocumentPasteEditProvider['resolveDocumentPasteEdit']>;
  };
}>;

/** Registers what becomes of images that are dragged or pasted into a document. */
export function registerIncoming(load: IncomingDoor): vscode.Disposable {
  const files = 'text/uri-list';
  const kinds = [vscode.DocumentDropOrPasteEditKind.Empty.append('limner')];
  return vscode.Disposable.from(
    vscode.languages.registerDocumentDropEditProvider(
      documentsThatShowImages,
      { provideDocumentDropEdits: async (...drop) => (await load()).incoming.drop(...drop) },
      { dropMimeTypes: [draggedImagesType, files], providedDropEditKinds: kinds },
    ),
    vscode.languages.registerDocumentPasteEditProvider(
      documentsThatShowImages,
      {
        provideDocumentPasteEdits: async (...paste) => (await load()).incoming.paste(...paste),
        resolveDocumentPasteEdit: async (...edit) => (await load()).incoming.resolve(...edit),
      },
      { pasteMimeTypes: ['image/png', 'image/jpeg', 'image/webp', files], providedPasteEditKinds: kinds },
    ),
  );
}
