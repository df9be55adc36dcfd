import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { areRelated, wayBelow, wayBetween } from '../../common/fileUris.ts';
import {
  type AddressedFile,
  fileAddress,
  headLines,
  headLinks,
  manifestIcons,
  pictureLines,
  pictureSources,
} from '../../engine/operations/exportLines.ts';
import type { MadeFile, SetSource } from '../../engine/operations/exportSet.ts';
import { sentencesText } from '../../common/text.ts';
import { languageBy, languageOf } from '../../pages/find/languages.ts';
import type { Documents } from '../documents/documents.ts';
import type { ReadableDocument } from '../documents/readDocuments.ts';
import type { PageEdit } from '../documents/socialPages.ts';
import type { ChangeOutcome, PageChanges, ProposedChange } from '../pages/cardChanges.ts';
import { isSame, nameOf } from '../window/files.ts';
import { type ErrorAction, offer } from '../window/offers.ts';
import { plainText } from '../window/plainText.ts';
import { servedFolders } from './exportSetQuestions.ts';

/** Maximum number of documents among which the user chooses. */
const mostChoices = 50;
/** Maximum number of pages and manifests that are read. */
const mostRead = 200;
const ofOthers =
  '**/{node_modules,bower_components,vendor,dist,build,out,coverage,.git,.next,.nuxt,.astro}/**';
const webManifests = '**/{manifest.webmanifest,site.webmanifest,app.webmanifest,manifest.json}';

/** A file of a set that was saved. */
export interface SavedFile extends Omit<MadeFile, 'bytes'> {
  uri: vscode.Uri;
}

export interface SetDocumentServices {
  documents: () => Promise<Documents>;
  changes: PageChanges;
}

/** A change that documents need for a set. */
interface Need {
  /** Documents that may need it; the first one alone if it is in sight. */
  find: (reader: Documents) => Promise<vscode.Uri[]>;
  editFor: (reader: Documents, document: ReadableDocument) => Promise<PageEdit | undefined>;
  question: string;
}

/** Makes documents name the files of a set, once the user has seen how, and offers the lines for others. */
export class SetDocuments {
  readonly #services: SetDocumentServices;
  readonly #image: vscode.Uri;
  readonly #source: SetSource;

  constructor(services: SetDocumentServices, image: vscode.Uri, source: SetSource) {
    this.#services = services;
    this.#image = image;
    this.#source = source;
  }

