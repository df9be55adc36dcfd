import * as vscode from 'vscode';
import { type Draft, emptyDraft } from '../../studio/protocol/draft.ts';
import type { StudioReplies } from '../../studio/protocol/messages.ts';
import type { StudioInput } from '../../studio/protocol/state.ts';
import type { TaskInput, TaskRequest } from '../../tasks/task.ts';
import { taskOf } from '../actions/taskArgument.ts';
import type { Models } from '../paint/models.ts';
import type { SaveTargets } from '../paint/saveTarget.ts';
import { originalOf } from '../taskList/edits.ts';
import { plainText } from '../window/plainText.ts';
import { refuse } from '../failures/refusal.ts';
import { confirmNewDraft } from './studioSession.ts';
import type { DraftFile, KeptInput } from '../studioPanel/draftFile.ts';
import { readableMask } from './masks.ts';
import { type DraftInputs, readQuietly } from '../studioPanel/draftInputs.ts';
import type { EngineHost } from '../window/engineHost.ts';

export interface RestorerServices {
  engine: EngineHost;
  draft: DraftFile;
  inputs: DraftInputs;
  models: Models;
  targets: SaveTargets;
}

export class TaskRestorer {
  readonly #services: RestorerServices;

  constructor(services: RestorerServices) {
    this.#services = services;
  }

  /**
   * Makes the draft what an old task was composed of: prompt, model, size, target, inputs and mask. Inputs that are
   * missing and a mask that cannot be read are left out, with a warning.
   *
   * @throws vscode.CancellationError when the person keeps the mask that is there
   */
  async restore(id: string): Promise<NonNullable<StudioReplies['restore']>> {
    const file = this.#services.draft;
    const task = await taskOf(this.#services.engine, id);
    if (!task) {
      throw refuse('invalid_request', vscode.l10n.t('The task is no longer in the task list.'));
    }
    if (!(await confirmNewDraft(file.draft))) {
      throw new vscode.CancellationError();
    }
    const { request } = task;
    const { prompt, prompts } = file.draft;
    const inputs = await this.#inputsOf(request);
    await file.addInputs(inputs);
    const shown = await Promise.all(inputs.map(async (input) => this.#services.inputs.shown(input)));
    const draft: Draft = {
      ...emptyDraft,
      // So that the replaced prompt can be found again.
      prompts: prompt.trim() === '' ? prompts : [prompt, ...prompts.filter((other) => other !== prompt)],
      view: file.draft.view,
      prompt: request.prompt,
      model: request.model,
      callStyle: this.#callStyleOf(request),
      size: request.size ?? '',
      quality: request.quality ?? '',
      count: request.n,
      ...(await this.#targetOf(request)),
      inputs: inputs.map(({ id }) => id),
      mask: await this.#maskOf(request, inputs[0], shown[0]),
      keepOutside: request.mask === undefined || request.keepOutside === true,
      tasks: [task.id],
    };
    await file.change(draft);
    return { draft, inputs: shown };
  }

  async #inputsOf({ images = [] }: TaskRequest): Promise<KeptInput[]> {
    const found = await Promise.all(images.map(async (input) => this.#inputOf(input)));
    const gone = images.filter((_, index) => !found[index]);
    if (gone.length > 0) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Restored without these images, which are missing or no longer usable: {0}.',
          gone.map(({ name }) => plainText(name)).join(', '),
        ),
      );
    }
    return found.flatMap((input) => input ?? []);
  }

  /** Returns an input as it is now; undefined when it is missing, damaged, or no longer an image. */
  async #inputOf({ uri, name, path, sha256 }: TaskInput): Promise<KeptInput | undefined> {
    try {
      const image = await readQuietly(this.#services.engine, vscode.Uri.file(path));
      const kept = await this.#services.inputs.kept({ ...image, name, input: { ...image.input, uri } });
      const hasChanged = image.input.sha256 !== sha256;
      return hasChanged
        ? { ...kept, notes: [...kept.notes, vscode.l10n.t('Changed since it was sent.')] }
        : kept;
    } catch {
      return undefined;
    }
  }

  /** Returns the mask, which needs the first image. */
  async #maskOf(
    { mask, images }: TaskRequest,
    first: KeptInput | undefined,
    shown: StudioInput | undefined,
  ): Promise<Draft['mask']> {
    if (!mask || !shown || first?.uri !== images?.[0]?.uri) {
      return emptyDraft.mask;
    }
    const bytes = await readableMask(this.#services.engine, mask.path);
    if (!bytes) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Restored without the mask, which is missing or damaged. Paint it again.'),
      );
      return emptyDraft.mask;
    }
    const { id, path, width, height } = shown;
    return {
      operations: [{ kind: 'load', file: await this.#services.draft.keepMask(bytes) }],
      done: 1,
      image: { id, path },
      size: { width, height },
    };
  }

  /** Returns `auto` where that means the same. */
  #callStyleOf(request: TaskRequest): Draft['callStyle'] {
    const model = this.#services.models.configured().find(({ id }) => id === request.model) ?? {
      id: request.model,
      family: request.family,
    };
    const usual = this.#services.models.callStyle(model, request.kind);
    return request.callStyle === usual ? 'auto' : request.callStyle;
  }

  /** Returns empty values where the images would be saved to the same place anyway. */
  async #targetOf(request: TaskRequest): Promise<Pick<Draft, 'folder' | 'fileName'>> {
    const { target } = request;
    const usual = await this.#services.targets
      .resolve({
        original: originalOf({ request }),
        asks: false,
      })
      .catch(() => undefined);
    return {
      folder:
        usual?.folder === target.folder
          ? ''
          : await this.#services.targets.nameOf(vscode.Uri.parse(target.folder, true)),
      fileName: usual?.fileName === target.fileName ? '' : target.fileName,
    };
  }
}
