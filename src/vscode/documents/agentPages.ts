import * as vscode from 'vscode';
import type { AgentPage, AgentPages } from '../../agents/tools/agentHost.ts';
import type { Settings } from '../window/settings.ts';
import { changeDocument, readDocument } from './changeDocument.ts';
import type { ImageIndex } from './imageIndex.ts';
import type { ReadableDocument, ReadDocuments } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

/** The documents of the workspace for agents. */
export function agentPages(documents: ReadDocuments, settings: Settings, index: ImageIndex): AgentPages {
  const pageOf = async (document: ReadableDocument): Promise<AgentPage> => {
    const wanted = new WantedImages(settings, index);
    return {
      document,
      references: await documents.referencesIn(document),
      at: async (reference) => wanted.at(document, reference),
      fileOf: async (reference) => (await wanted.fileOf(document, reference))?.toString(),
      addressOf: async (uri, reference) => wanted.addressOf(document, vscode.Uri.parse(uri, true), reference),
      fileName: settings.fileName(document.uri),
    };
  };
  return {
    read: async (uri) => {
      const document = await readDocument(vscode.Uri.parse(uri, true));
      // VS Code may not tell of every change of files.
      index.forget();
      return document ? pageOf(document) : 'lossy';
    },
    change: async (uri, editsFor) =>
      changeDocument(vscode.Uri.parse(uri, true), async (document) => editsFor(await pageOf(document))),
  };
}
