import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../common/limnerError.ts';
import { sentencesText } from '../../common/text.ts';
import { told } from '../../engine/messages/told.ts';
import { cutoutActions } from '../../engine/operations/availableActions.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { cutoutNote, finishNotes } from '../../engine/messages/finishText.ts';
import type { OriginalOutput, Task, TaskResult } from '../../engine/task/task.ts';
import type { RemadeFile } from '../../engine/task/taskEvent.ts';
import { type Finish, isCutoutRefused, whyLeftAlone } from '../../images/formats/finish.ts';
import { hasCredentials, readProvenance } from '../../images/formats/provenance.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import type { Received } from '../../images/finish/render.ts';
import { refuse, reportFailure } from '../ask/refusal.ts';
import { notAnImage } from '../generate/inputImages.ts';
import * as commands from '../window/commandIds.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isSame, nameOf, readIfThere } from '../window/files.ts';
import { commandAction, offer } from '../window/offers.ts';
import { plainText } from '../window/plainText.ts';
import { finishBytes, leftAloneText } from './finishFile.ts';
import { type ImageFileQueue, referenceTo, type TaskImage } from './imageFileQueue.ts';
import { type ChangedOriginal, type OriginalReplacer, undoing } from './originalReplacer.ts';
import { shapeOf } from './replacement.ts';
import { missing, type SavedImage } from './taskArgument.ts';
import { publishBytes } from './workspacePublisher.ts';

/** The images with which the page repairs the transparency of a file. */
export interface RepairImages {
  name: string;
  width: number;
  height: number;
  /** Of the file, which a repair is for. */
  sha256: string;
  /** A PNG of what it was cut out of, in its size and place; undefined if that is gone or unknown. */
  source?: Uint8Array;
}

/** A repair of a file's transparency: a PNG as for `Codecs.repair`, and the contents that it is for. */
export interface SavedRepair {
  alpha: Uint8Array;
  sha256: string;
}

/**
 * Makes the files of images anew from what is here, at no cost: cutouts in another way, and with a repaired
 * transparency. A file keeps its name, so that documents show the new one; its old contents are kept for a while.
 */
export class Remaking {
  readonly #engine: EngineHost;
  readonly #queue: ImageFileQueue;
  readonly #originals: Pick<OriginalReplacer, 'exchange'>;
  readonly #log: vscode.LogOutputChannel;

  constructor(
    engine: EngineHost,
    queue: ImageFileQueue,
    originals: Pick<OriginalReplacer, 'exchange'>,
    log: vscode.LogOutputChannel,
  ) {
    this.#engine = engine;
    this.#queue = queue;
    this.#originals = originals;
    this.#log = log;
  }

  /**
   * `limner.task.keepAnyway`, `limner.task.keepSolid`: cuts the subject out of the image as received once more, and
   * keeps the result although its check fails, or makes the inside of the subject opaque.
   *
   * @returns undefined if the user declined
   * @throws LimnerError `invalid_request` if the cutout has nothing to keep
   */
  async cutOutAgain(
    image: SavedImage,
    how: 'keepAnyway' | 'keepSolid',
  ): Promise<ChangedOriginal | undefined> {
    return this.#queue.inTurn(referenceTo(image), async ({ task, result }) => {
      const name = plainText(nameOf(image.uri));
      if (!cutoutActions(result).includes(how)) {
        throw refuse(
          'invalid_request',
          l10n.t('The check of {0} found nothing to which this applies.', name),
        );
      }
      const before = await contentsOf(image.uri);
      const received = await this.#receivedOf(task, result, before);
      const codecs = await (await this.#engine.get()).codecs();
      const { bytes, onWhite } = received;
      const provenance = await readProvenance(before);
      const finished = await finishBytes(codecs, name, copyOf(bytes), withOption(received.how, how), {
        ...(onWhite && { onWhite: copyOf(onWhite) }),
        ...(provenance && { provenance }),
      });
      const { bytes: made, mediaType: _, size: __, ...facts } = finished;
      // The inside is solid already.
      const isUnchanged = hashOf(made) === hashOf(before);
      if (isUnchanged || facts.untouched !== undefined || isCutoutRefused(facts.cutout)) {
        throw refuse(
          'invalid_request',
          (isUnchanged ? undefined : facts.cutout && cutoutNote(facts.cutout)) ??
            l10n.t('{0} has nothing to change.', name),
        );
      }
      const answer = result.answer ?? (await this.#keep({ task, result }, before));
      const note = facts.cutout && cutoutNote(facts.cutout);
      const notes = [...(note === undefined ? [] : [note]), ...finishNotes(facts)];
      const agreed = result.sha256 ?? hashOf(before);
      const known = { agreed, answer, finished: facts };
      return this.#put({ task, result, uri: image.uri }, before, made, known, notes);
    });
  }

