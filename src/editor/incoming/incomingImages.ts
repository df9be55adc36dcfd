// Room: what becomes of images that are dragged or pasted into a document.
// Never: how a document is read.

import * as vscode from 'vscode';
import { asSaveError } from '../../common/fileErrors.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { type ImageToShow, pathsIn, referenceIn } from '../insert/imageText.ts';
import { publishBytes } from '../actions/publishBytes.ts';
import type { Documents } from '../documents/documents.ts';
import type { Painting } from '../paint/painting.ts';
import { reported } from '../questions/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { draggedFiles, draggedResults } from './draggedImages.ts';

/** Documents into which VS Code itself takes files of images. */
const takenByVsCode: ReadonlySet<string> = new Set(['markdown', 'css', 'scss', 'less']);
/** The name of what is pasted: the clipboard has none. */
const pastedName = 'pasted-image';
const pastedTypes = ['image/png', 'image/jpeg', 'image/webp'];

export interface IncomingServices {
  engine: EngineHost;
  documents: () => Promise<Documents>;
  painting: Painting;
  log: vscode.LogOutputChannel;
}

/** A picture from the clipboard. */
interface Picture {
  document: vscode.TextDocument;
  at: vscode.Position;
  bytes: Uint8Array;
  /** Its file, once an edit is chosen: two may be, one after the other. */
  file?: Promise<vscode.Uri>;
}

/** Shows images in the documents that they are dragged or pasted into, as their languages have it. */
export class IncomingImages {
  readonly #services: IncomingServices;
  /** What edits are about that paste pictures. */
  readonly #pictures = new WeakMap<vscode.DocumentPasteEdit, Picture>();

  constructor(services: IncomingServices) {
    this.#services = services;
  }

  /** Takes images from the task list and the studio, and files where VS Code doesn't. */
  async drop(
    document: vscode.TextDocument,
    at: vscode.Position,
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const results = await draggedResults(this.#services.engine, data);
    const images = results ?? (await this.#files(document, data));
    const [text, needs] = await this.#referencesIn(document, images, at);
    if (images.length === 0) {
      return undefined;
    }
    const title = results ? vscode.l10n.t('Insert Image with Its Prompt') : vscode.l10n.t('Insert Image');
    const edit = new vscode.DocumentDropEdit(text, title, insertKind());
    edit.additionalEdit = needs;
    return edit;
  }

  /** Takes files where VS Code doesn't, and pictures. */
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
      const edit = new vscode.DocumentPasteEdit(text, vscode.l10n.t('Insert Image'), insertKind());
      edit.additionalEdit = needs;
      return [edit];
    }
    // One text goes to every cursor: where the picture can't be saved, others would lose what they select.
    const bytes = ranges.length === 1 ? await pictureIn(data) : undefined;
    if (!bytes) {
      return [];
    }
    const picture = { document, at: range.start, bytes };
    // What is selected stays where the picture can't be saved.
    const selected = document.getText(range);
    const inserted = new vscode.DocumentPasteEdit(
      selected,
      vscode.l10n.t('Save and Insert Image'),
      insertKind(),
    );
    const title = vscode.l10n.t('Save and Edit with Limner…');
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

  /** Saves a picture once its edit is chosen. */
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
    const paths = await pathsIn(document, uri, await this.#services.documents());
    const { text, address, needs } = referenceIn(document, { uri, alt: '' }, paths, at);
    edit.insertText = text;
    if (needs) {
      edit.additionalEdit = new vscode.WorkspaceEdit();
      edit.additionalEdit.insert(document.uri, needs.at, needs.text);
    }
    if (edit.kind.value !== editKind().value) {
      return;
    }
    // A question that opens earlier would take the focus from where the text is put.
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

  /** Returns what shows images in a document, and the edit with what it needs for them. */
  async #referencesIn(
    document: vscode.TextDocument,
    images: readonly ImageToShow[],
    at: vscode.Position,
  ): Promise<[text: string, needs: vscode.WorkspaceEdit]> {
    const documents = await this.#services.documents();
    const texts: string[] = [];
    const edit = new vscode.WorkspaceEdit();
    let taken = '';
    for (const image of images) {
      const { text, needs } = referenceIn(
        document,
        image,
        await pathsIn(document, image.uri, documents),
        at,
        taken,
      );
      texts.push(text);
      if (needs) {
        edit.insert(document.uri, needs.at, needs.text);
        taken += needs.text;
      }
    }
    return [texts.join('\n'), edit];
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

/** A prompt is asked for, and the new image takes the place of the pasted one. */
function editKind(): vscode.DocumentDropOrPasteEditKind {
  return vscode.DocumentDropOrPasteEditKind.Empty.append('limner', 'edit');
}
