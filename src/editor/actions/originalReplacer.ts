import * as vscode from 'vscode';
import { restorable } from '../../common/resultAvailability.ts';
import { hashOf } from '../../tasks/files/stagingStore.ts';
import type { ReplacedOriginal, TaskResult } from '../../tasks/task.ts';
import { refuse, type Refusal, reportFailure } from '../questions/refusal.ts';
import { editedInput, keptOriginalOf, originalOf } from '../taskList/edits.ts';
import { confirmed } from '../questions/confirm.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { changeFile } from '../../common/disk/heldFiles.ts';
import { nameOf, readIfThere, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { compareInstead } from './comparison.ts';
import { type ImageActs, type ImageReference, referenceTo, type TaskImage } from './imageActs.ts';
import { isSameShape, replacementOf, shapeOf, type Shape } from './replacement.ts';
import type { SavedImage } from './taskArgument.ts';

/** How the contents of a file are to change. */
interface Change {
  /** Hash of the contents that the person expects; asks before replacing any others. */
  expected: string;
  question: string;
  button: string;
  /** Returns the contents for a file of this shape; undefined when it is not to be replaced. */
  contents: (shape: Shape) => Promise<Uint8Array | undefined>;
  /** Records what is about to be replaced, and its hash; after a crash it is found by that. */
  record?: (replaced: ReplacedOriginal, held: string) => Promise<void>;
  /** Takes that back when nothing was replaced. */
  unrecord?: () => Promise<void>;
}

interface Changed {
  file: vscode.Uri;
  /** The file that keeps what it held. */
  kept: vscode.Uri;
  /** Hash of what it holds now. */
  sha256: string;
}

/** An original that was replaced or restored. */
export interface ChangedOriginal {
  /** Of its file. */
  name: string;
  /** Puts back what the file held, unless the person declines; absent where it did not exist. */
  undo?: () => Promise<boolean>;
  /** Says so, with a button that undoes it. */
  tell: () => void;
}

export class OriginalReplacer {
  readonly #engine: Pick<EngineHost, 'get'>;
  readonly #acts: ImageActs;
  readonly #log: vscode.LogOutputChannel;
  readonly #report = (error: unknown): void => void reportFailure(this.#log, error);

  constructor(engine: Pick<EngineHost, 'get'>, acts: ImageActs, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#acts = acts;
    this.#log = log;
  }

  /**
   * `limner.task.replaceOriginal`: an edited image takes the place of the file that it was made from. The old contents
   * are kept in Limner's storage for a while; `restore` puts them back.
   *
   * @returns undefined when the person declined, or it has no original
   * @throws LimnerError `invalid_request` when a file is missing
   */
  async replace(image: SavedImage): Promise<ChangedOriginal | undefined> {
    return this.#acts.inTurn(referenceTo(image), async (latest) =>
      this.#replace({ ...latest, uri: image.uri }),
    );
  }

  async #replace(image: TaskImage & Pick<SavedImage, 'uri'>): Promise<ChangedOriginal | undefined> {
    const { task, result, uri } = image;
    const input = editedInput(task.request);
    const original = originalOf(task);
    if (!input || !original) {
      return undefined;
    }
    const edited = await readIfThere(uri);
    if (!edited) {
      throw missing(uri);
    }
    const name = plainText(nameOf(original));
    // An image that is in its place already: what it replaced first is the original.
    const earlier = restorable(result);
    const changed = await this.#change(original, {
      expected: earlier?.sha256 ?? input.sha256,
      question: vscode.l10n.t('{0} has changed since then. Replace it anyway?', name),
      button: vscode.l10n.t('Replace'),
      contents: async (shape) =>
        replacementOf(name, shape, edited, async () => (await this.#engine.get()).codecs()),
      record: async (replaced, held) =>
        this.#record(image, earlier ? replacedAgain(earlier, replaced, held) : replaced),
      unrecord: async () => this.#record(image, earlier),
    });
    if (!changed) {
      return undefined;
    }
    const message = vscode.l10n.t('Replaced {0}. The old version is kept for 30 days.', name);
    await this.#compareWithKept(image, original).catch(this.#report);
    return this.#undoable(name, message, image, changed, earlier);
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
   * `limner.task.restoreOriginal`: puts the contents back that an edited image replaced, also where the file is gone.
   * What it held until then is kept, too.
   *
   * @returns undefined when the person declined
   * @throws LimnerError `invalid_request` when what it replaced is no longer kept
   */
  async restore(image: ImageReference): Promise<ChangedOriginal | undefined> {
    return this.#acts.inTurn(image, async (latest) => this.#restore(latest));
  }

  async #restore(image: TaskImage): Promise<ChangedOriginal | undefined> {
    const { task, result } = image;
    const input = editedInput(task.request);
    const { replacedOriginal: replaced } = result;
    if (!input) {
      return undefined;
    }
    const original = vscode.Uri.parse(input.uri, true);
    const name = plainText(nameOf(original));
    if (!replaced) {
      // Restored already.
      return { name, tell: () => {} };
    }
    const kept = await keptOriginal(result);
    const before = kept && (await readIfThere(kept));
    if (!before) {
      await this.#record(image, replacedBefore(replaced, replaced.sha256));
      throw noLongerKept(name);
    }
    const left = replacedBefore(replaced, hashOf(before));
    const message = vscode.l10n.t('Restored {0}.', name);
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

  async #putBack(original: vscode.Uri, expected: string, before: Uint8Array): Promise<Changed | undefined> {
    return this.#change(original, {
      expected,
      question: vscode.l10n.t('{0} has changed since then. Restore it anyway?', plainText(nameOf(original))),
      button: vscode.l10n.t('Restore'),
      contents: async () => before,
    });
  }

  /**
   * Changes a file, and keeps its last contents: other programs may write it while a person is asked.
   *
   * @returns undefined when the person declined
   * @throws LimnerError `invalid_request` when it is missing
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

  /** Returns what was done; undoing it puts back what the file held, and records `replaced`. */
  #undoable(
    name: string,
    message: string,
    image: TaskImage,
    { file, kept, sha256 }: Changed,
    replaced: ReplacedOriginal | undefined,
  ): ChangedOriginal {
    const undo = async (): Promise<boolean> =>
      this.#acts.inTurn(referenceTo(image), async () => {
        const before = await readIfThere(kept);
        if (!before) {
          throw noLongerKept(name);
        }
        const isUndone = (await this.#putBack(file, sha256, before)) !== undefined;
        await (isUndone && this.#record(image, replaced));
        return isUndone;
      });
    const offer = async (): Promise<void> => {
      const button = vscode.l10n.t('Undo');
      if ((await vscode.window.showInformationMessage(message, button)) === button && (await undo())) {
        void vscode.window.showInformationMessage(vscode.l10n.t('Restored {0}.', name));
      }
    };
    return { name, undo, tell: () => void offer().catch(this.#report) };
  }

  async #record(image: TaskImage, replaced: ReplacedOriginal | undefined): Promise<void> {
    const { index } = image.result;
    await this.#acts.record(image, { type: 'originalReplaced', index, ...(replaced && { replaced }) });
  }
}

