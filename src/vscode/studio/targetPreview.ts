import { parse } from 'node:path';
import * as vscode from 'vscode';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { StudioTarget } from '../../studio/protocol/state.ts';
import type { Models } from '../generate/models.ts';
import { type SaveTargets, targetProblem } from '../generate/saveTarget.ts';
import { describeFailure } from '../ask/refusal.ts';
import type { Styles } from '../ask/styles.ts';
import { inFormat } from '../../engine/operations/style.ts';
import type { DraftFile } from './draftFile.ts';
import { originalOf } from './draftInputs.ts';
import { checkSet, setFileName } from '../../engine/operations/imageSet.ts';
import { askedFormat, renderFileName } from '../../engine/task/fileNames.ts';

/** Placeholder for values that are known once the task has started. */
const unknownId = '…';

/**
 * Path of the draft's first image, or the reason why it can't be saved, and what the run costs. Refreshes run one at a
 * time. Further calls share the next one, which uses the latest draft.
 */
export class TargetPreview {
  readonly #targets: SaveTargets;
  readonly #models: Models;
  readonly #styles: Styles;
  readonly #log: vscode.LogOutputChannel;
  readonly #file: DraftFile;
  readonly #runText: (draft: Draft) => string | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<StudioTarget> | undefined;
  #known: StudioTarget = { path: '' };
  #tried: { folder: string; problem: string | undefined } | undefined;

  /** @param runText says what a draft makes and costs, and at which service, if that is known */
  constructor(
    targets: SaveTargets,
    models: Models,
    styles: Styles,
    log: vscode.LogOutputChannel,
    file: DraftFile,
    runText: (draft: Draft) => string | undefined,
  ) {
    this.#targets = targets;
    this.#models = models;
    this.#styles = styles;
    this.#log = log;
    this.#file = file;
    this.#runText = runText;
  }

  get known(): StudioTarget {
    return this.#known;
  }

  async refresh(): Promise<StudioTarget> {
    this.#next ??= this.#last.then(async () => {
      this.#next = undefined;
      const run = this.#runText(this.#file.draft);
      this.#known = { ...(await this.#preview()), ...(run !== undefined && { run }) };
      return this.#known;
    });
    this.#last = this.#next;
    return this.#next;
  }

  forget(): void {
    this.#tried = undefined;
  }

  async #preview(): Promise<StudioTarget> {
    const { draft, inputs } = this.#file;
    try {
      const first = inputs.get(draft.inputs[0] ?? '');
      const { format } = (await this.#styles.find(draft.style).catch(() => undefined)) ?? {};
      const { fileName: template, ...target } = await this.#targets.intended({
        folder: draft.folder || undefined,
        fileName: draft.fileName || undefined,
        original: first && originalOf(first),
        asks: false,
      });
      const fileName = inFormat(template, format, draft.fileName === '');
      if (this.#tried?.folder !== target.folder) {
        this.#tried = { folder: target.folder, problem: await targetProblem({ ...target, fileName }) };
      }
      const { problem } = this.#tried;
      if (problem !== undefined) {
        return { path: '', problem };
      }
      const folder = vscode.Uri.parse(target.folder, true);
      const [row] = draft.isSet ? checkSet(draft.setRows).rows : [];
      const named = row ? setFileName(fileName, row.name) : fileName;
      const name = renderFileName(named, {
        prompt: row?.prompt ?? draft.prompt,
        model: this.#models.ofDraft(draft)?.id ?? '',
        at: new Date(),
        index: 1,
        id: unknownId,
        ...(first && { name: parse(first.name).name }),
      });
      const extension = askedFormat(named)?.extension ?? '';
      const path = vscode.Uri.joinPath(folder, await freeName(folder, name, extension));
      return { path: vscode.workspace.asRelativePath(path, false) };
    } catch (error) {
      return { path: '', problem: describeFailure(this.#log, error)?.message ?? '' };
    }
  }
}

/** Returns the name of the file, numbered if one has it. @param extension empty if it is not known before the image */
async function freeName(folder: vscode.Uri, name: string, extension: string): Promise<string> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(undefined, () => []);
  const taken = new Set(entries.map(([entry]) => (extension === '' ? parse(entry).name : entry)));
  let free = name + extension;
  for (let number = 2; taken.has(free); number++) {
    free = `${name}-${number}${extension}`;
  }
  return free;
}
