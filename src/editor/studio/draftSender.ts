import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Task } from '../../tasks/task.ts';
import { refuse } from '../failures/refusal.ts';
import { keepForTask, newInputFile } from '../paint/inputFolder.ts';
import { type InputImage, readImage, warnOfLargeImages } from '../paint/inputImages.ts';
import type { Models } from '../paint/models.ts';
import type { PaintRequests } from '../paint/paintRequest.ts';
import type { TaskRuns } from '../paint/taskRuns.ts';
import type { DraftFile, KeptInput } from '../studioPanel/draftFile.ts';
import { originalOf, readQuietly } from '../studioPanel/draftInputs.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { ServiceConnection } from '../window/serviceConnection.ts';

/** Sends a draft: the same checks as of the commands, before anything can cost something. */
export class DraftSender {
  readonly #engine: EngineHost;
  readonly #service: ServiceConnection;
  readonly #models: Models;
  readonly #requests: PaintRequests;
  readonly #runs: TaskRuns;

  constructor(
    engine: EngineHost,
    service: ServiceConnection,
    models: Models,
    requests: PaintRequests,
    runs: TaskRuns,
  ) {
    this.#engine = engine;
    this.#service = service;
    this.#models = models;
    this.#requests = requests;
    this.#runs = runs;
  }

  /**
   * @param mask PNG of the first input's size, transparent where it is to change
   * @returns the new task
   * @throws LimnerError when something is missing or wrong, with the buttons that go on
   * @throws vscode.CancellationError when the person thought better of it
   */
  async send(file: DraftFile, mask: Uint8Array | undefined): Promise<Task> {
    const { draft, inputs } = file;
    const baseUrl = await this.#service.ready();
    const model = this.#models.choose(draft.model || undefined);
    const used = draft.inputs.flatMap((id) => inputs.get(id) ?? []);
    const images = await Promise.all(used.map(async (input) => this.#readInput(file, input)));
    const request = await this.#requests.build(baseUrl, {
      prompt: draft.prompt,
      model,
      size: draft.size,
      quality: draft.quality,
      n: draft.count,
      callStyle: draft.callStyle === 'auto' ? undefined : draft.callStyle,
      folder: draft.folder || undefined,
      fileName: draft.fileName || undefined,
      images: images.length > 0 ? images : undefined,
      mask: mask && (await this.#writeMask(mask)),
      keepOutside: draft.keepOutside,
      asks: false,
    });
    await warnOfLargeImages(images);
    await this.#runs.confirm(request.n);
    const { runner } = await this.#engine.get();
    return runner.start(request);
  }

  /** An input as it is by now; bytes that only the draft keeps are kept for the task as well. */
  async #readInput(draft: DraftFile, kept: KeptInput): Promise<InputImage> {
    const path = draft.holds(kept.path) ? await keepForTask(this.#engine, kept.path) : kept.path;
    const image = await readQuietly(this.#engine, vscode.Uri.file(path));
    if (image.input.sha256 !== kept.sha256) {
      throw refuse(
        'invalid_request',
        vscode.l10n.t('{0} has changed since it was added. Remove it and add it again.', kept.name),
      );
    }
    const original = originalOf(draft, kept);
    return {
      ...image,
      original,
      name: kept.name,
      input: { ...image.input, ...(original && { uri: original.toString() }) },
    };
  }

  /** The mask as a file that lasts as long as its task. */
  async #writeMask(mask: Uint8Array): Promise<InputImage> {
    const file = await newInputFile(this.#engine, 'mask.png');
    await writeFile(file.fsPath, mask);
    return readImage(this.#engine, file);
  }
}
