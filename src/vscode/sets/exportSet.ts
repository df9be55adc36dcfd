import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asSaveError } from '../../common/fileErrors.ts';
import { finishNotes, leftOutText } from '../../engine/messages/finishText.ts';
import {
  type MadeFile,
  makeSet,
  planSet,
  readSource,
  sameFile,
  type SetFacts,
  setNames,
  setProblem,
  type SetSource,
  type SetWishes,
} from '../../engine/operations/exportSet.ts';
import { told } from '../../engine/messages/told.ts';
import { isLimnerError, messageOf } from '../../common/limnerError.ts';
import { isFromMenu } from '../actions/finishFiles.ts';
import { leftAloneText, readToFinish } from '../actions/finishFile.ts';
import { publishBytes } from '../actions/workspacePublisher.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';
import { asRejection, refuse, reported } from '../ask/refusal.ts';
import type { Documents } from '../documents/documents.ts';
import { imagesMeant, notAnImage } from '../generate/inputImages.ts';
import { resolveLocation } from '../generate/paintArguments.ts';
import type { SaveTargets } from '../generate/saveTarget.ts';
import type { PageChanges } from '../pages/cardChanges.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { type SavedFile, SetDocuments } from './exportSetDocuments.ts';
import { servedFolders, SetQuestions } from './exportSetQuestions.ts';

const exportArguments = v.strictObject({
  sets: v.array(v.picklist(setNames)),
  width: v.optional(v.number()),
  fill: v.optional(v.string()),
  folder: v.optional(v.union([v.string(), v.custom<vscode.Uri>((value) => value instanceof vscode.Uri)])),
});

export interface SetServices {
  engine: EngineHost;
  folders: WorkspaceFolders;
  targets: SaveTargets;
  documents: () => Promise<Documents>;
  changes: PageChanges;
  log: vscode.LogOutputChannel;
}

interface Picture {
  file: vscode.Uri;
  bytes: Uint8Array;
  source: SetSource;
}

/**
 * `limner.exportSet`: creates the files that a site or a program needs from one picture, at no cost, and makes documents
 * name them. Arguments replace the questions, and failures then reject; otherwise they are shown.
 */
export class SetExporter {
  readonly #services: SetServices;

  constructor(services: SetServices) {
    this.#services = services;
  }

  /** @returns the files of the set; the picture itself where it is one of them */
  async export(first?: unknown, second?: unknown): Promise<vscode.Uri[] | undefined> {
    const given = v.safeParse(exportArguments, second);
    if (given.success) {
      try {
        const { folder, ...wishes } = given.output;
        const problem = setProblem(wishes);
        if (problem !== undefined) {
          throw refuse('invalid_request', told(problem));
        }
        const picture = await this.#read(first, undefined);
        const root = await this.#services.folders.current(false);
        const target = folder === undefined ? undefined : resolveLocation(folder, root);
        const { files } = await this.#make(picture, wishes, target);
        return files.map(({ uri }) => uri);
      } catch (error) {
        throw asRejection(error);
      }
    }
    if (!isFromMenu(second)) {
      throw refuse('invalid_request', l10n.t('Invalid arguments: {0}', given.issues[0].message));
    }
    let made: vscode.Uri[] | undefined;
    await reported(this.#services.log, async () => {
      const picture = await this.#read(first, second);
      const { file, source } = picture;
      const pages = new SetDocuments(this.#services, file, source);
      const served = await servedFolders(file);
      const questions = new SetQuestions(file, source, await pages.widthShown(), served, async () => {
        const codecs = await (await this.#services.engine.get()).codecs();
        return (await codecs.backgroundOf(picture.bytes.slice())) === 'transparent';
      });
      const { folder, ...wishes } = await questions.ask();
      const { files, notes } = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: l10n.t('Exporting {0}…', plainText(nameOf(file))),
        },
        async () => this.#make(picture, wishes, folder),
      );
      made = files.map(({ uri }) => uri);
      // Goes on while the user reads.
      void reported(this.#services.log, async () => pages.tell(files, notes));
    });
    return made;
  }

  async #read(first: unknown, second: unknown): Promise<Picture> {
    const [file, ...others] = await imagesMeant(this.#services.folders, first, second);
    if (others.length > 0) {
      throw refuse('invalid_request', l10n.t('Select a single image: a set is made from one.'));
    }
    const bytes = await readToFinish(file).catch((error: unknown) => {
      throw refuse('invalid_request', l10n.t("{0} can't be read: {1}", nameOf(file), told(messageOf(error))));
    });
    const source = await readSource(nameOf(file), bytes);
    if (!source) {
      throw refuse('unsupported_image', notAnImage(nameOf(file)));
    }
    return { file, bytes, source };
  }

  /** @param folder by default, that of the picture */
  async #make(
    { file, bytes, source }: Picture,
    wishes: SetWishes,
    folder: vscode.Uri | undefined,
  ): Promise<{ files: SavedFile[]; notes: string[] }> {
    const plan = planSet(source, wishes);
    const left = plan.leftOut.length > 0 ? [leftOutText(plan.leftOut)] : [];
    if (plan.files.length === 0) {
      const why = left[0] ?? l10n.t('{0} already meets your request. No file was created.', nameOf(file));
      throw refuse('unsupported_image', plainText(why));
    }
    const { engine, targets } = this.#services;
    const asks = folder !== undefined;
    const target = await targets.resolve({ folder: folder ?? vscode.Uri.joinPath(file, '..'), asks });
    const place = vscode.Uri.parse(target.folder, true);
    const codecs = await (await engine.get()).codecs();
    let made: { files: MadeFile[]; facts: SetFacts };
    try {
      made = await makeSet(codecs, bytes, source, plan.files, wishes, (why) => {
        throw refuse('unsupported_image', leftAloneText(why, nameOf(file)));
      });
    } catch (error) {
      throw isLimnerError(error)
        ? error
        : refuse(
            'unsupported_image',
            l10n.t("{0} can't be finished: {1} Nothing was changed.", nameOf(file), told(messageOf(error))),
          );
    }
    const files: SavedFile[] = [];
    for (const { bytes: contents, ...facts } of made.files) {
      const uri = contents ? await this.#publish({ ...facts, bytes: contents }, place) : file;
      files.push({ ...facts, uri });
    }
    return { files, notes: [...left, ...finishNotes(made.facts)] };
  }

  /** Creates a file, unless the same one is there. */
  async #publish(
    file: Pick<MadeFile, 'name'> & { bytes: Uint8Array },
    folder: vscode.Uri,
  ): Promise<vscode.Uri> {
    const there = await sameFile(file, async (name) =>
      readIfThere(vscode.Uri.joinPath(folder, name)).catch(() => new Uint8Array()),
    );
    return there === undefined
      ? publishBytes(this.#services.engine.home, file.bytes, folder, file.name).catch((error: unknown) => {
          throw asSaveError(error, 'no');
        })
      : vscode.Uri.joinPath(folder, there);
  }
}