  /** Returns the width at which a document in sight shows the picture, in pixels. */
  async widthShown(): Promise<number | undefined> {
    if (!vscode.workspace.isTrusted) {
      return undefined;
    }
    const { pages } = await this.#services.documents();
    for (const document of documentsInSight()) {
      for (const { size } of await pages.placesOf(document, this.#image)) {
        const { width, height } = size;
        if (width !== undefined || height !== undefined) {
          const byHeight = ((height ?? 0) * this.#source.width) / this.#source.height;
          return Math.max(1, Math.round(width ?? byHeight));
        }
      }
    }
    return undefined;
  }

  /** Reports saved files, after asking for the changes of documents that name them. */
  async tell(files: readonly SavedFile[], notes: readonly string[]): Promise<void> {
    const made = files.filter(({ uri }) => !isSame(uri, this.#image));
    const [first] = made;
    const folder = first && vscode.workspace.asRelativePath(vscode.Uri.joinPath(first.uri, '..'), false);
    const saved =
      folder === undefined
        ? l10n.t('{0} already meets your request. No file was created.', plainText(nameOf(this.#image)))
        : made.length === 1
          ? l10n.t('Saved {0}.', plainText(nameOf(first?.uri ?? this.#image)))
          : l10n.t('Saved {0} files in {1}.', made.length, plainText(folder));
    const outcomes: string[] = [];
    if (vscode.workspace.isTrusted) {
      const reader = await this.#services.documents();
      for (const need of this.#needs(files)) {
        outcomes.push(...(await this.#change(reader, need, saved)));
      }
    }
    const message = sentencesText([saved, ...notes.map((note) => plainText(note)), ...new Set(outcomes)]);
    await offer(vscode.window.showInformationMessage, message, ...(await this.#actions(files, first?.uri)));
  }

  #needs(files: readonly SavedFile[]): Need[] {
    const needs: Need[] = [];
    const unaddressed = files.map((file) => ({ ...file, address: '' }));
    if (pictureSources(unaddressed)) {
      needs.push({
        question: l10n.t('Apply the change shown below, so that browsers choose among the files?'),
        find: async (reader) => this.#documentsWithPicture(reader),
        editFor: async (reader, document) => this.#sourcesEdit(reader, document, files),
      });
    }
    if (headLinks(unaddressed).length > 0) {
      needs.push({
        question: l10n.t('Apply the change shown below, so that browsers find the icons?'),
        find: pagesWithHead,
        editFor: async (reader, document) => {
          const addressed = await Promise.all(
            files.map(async (file) => ({
              ...file,
              address: fileAddress(await reader.pages.pathTo(document, file.uri)),
            })),
          );
          return reader.pages.linksEdit(document, headLinks(addressed));
        },
      });
    }
    return needs;
  }

  /** @returns what became of the change in a sentence, if there is anything to say */
  async #change(reader: Documents, { find, editFor, question }: Need, saved: string): Promise<string[]> {
    const found = await find(reader);
    const page = await chooseDocument(found, saved);
    if (!page) {
      return [];
    }
    const name = plainText(nameOf(page));
    const change: ProposedChange = {
      editFor: async (document) => editFor(reader, document),
      tab: l10n.t('{0} (with the Exported Files)', name),
      title: saved,
      question,
      effect: l10n.t('{0} names the files', name),
    };
    return [outcomeText(await this.#services.changes.confirm(reader, page, change), name)];
  }

  async #documentsWithPicture(reader: Documents): Promise<vscode.Uri[]> {
    for (const document of documentsInSight()) {
      if ((await reader.pages.placesOf(document, this.#image)).length > 0) {
        return [document.uri];
      }
    }
    const found = new Map<string, vscode.Uri>();
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Looking for documents that show {0}…', plainText(nameOf(this.#image))),
      cancellable: true,
    };
    await vscode.window.withProgress(options, async (_, cancelled) => {
      const goOn = (): void => {
        if (cancelled.isCancellationRequested) {
          throw new vscode.CancellationError();
        }
      };
      try {
        for await (const { file } of reader.usesOf(this.#image, goOn)) {
          if (found.size === mostChoices) {
            break;
          }
          found.set(file.toString(), file);
        }
      } catch (error) {
        // The files are saved, and the documents found by then are enough.
        if (!(error instanceof vscode.CancellationError)) {
          throw error;
        }
      }
    });
    return [...found.values()];
  }

  async #sourcesEdit(
    { pages }: Documents,
    document: ReadableDocument,
    files: readonly SavedFile[],
  ): Promise<PageEdit | undefined> {
    const places = await pages.placesOf(document, this.#image);
    const [{ address: named } = { address: '' }] = places;
    const folder = vscode.Uri.joinPath(this.#image, '..');
    const addressed: AddressedFile[] = [];
    for (const { uri, ...file } of files) {
      const isBeside = isSame(vscode.Uri.joinPath(uri, '..'), folder);
      const address = isSame(uri, this.#image)
        ? named
        : isBeside
          ? named.slice(0, named.lastIndexOf('/') + 1) + fileAddress(nameOf(uri))
          : fileAddress(await pages.pathTo(document, uri));
      addressed.push({ ...file, address });
    }
    const sources = pictureSources(addressed);
    return sources && pages.sourcesEdit(document, places, sources);
  }

  async #actions(files: readonly SavedFile[], first: vscode.Uri | undefined): Promise<ErrorAction[]> {
    const addressed = await Promise.all(
      files.map(async (file) => ({ ...file, address: await addressOnSite(file.uri) })),
    );
    const lines = [...headLines(addressed), ...pictureLines(addressed, await addressOnSite(this.#image))];
    const actions: ErrorAction[] = [];
    if (lines.length > 0) {
      actions.push({
        title: l10n.t('Copy HTML'),
        run: async () => vscode.env.clipboard.writeText(`${lines.join('\n')}\n`),
      });
    }
    if (manifestIcons(addressed).length > 0) {
      const manifest = vscode.workspace.isTrusted ? await webManifest() : undefined;
      actions.push({
        title: manifest
          ? l10n.t('Copy Icons and Open {0}', plainText(nameOf(manifest)))
          : l10n.t('Copy Manifest Icons'),
        run: async () => copyIcons(addressed, files, manifest),
      });
    }
    if (first) {
      actions.push({
        title: l10n.t('Reveal'),
        run: () => vscode.commands.executeCommand('revealInExplorer', first),
      });
    }
    return actions;
  }
}

/** Copies the entries of a web app manifest, and opens it for them to be pasted. */
async function copyIcons(
  addressed: readonly AddressedFile[],
  files: readonly SavedFile[],
  manifest: vscode.Uri | undefined,
): Promise<void> {
  const icons = manifestIcons(
    addressed.map((file, index) => {
      const { uri } = files[index] ?? {};
      const way =
        manifest && uri && areRelated(manifest, uri)
          ? wayBetween(posix.dirname(manifest.path), uri.path)
          : '..';
      return way.startsWith('..') ? file : { ...file, address: fileAddress(way) };
    }),
  );
  await vscode.env.clipboard.writeText(`"icons": ${JSON.stringify(icons, undefined, 2)}`);
  await (manifest && vscode.window.showTextDocument(manifest));
}

/** Returns the address of a file from the root of its site, or its name where that is unknown. */
async function addressOnSite(file: vscode.Uri): Promise<string> {
  const [served] = await servedFolders(file);
  const way = served && wayBelow(served.path, file.path);
  return way === undefined || way === '' ? fileAddress(nameOf(file)) : `/${fileAddress(way)}`;
}

/** Asks which document to change. @returns undefined without one, or if the user wants none */
async function chooseDocument(found: readonly vscode.Uri[], title: string): Promise<vscode.Uri | undefined> {
  if (found.length < 2) {
    return found[0];
  }
  const items: (vscode.QuickPickItem & { uri?: vscode.Uri })[] = [
    ...found.map((uri) => ({
      label: plainText(nameOf(uri)),
      description: plainText(vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..'), false)),
      uri,
    })),
    { label: l10n.t('Change No Document') },
  ];
  const placeHolder = l10n.t('Which document should name the files? You see the change first.');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.uri;
}

function outcomeText(outcome: ChangeOutcome, name: string): string {
  switch (outcome) {
    case 'written':
    case 'path':
      return l10n.t('{0} names them.', name);
    case 'same':
      return l10n.t('{0} already names them.', name);
    case 'declined':
      return l10n.t('{0} was not changed.', name);
    case 'failed':
      return l10n.t("{0} was not changed: it was edited meanwhile or can't be written.", name);
    case 'unknown':
      return l10n.t("{0} was not changed: Limner can't tell where it names them.", name);
    case 'gone':
      return l10n.t("{0} is no longer there or can't be read.", name);
    case 'lossy':
      return l10n.t('{0} was not changed: VS Code loses characters in its encoding.', name);
  }
}

/** Returns the documents that the user sees, the active one first. */
function documentsInSight(): vscode.TextDocument[] {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return [...new Set(editors.flatMap((editor) => (editor ? [editor.document] : [])))].filter(
    ({ uri, languageId, isUntitled }) => !isUntitled && languageOf(languageId, uri.path) !== undefined,
  );
}

/** Returns the page in sight that has a head, or else those of the workspace, those nearest to its root first. */
async function pagesWithHead(): Promise<vscode.Uri[]> {
  const inSight = documentsInSight().find(
    (document) =>
      languageBy(languageOf(document.languageId, document.uri.path) ?? '')?.traits.includes('page') ===
        true && hasHead(document.getText()),
  );
  if (inSight) {
    return [inSight.uri];
  }
  const files = await vscode.workspace.findFiles('**/*.{html,htm,astro}', ofOthers, mostRead);
  const found: vscode.Uri[] = [];
  for (const file of files.toSorted((one, other) => depthOf(one) - depthOf(other))) {
    if (found.length < mostChoices && hasHead(await textOf(file))) {
      found.push(file);
    }
  }
  return found;
}

function hasHead(text: string): boolean {
  return /<head[\s>]/iu.test(text);
}

function depthOf({ path }: vscode.Uri): number {
  return path.split('/').length;
}

async function textOf(file: vscode.Uri): Promise<string> {
  return vscode.workspace.fs.readFile(file).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '',
  );
}

/** Returns the manifest of a web app in the workspace; those of browsers' extensions have other icons. */
async function webManifest(): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles(webManifests, ofOthers, mostRead);
  for (const file of files.toSorted((one, other) => depthOf(one) - depthOf(other))) {
    if (isWebManifest(await textOf(file))) {
      return file;
    }
  }
  return undefined;
}

function isWebManifest(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' &&
      value !== null &&
      !('manifest_version' in value) &&
      ['icons', 'start_url', 'display', 'short_name'].some((key) => key in value)
    );
  } catch {
    return false;
  }
}
