import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { restorable } from '../../common/taskStatus.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import type { ReplacedOriginal, TaskResult } from '../../engine/task/task.ts';
import { refuse, type Refusal, reportFailure } from '../ask/refusal.ts';
import { editedInput, keptOriginalOf, originalOf } from '../taskList/edits.ts';
import { confirmed } from '../ask/confirm.ts';
import * as commands from '../window/commandIds.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { type ErrorAction, offer } from '../window/offers.ts';
import { changeFile } from '../../common/heldFiles.ts';
import { isSame, nameOf, pathOf, readIfThere, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { compareInstead } from './imageCommands.ts';
import {
  type ImageFileQueue,
  type ImageReference,
  noOriginal,
  referenceTo,
  type TaskImage,
} from './imageFileQueue.ts';
import { isSameShape, replacementOf, shapeOf, type Shape } from './replacement.ts';
import { missing, type SavedImage } from './taskArgument.ts';
import { findInput } from '../taskList/movedImages.ts';

interface Change {
  /** Hash of the contents that the user expects. Limner asks before it replaces any others. */
  expected: string;
  question: string;
  button: string;
  /** Returns the contents for a file of this shape; undefined to keep the file. */
  contents: (shape: Shape) => Promise<Uint8Array | undefined>;
  /** Records the contents that are about to be replaced, and their hash, which identify them after a crash. */
  record?: (replaced: ReplacedOriginal, held: string) => Promise<void>;
  /** Undoes that if nothing was replaced. */
  unrecord?: () => Promise<void>;
}

interface Changed {
  file: vscode.Uri;
  kept: vscode.Uri;
  sha256: string;
}

export interface ChangedOriginal {
  name: string;
  /** Restores the old contents, unless the user declines; absent if the file didn't exist. */
  undo?: () => Promise<boolean>;
  /** Reports the change, with a button that undoes it. */
  tell: () => void;
}

export class OriginalReplacer {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #queue: ImageFileQueue;
  readonly #log: vscode.LogOutputChannel;
  readonly #report = (error: unknown): void => void reportFailure(this.#log, error);

  constructor(engine: Pick<EngineHost, 'get'>, queue: ImageFileQueue, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#queue = queue;
    this.#log = log;
  }

  /**
   * `limner.task.replaceOriginal`: replaces the file that an edited image was made from. Limner's storage keeps the old
   * contents for a while; `restore` puts them back.
   *
   * @returns undefined if the user declined
   * @throws LimnerError `invalid_request` if there is no original, or a file is missing
   */
  async replace(image: SavedImage): Promise<ChangedOriginal | undefined> {
    const { task } = image;
    const input = editedInput(task.request);
    const found = input && (await findInput(this.#engine, task, input));
    if (found && !isSame(found, vscode.Uri.parse(input.uri, true))) {
      const name = plainText(nameOf(vscode.Uri.parse(input.uri, true)));
      const path = plainText(pathOf(found));
      const isMeant = await confirmed(
        l10n.t("{0} isn't where it was. Replace {1}, which holds the same image?", name, path),
        l10n.t('Replace'),
      );
      if (!isMeant) {
        return undefined;
      }
      await (await this.#engine.get()).savedFiles.place(task, input, found.toString());
    }
    return this.#queue.inTurn(referenceTo(image), async (latest) =>
      this.#replace({ ...latest, uri: image.uri }),
    );
  }

  async #replace(image: TaskImage & Pick<SavedImage, 'uri'>): Promise<ChangedOriginal | undefined> {
    const { task, result, uri } = image;
    const input = editedInput(task.request);
    const original = originalOf(task);
    if (!input || !original) {
      throw noOriginal(nameOf(uri));
    }
    const edited = await readIfThere(uri);
    if (!edited) {
      throw missing(uri);
    }
    const name = plainText(nameOf(original));
    // If the image is already in place, the first contents that it replaced are the original.
    const earlier = restorable(result);
    const changed = await this.#change(original, {
      expected: earlier?.sha256 ?? input.sha256,
      question: l10n.t('{0} has changed since then. Replace it anyway?', name),
      button: l10n.t('Replace'),
      contents: async (shape) =>
        replacementOf(name, shape, edited, async () => (await this.#engine.get()).codecs()),
      record: async (replaced, held) =>
        this.#record(image, earlier ? replacedAgain(earlier, replaced, held) : replaced),
      unrecord: async () => this.#record(image, earlier),
    });
    if (!changed) {
      return undefined;
    }
    const message = l10n.t('Replaced {0}. The old version is kept for 30 days.', name);
    await this.#compareWithKept(image, original).catch(this.#report);
    const deleteCopy = {
      title: l10n.t('Delete {0}', plainText(nameOf(uri))),
      run: async () =>
        vscode.commands.executeCommand(commands.taskDeleteImage, { kind: 'image', task, result }),
    };
    return this.#undoable(name, message, image, changed, earlier, [deleteCopy]);
  }

  async #compareWithKept(
    { task: { id }, uri }: TaskImage & Pick<SavedImage, 'uri'>,
    original: vscode.Uri,
  ): Promise<void> {
    const task = (await this.#engine.get()).store.get(id);
    const kept = task && (await keptOriginalOf(task));
    await (kept && compareInstead(kept, original, uri));
  }

  /**
   * `limner.task.restoreOriginal`: restores the contents that an edited image replaced, even if the file is gone.
   * Limner also keeps the contents that this replaces.
   *
   * @returns undefined if the user declined
   * @throws LimnerError `invalid_request` if the replaced contents are gone
   */
  async restore(image: ImageReference): Promise<ChangedOriginal | undefined> {
    return this.#queue.inTurn(image, async (latest) => this.#restore(latest));
  }

  async #restore(image: TaskImage): Promise<ChangedOriginal | undefined> {
    const { task, result } = image;
    const input = editedInput(task.request);
    const { replacedOriginal: replaced } = result;
    if (!input) {
      throw noOriginal(task.request.prompt);
    }
    const original = vscode.Uri.parse(input.uri, true);
    const name = plainText(nameOf(original));
    if (!replaced) {
      const isRestored = l10n.t('{0} already has its original contents.', name);
      return { name, tell: () => void vscode.window.showInformationMessage(isRestored) };
    }
    const kept = await keptOriginal(result);
    const before = kept && (await readIfThere(kept));
    if (!before) {
      await this.#record(image, replacedBefore(replaced, replaced.sha256));
      throw noLongerKept(name);
    }
    const left = replacedBefore(replaced, hashOf(before));
    const message = l10n.t('Restored {0}.', name);
    if (!(await readIfThere(original))) {
      await changeFile(() => vscode.workspace.fs.writeFile(original, before));
      await this.#record(image, left);
      return { name, tell: () => void vscode.window.showInformationMessage(message) };
    }
    const changed = await this.#putBack(original, replaced.sha256, before);
    if (!changed) {
      return undefined;
    }
    await this.#record(image, left);
    return this.#undoable(name, message, image, changed, replaced);
  }

  /**
   * Replaces a file that the user has agreed to replace. Limner's storage keeps the old contents for a while.
   *
   * @param agreed contents that the user knows; Limner asks before it replaces any others
   * @returns a button that restores them; undefined if the user declined
   * @throws LimnerError `invalid_request` if the file is missing
   */
  async replaceFile(
    file: vscode.Uri,
    agreed: Uint8Array,
    contents: Uint8Array,
  ): Promise<ErrorAction | undefined> {
    const undo = await this.exchange(file, hashOf(agreed), contents);
    return undo && undoing(plainText(nameOf(file)), undo);
  }

  /** Does the same. @param agreed the SHA-256 of these contents @returns a function that restores the old contents, unless the user declines */
  async exchange(
    file: vscode.Uri,
    agreed: string,
    contents: Uint8Array,
  ): Promise<(() => Promise<boolean>) | undefined> {
    const name = plainText(nameOf(file));
    const changed = await this.#change(file, {
      expected: agreed,
      question: l10n.t('{0} has changed since then. Replace it anyway?', name),
      button: l10n.t('Replace'),
      contents: async () => contents,
    });
    return (
      changed &&
      (async () => {
        const before = await readKept(name, changed.kept);
        return (await this.#putBack(file, changed.sha256, before)) !== undefined;
      })
    );
  }

  async #putBack(original: vscode.Uri, expected: string, before: Uint8Array): Promise<Changed | undefined> {
    return this.#change(original, {
      expected,
      question: l10n.t('{0} has changed since then. Restore it anyway?', plainText(nameOf(original))),
      button: l10n.t('Restore'),
      contents: async () => before,
    });
  }

  /**
   * Changes a file and keeps its last contents: other programs may write it while the question is open.
   *
   * @returns undefined if the user declined
   * @throws LimnerError `invalid_request` if it is missing
   */
  async #change(file: vscode.Uri, change: Change): Promise<Changed | undefined> {
    let [agreed, before] = [change.expected, await readIfThere(file)];
    let [shape, written]: [Shape | undefined, Uint8Array | undefined] = [undefined, undefined];
    while (before) {
      const now = await shapeOf(before);
      if (!written || !shape || !isSameShape(now, shape)) {
        [shape, written] = [now, await change.contents(now)];
      }
      if (!written) {
        return undefined;
      }
      const [held, wanted] = [hashOf(before), hashOf(written)];
      if (held !== agreed && held !== wanted && !(await confirmed(change.question, change.button))) {
        return undefined;
      }
      const at = Date.now();
      const kept = await (await this.#engine.get()).keptFiles.keep(before, nameOf(file));
      const latest = await readIfThere(file);
      if (latest && hashOf(latest) === held) {
        const contents = written;
        await change.record?.({ path: kept, sha256: wanted, at }, held);
        try {
          await changeFile(() => vscode.workspace.fs.writeFile(file, contents));
        } catch (error) {
          const left = await readIfThere(file).catch(() => undefined);
          await (left && hashOf(left) === held && change.unrecord?.());
          throw error;
        }
        this.#log.info(`Changed ${file.toString(true)}; what it held is kept as ${kept}`);
        return { file, kept: vscode.Uri.file(kept), sha256: wanted };
      }
      [agreed, before] = [held, latest];
    }
    throw missing(file);
  }

  /** Returns the change; undoing it restores the file, and records `replaced`. */
  #undoable(
    name: string,
    message: string,
    image: TaskImage,
    { file, kept, sha256 }: Changed,
    replaced: ReplacedOriginal | undefined,
    more: readonly ErrorAction[] = [],
  ): ChangedOriginal {
    const undo = async (): Promise<boolean> =>
      this.#queue.inTurn(referenceTo(image), async () => {
        const before = await readKept(name, kept);
        const isUndone = (await this.#putBack(file, sha256, before)) !== undefined;
        await (isUndone && this.#record(image, replaced));
        return isUndone;
      });
    const tell = (): void =>
      void offer(vscode.window.showInformationMessage, message, undoing(name, undo), ...more).catch(
        this.#report,
      );
    return { name, undo, tell };
  }

  async #record(image: TaskImage, replaced: ReplacedOriginal | undefined): Promise<void> {
    const { index } = image.result;
    await this.#queue.record(image, { type: 'originalReplaced', index, ...(replaced && { replaced }) });
  }
}