/** Returns what an image replaced once it takes the place of its original again: what came in between, before the rest. */
function replacedAgain(before: ReplacedOriginal, replaced: ReplacedOriginal, held: string): ReplacedOriginal {
  const { path, at, earlier = [], sha256: wasWritten } = before;
  return held === wasWritten || replaced.path === path
    ? { ...before, sha256: replaced.sha256 }
    : { ...replaced, earlier: [...earlier, { path, at }] };
}

/** Returns what is left to restore after the last of what an image replaced. @param holds hash of the original then */
function replacedBefore({ earlier = [] }: ReplacedOriginal, holds: string): ReplacedOriginal | undefined {
  const last = earlier.at(-1);
  const others = earlier.slice(0, -1);
  return last && { ...last, sha256: holds, ...(others.length > 0 && { earlier: others }) };
}

/** Returns the file that keeps what an image replaced; undefined when there is none. */
async function keptOriginal(result: TaskResult): Promise<vscode.Uri | undefined> {
  const replaced = restorable(result);
  const kept = replaced && vscode.Uri.file(replaced.path);
  return kept && (await statOf(kept)) ? kept : undefined;
}

function noLongerKept(name: string): Refusal {
  return refuse('invalid_request', vscode.l10n.t('The old version of {0} is no longer kept.', name));
}

function missing(file: vscode.Uri): Refusal {
  return refuse(
    'invalid_request',
    vscode.l10n.t("{0} wasn't found. It may have been moved or deleted.", plainText(nameOf(file))),
  );
}