  /**
   * Returns what the page needs to repair a file.
   *
   * @throws LimnerError `unsupported_image` for a file whose transparency can't be changed
   */
  async toRepair(file: vscode.Uri): Promise<RepairImages> {
    const name = nameOf(file);
    const bytes = await contentsOf(file);
    const { size } = await shapeOf(bytes);
    await requireRepairable(bytes, name);
    if (!size) {
      throw refuse('unsupported_image', notAnImage(name));
    }
    const codecs = await (await this.#engine.get()).codecs();
    const received = await this.#receivedAt(file, bytes);
    const source = await codecs.repairSource(bytes, received).catch((error: unknown) => {
      throw refuse('unsupported_image', l10n.t("{0} can't be repaired: {1}", name, told(messageOf(error))));
    });
    return { name, ...size, sha256: hashOf(bytes), ...(source && { source }) };
  }

  /**
   * Repairs the transparency of a file in its place.
   *
   * @returns undefined if the user declined
   * @throws LimnerError `invalid_request` if the file has changed since the repair began
   */
  async repair(file: vscode.Uri, repair: SavedRepair): Promise<ChangedOriginal | undefined> {
    const { store } = await this.#engine.get();
    const known = store.savedAs(file.toString(), repair.sha256);
    const isItself = known !== undefined && isSame(vscode.Uri.parse(known.result.uri ?? ''), file);
    const act = async (image?: TaskImage): Promise<ChangedOriginal | undefined> => {
      const { before, made, notes } = await this.#repaired(file, repair);
      const { result } = image ?? {};
      const isAsReceived = result?.answer === undefined && result?.sha256 === hashOf(before);
      const answer = image && isAsReceived ? await this.#keep(image, before) : result?.answer;
      // The check of the cutout was about another one.
      const { cutout: _, ...finished } = { cutout: undefined, ...result?.finished };
      const facts = result?.finished && 'got' in finished ? finished : undefined;
      const known = { agreed: repair.sha256, answer, finished: facts };
      return this.#put({ ...image, uri: file }, before, made, known, notes);
    };
    return isItself ? this.#queue.inTurn(referenceTo(known), act) : act();
  }

  /** Saves a repaired file beside the file. @returns its name */
  async repairCopy(file: vscode.Uri, repair: SavedRepair): Promise<string> {
    const { made, notes } = await this.#repaired(file, repair);
    const uri = await publishBytes(
      this.#engine.home,
      made,
      vscode.Uri.joinPath(file, '..'),
      `${parse(nameOf(file)).name}-repaired.${sniffImage(made)?.extension ?? 'png'}`,
    );
    void offer(
      vscode.window.showInformationMessage,
      sentencesText([l10n.t('Saved {0}.', plainText(nameOf(uri))), ...notes]),
      commandAction(l10n.t('Open'), 'vscode.open', uri),
      commandAction(l10n.t('Reveal'), 'revealInExplorer', uri),
    );
    return nameOf(uri);
  }

  async #repaired(
    file: vscode.Uri,
    { alpha, sha256 }: SavedRepair,
  ): Promise<{ before: Uint8Array; made: Uint8Array; notes: string[] }> {
    const before = await contentsOf(file);
    const name = plainText(nameOf(file));
    if (hashOf(before) !== sha256) {
      throw refuse(
        'invalid_request',
        l10n.t(
          '{0} has changed since then. The repair is now shown on its new contents: save it again.',
          name,
        ),
      );
    }
    const codecs = await (await this.#engine.get()).codecs();
    const received = await this.#receivedAt(file, before);
    const made = await codecs.repair(before, alpha, received).catch((error: unknown) => {
      throw refuse('unsupported_image', l10n.t("{0} can't be repaired: {1}", name, told(messageOf(error))));
    });
    const notes = finishNotes({ ...((await hasCredentials(before)) && { lostCredentials: true }) });
    return { before, made, notes };
  }

  /** Returns what a file of the task list was made from, if it is known and here. */
  async #receivedAt(file: vscode.Uri, bytes: Uint8Array): Promise<Received | undefined> {
    const { store } = await this.#engine.get();
    const known = store.savedAs(file.toString(), hashOf(bytes));
    if (!known?.result.answer) {
      return undefined;
    }
    return this.#receivedOf(known.task, known.result, bytes).catch(() => undefined);
  }