/** Returns the record of an image that replaces its original again: contents in between come before the rest. */
function replacedAgain(before: ReplacedOriginal, replaced: ReplacedOriginal, held: string): ReplacedOriginal {
  const { path, at, earlier = [], sha256: wasWritten } = before;
  return held === wasWritten || replaced.path === path
    ? { ...before, sha256: replaced.sha256 }
    : { ...replaced, earlier: [...earlier, { path, at }] };
}

/** Returns the record without its last replacement. @param holds current hash of the original */
function replacedBefore({ earlier = [] }: ReplacedOriginal, holds: string): ReplacedOriginal | undefined {
  const last = earlier.at(-1);
  const others = earlier.slice(0, -1);
  return last && { ...last, sha256: holds, ...(others.length > 0 && { earlier: others }) };
}

/** Returns the file that keeps the contents that an image replaced, if any. */
async function keptOriginal(result: TaskResult): Promise<vscode.Uri | undefined> {
  const replaced = restorable(result);
  const kept = replaced && vscode.Uri.file(replaced.path);
  return kept && (await statOf(kept)) ? kept : undefined;
}

/** Returns a button that undoes a change of a file. @param undo returns whether the user agreed */
export function undoing(name: string, undo: () => Promise<boolean>): ErrorAction {
  return {
    title: l10n.t('Undo'),
    run: async () => {
      if (await undo()) {
        void vscode.window.showInformationMessage(l10n.t('Restored {0}.', name));
      }
    },
  };
}

async function readKept(name: string, kept: vscode.Uri): Promise<Uint8Array> {
  const before = await readIfThere(kept);
  if (!before) {
    throw noLongerKept(name);
  }
  return before;
}

function noLongerKept(name: string): Refusal {
  return refuse('invalid_request', l10n.t('The old version of {0} can no longer be restored.', name));
}
