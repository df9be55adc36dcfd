import { parse } from 'node:path';
import * as vscode from 'vscode';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { StudioTarget } from '../../studio/protocol/state.ts';
import type { Settings } from '../window/settings.ts';
import { type SaveTargets, targetProblem } from '../paint/saveTarget.ts';
import { describeFailure } from '../questions/refusal.ts';
import type { DraftFile } from './draftFile.ts';
import { originalOf } from './draftInputs.ts';
import { askedFormat, renderFileName } from '../../tasks/files/fileNames.ts';

/** Stands for what is known once the task has started. */
const unknownId = '…';

/**
 * Where the first image of the draft would be saved, or why it cannot be, and what the run would cost. There is one refresh at a time; further calls
 * share the next one, which sees the draft as it is then.
 */
export class TargetPreview {
  readonly #targets: SaveTargets;
  readonly #settings: Settings;
  readonly #log: vscode.LogOutputChannel;
  readonly #file: DraftFile;
  readonly #costText: (draft: Draft) => string | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<StudioTarget> | undefined;
  #known: StudioTarget = { path: '' };
  /** The folder that was checked, and its problem. */
  #tried: { folder: string; problem: string | undefined } | undefined;

  /** @param costText says what a draft would cost, if that is known */
  constructor(
    targets: SaveTargets,
    settings: Settings,
    log: vscode.LogOutputChannel,
    file: DraftFile,
    costText: (draft: Draft) => string | undefined,
  ) {
    this.#targets = targets;
    this.#settings = settings;
    this.#log = log;
    this.#file = file;
    this.#costText = costText;
  }

  /** The result of the last refresh. */
  get known(): StudioTarget {
    return this.#known;
  }

  async refresh(): Promise<StudioTarget> {
    this.#next ??= this.#last.then(async () => {
      this.#next = undefined;
      const cost = this.#costText(this.#file.draft);
      this.#known = { ...(await this.#preview()), ...(cost !== undefined && { cost }) };
      return this.#known;
    });
    this.#last = this.#next;
    return this.#next;
  }

  /** Has the next refresh check the folder again. */
  forget(): void {
    this.#tried = undefined;
  }

  async #preview(): Promise<StudioTarget> {
    const { draft, inputs } = this.#file;
    try {
      const first = inputs.get(draft.inputs[0] ?? '');
      const target = await this.#targets.intended({
        folder: draft.folder || undefined,
        fileName: draft.fileName || undefined,
        original: first && originalOf(first),
        asks: false,
      });
      if (this.#tried?.folder !== target.folder) {
        this.#tried = { folder: target.folder, problem: await targetProblem(target) };
      }
      const { problem } = this.#tried;
      if (problem !== undefined) {
        return { path: '', problem };
      }
      const folder = vscode.Uri.parse(target.folder, true);
      const name = renderFileName(target.fileName, {
        prompt: draft.prompt,
        model: draft.model || this.#settings.model,
        at: new Date(),
        index: 1,
        id: unknownId,
        ...(first && { name: parse(first.name).name }),
      });
      const extension = askedFormat(target.fileName)?.extension ?? '';
      const path = vscode.Uri.joinPath(folder, (await freeName(folder, name)) + extension);
      return { path: vscode.workspace.asRelativePath(path, false) };
    } catch (error) {
      return { path: '', problem: describeFailure(this.#log, error)?.message ?? '' };
    }
  }
}

/** Returns the name, numbered while an image has it. */
async function freeName(folder: vscode.Uri, name: string): Promise<string> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(undefined, () => []);
  const taken = new Set(entries.map(([entry]) => parse(entry).name));
  let free = name;
  for (let number = 2; taken.has(free); number++) {
    free = `${name}-${number}`;
  }
  return free;
}