  /** Returns an image as received, and how it was finished. @throws LimnerError if it is gone */
  async #receivedOf(task: Task, { answer, finished }: TaskResult, file: Uint8Array): Promise<Received> {
    const { request } = task;
    const bytes = answer ? await readFile(answer.path).catch(() => undefined) : file;
    if (!bytes) {
      throw refuse('invalid_request', l10n.t('The image as received is no longer kept.'));
    }
    const { finish = {}, onBlack, images: [input] = [] } = request;
    const wanted: Finish = onBlack
      ? { ...onBlack.finish, cutout: { ...onBlack.finish.cutout, by: 'key' } }
      : finish;
    const isKept =
      finished && 'cutout' in finished && finished.cutout?.keptAnyway && wanted.cutout !== undefined;
    const how = isKept ? withOption(wanted, 'keepAnyway') : wanted;
    if (how.cutout?.by !== 'grounds' || !input) {
      return { bytes, how };
    }
    const { keptFiles } = await this.#engine.get();
    const path = await keptFiles.whereabouts(input);
    return { bytes, how, ...(path !== undefined && { onWhite: await readFile(path) }) };
  }

  async #keep({ task, result }: TaskImage, bytes: Uint8Array): Promise<OriginalOutput> {
    return (await this.#engine.get()).runner.keepOutput(task.id, result.index, bytes);
  }

  /**
   * Writes new contents in place of a file, or beside it if its name promises another format, and records that.
   *
   * @param image of the task list, if it is one
   * @param known of the image, and the SHA-256 of what may be replaced without a question
   */
  async #put(
    image: Partial<TaskImage> & { uri: vscode.Uri },
    before: Uint8Array,
    made: Uint8Array,
    known: { agreed: string; answer: OriginalOutput | undefined; finished: TaskResult['finished'] },
    notes: readonly string[],
  ): Promise<ChangedOriginal | undefined> {
    const { uri } = image;
    const written = await this.#write(uri, before, made, known.agreed);
    if (!written) {
      return undefined;
    }
    const { uri: place, undo: restore } = written;
    const { format, size } = await shapeOf(made);
    const file: RemadeFile = {
      uri: place.toString(),
      size: made.length,
      sha256: hashOf(made),
      ...(format && { mediaType: `image/${format === 'jpg' ? 'jpeg' : format}` }),
      ...size,
      ...(known.answer && { answer: known.answer }),
      ...(known.finished && { finished: known.finished }),
    };
    const { result } = image;
    await this.#record(image, file);
    const name = plainText(nameOf(place));
    const undo = async (): Promise<boolean> => {
      const isUndone = await restore();
      await (isUndone && result && this.#record(image, fileOf(result)));
      return isUndone;
    };
    const message = sentencesText([l10n.t('Saved {0}.', name), ...notes]);
    if (notes.length > 0) {
      // The page only says that it was saved.
      this.#log.info(message);
    }
    return {
      name,
      undo,
      tell: () =>
        void offer(
          vscode.window.showInformationMessage,
          message,
          undoing(name, undo),
          commandAction(l10n.t('Open'), 'vscode.open', place),
        ).catch((error: unknown) => void reportFailure(this.#log, error)),
    };
  }

  async #write(
    uri: vscode.Uri,
    before: Uint8Array,
    made: Uint8Array,
    agreed: string,
  ): Promise<{ uri: vscode.Uri; undo: () => Promise<boolean> } | undefined> {
    const extension = sniffImage(made)?.extension;
    if (extension === sniffImage(before)?.extension) {
      const undo = await this.#originals.exchange(uri, agreed, made);
      return undo && { uri, undo };
    }
    const place = await publishBytes(
      this.#engine.home,
      made,
      vscode.Uri.joinPath(uri, '..'),
      `${parse(nameOf(uri)).name}.${extension ?? 'png'}`,
    );
    // The file beside which it is stays.
    const undo = async (): Promise<boolean> => {
      const now = await readIfThere(place);
      if (now && hashOf(now) === hashOf(made)) {
        await vscode.workspace.fs.delete(place);
      }
      return true;
    };
    return { uri: place, undo };
  }

  async #record({ task, result }: Partial<TaskImage>, file: RemadeFile): Promise<void> {
    if (task && result) {
      await this.#queue.record({ task, result }, { type: 'remade', index: result.index, file });
    }
  }
}

/** @throws LimnerError `unsupported_image` for a file whose transparency can't be changed */
export async function requireRepairable(bytes: Uint8Array, name: string): Promise<void> {
  const format = sniffImage(bytes);
  if (!format) {
    throw refuse('unsupported_image', notAnImage(name));
  }
  if (format.extension === 'jpg') {
    throw refuse(
      'unsupported_image',
      l10n.t('{0} is a JPEG image, which has no transparency. Remove its background first.', plainText(name)),
      [commandAction(l10n.t('Remove Background…'), commands.removeBackground)],
    );
  }
  const reason = await whyLeftAlone(bytes);
  if (reason) {
    throw refuse('unsupported_image', leftAloneText(reason, name));
  }
}

function withOption(how: Finish, option: 'keepAnyway' | 'keepSolid'): Finish {
  const { cutout = { by: 'key' } } = how;
  return {
    ...how,
    cutout: { ...cutout, ...(option === 'keepAnyway' ? { keepAnyway: true } : { solidInside: true }) },
  };
}

/** Returns the part of an image that a new file changes. */
function fileOf({ uri, size, mediaType, width, height, sha256, finished, answer }: TaskResult): RemadeFile {
  return {
    ...(uri !== undefined && { uri }),
    ...(size !== undefined && { size }),
    ...(mediaType !== undefined && { mediaType }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(sha256 !== undefined && { sha256 }),
    ...(finished && { finished }),
    ...(answer && { answer }),
  };
}

async function contentsOf(file: vscode.Uri): Promise<Uint8Array> {
  const bytes = await readIfThere(file);
  if (!bytes) {
    throw missing(file);
  }
  return bytes;
}

/** Returns bytes that may be handed over to another thread. A buffer's slice isn't a copy. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
