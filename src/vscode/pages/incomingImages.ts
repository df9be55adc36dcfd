import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asSaveError } from '../../common/fileErrors.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { type ImageToShow, pathsIn, pathsOf, referenceIn, referencesIn } from './insertImage.ts';
import { publishBytes } from '../actions/workspacePublisher.ts';
import type { Documents } from '../documents/documents.ts';
import type { Painting } from '../generate/painting.ts';
import { reported } from '../ask/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { draggedFiles, draggedResults } from './draggedImages.ts';

/** Documents into which VS Code itself inserts image files. */
const takenByVsCode: ReadonlySet<string> = new Set(['markdown', 'css', 'scss', 'less']);
/** Name of a pasted image: the clipboard has none. */
export const pastedName = 'pasted-image';
const pastedTypes = ['image/png', 'image/jpeg', 'image/webp'];

export interface IncomingServices {
  engine: EngineHost;
  documents: () => Promise<Documents>;
  painting: Painting;
  log: vscode.LogOutputChannel;
}

interface Picture {
  document: vscode.TextDocument;
  at: vscode.Position;
  bytes: Uint8Array;
  /** File of the picture once an edit is chosen. There may be two edits, one after the other. */
  file?: Promise<vscode.Uri>;
}

/** Inserts images that are dragged or pasted into documents, in the form of their language. */
export class IncomingImages {
  readonly #services: IncomingServices;
  /** Pictures that pending edits would paste. */
  readonly #pictures = new WeakMap<vscode.DocumentPasteEdit, Picture>();

  constructor(services: IncomingServices) {
    this.#services = services;
  }

  /** Accepts images from the task list and the studio, and files unless VS Code handles them. */
  async drop(
    document: vscode.TextDocument,
    at: vscode.Position,
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const { engine, documents } = this.#services;
    const results = await draggedResults(engine, documents, data);
    const images = results ?? (await this.#files(document, data));
    const [text, needs] = await this.#referencesIn(document, images, at);
    if (images.length === 0) {
      return undefined;
    }
    const title = results ? l10n.t('Insert Image with Its Prompt') : l10n.t('Insert Image');
    const edit = new vscode.DocumentDropEdit(text, title, insertKind());
    edit.additionalEdit = needs;
    return edit;
  }

  /** Accepts pictures, and files unless VS Code handles them. */
  async paste(
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentPasteEdit[]> {
    const [range] = ranges;
    if (!range || document.isUntitled) {
      return [];
    }
    const files = await this.#files(document, data);
    if (files.length > 0) {
      const [text, needs] = await this.#referencesIn(document, files, range.start);
      const edit = new vscode.DocumentPasteEdit(text, l10n.t('Insert Image'), insertKind());
      edit.additionalEdit = needs;
      return [edit];
    }
    // Every cursor gets the same text. If the picture can't be saved, the others would lose their selections.
    const bytes = ranges.length === 1 ? await pictureIn(data) : undefined;
    if (!bytes) {
      return [];
    }
    const picture = { document, at: range.start, bytes };
    // Keeps the selection if the picture can't be saved.
    const selected = document.getText(range);
    const inserted = new vscode.DocumentPasteEdit(selected, l10n.t('Save and Insert Image'), insertKind());
    const title = l10n.t('Save and Edit with Limner…');
    const edited = new vscode.DocumentPasteEdit(selected, title, editKind());
    // Some programs copy a picture along with the text that is meant.
    const { Empty, Text } = vscode.DocumentDropOrPasteEditKind;
    inserted.yieldTo = [Text];
    edited.yieldTo = [Text, Empty.append('markdown'), Empty.append('css'), insertKind()];
    for (const edit of [inserted, edited]) {
      this.#pictures.set(edit, picture);
    }
    const isInWorkspace = vscode.workspace.getWorkspaceFolder(document.uri) !== undefined;
    return [
      ...(takenByVsCode.has(document.languageId) ? [] : [inserted]),
      ...(isInWorkspace ? [edited] : []),
    ];
  }

  async resolve(
    edit: vscode.DocumentPasteEdit,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentPasteEdit> {
    const picture = this.#pictures.get(edit);
    if (picture) {
      await reported(this.#services.log, async () => this.#save(edit, picture, token));
    }
    return edit;
  }

  async #save(
    edit: vscode.DocumentPasteEdit,
    picture: Picture,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { document, at } = picture;
    const uri = await (picture.file ??= this.#publish(picture));
    const documents = await this.#services.documents();
    const paths = await pathsIn(document, uri, documents, at);
    const { text, address, needs } = referenceIn(document, { uri, alt: '' }, paths, documents, at);
    edit.insertText = text;
    if (needs) {
      edit.additionalEdit = new vscode.WorkspaceEdit();
      edit.additionalEdit.insert(document.uri, needs.at, needs.text);
    }
    if (edit.kind.value !== editKind().value) {
      return;
    }
    // Asking earlier would take the focus from the insertion point.
    const changes = vscode.workspace.onDidChangeTextDocument((change) => {
      if (
        change.document === document &&
        change.contentChanges.some((one) => one.text.replaceAll('\r\n', '\n').includes(text))
      ) {
        changes.dispose();
        const reference = { document: document.uri.toString(), address };
        void this.#services.painting.propose({ given: { images: [uri] }, reference });
      }
    });
    token.onCancellationRequested(() => {
      changes.dispose();
    });
  }

  async #publish({ document, bytes }: Picture): Promise<vscode.Uri> {
    const { documents, engine } = this.#services;
    const folder = await (await documents()).folderForNew(document);
    const extension = sniffImage(bytes)?.extension ?? 'png';
    try {
      return await publishBytes(engine.home, bytes, folder, `${pastedName}.${extension}`);
    } catch (error) {
      throw asSaveError(error, 'no');
    }
  }

  /** Returns the text that shows images in a document, and an edit with the imports it needs. */
  async #referencesIn(
    document: vscode.TextDocument,
    images: readonly ImageToShow[],
    at: vscode.Position,
  ): Promise<[text: string, needs: vscode.WorkspaceEdit]> {
    const documents = await this.#services.documents();
    const edit = new vscode.WorkspaceEdit();
    const paths = await pathsOf(images, document, documents, at);
    const { text, needs } = referencesIn(document, images, paths, documents, at);
    for (const one of needs) {
      edit.insert(document.uri, one.at, one.text);
    }
    return [text, edit];
  }

  async #files(document: vscode.TextDocument, data: vscode.DataTransfer): Promise<ImageToShow[]> {
    const { engine, documents } = this.#services;
    return takenByVsCode.has(document.languageId)
      ? []
      : draggedFiles(engine, await documents(), document.uri, data);
  }
}

async function pictureIn(data: vscode.DataTransfer): Promise<Uint8Array | undefined> {
  const [file] = pastedTypes.flatMap((type) => data.get(type)?.asFile() ?? []);
  const bytes = await file?.data();
  return bytes && sniffImage(bytes) ? bytes : undefined;
}

function insertKind(): vscode.DocumentDropOrPasteEditKind {
  return vscode.DocumentDropOrPasteEditKind.Empty.append('limner', 'insert');
}

/** Kind of the edit that asks for a prompt and replaces the pasted image with the new one. */
function editKind(): vscode.DocumentDropOrPasteEditKind {
  return vscode.DocumentDropOrPasteEditKind.Empty.append('limner', 'edit');
}
