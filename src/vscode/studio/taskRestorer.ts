import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText } from '../../common/text.ts';
import { isSameFile } from '../../common/fileUris.ts';
import { askedSize } from '../../common/requestValues.ts';
import { type Draft, emptyDraft } from '../../studio/protocol/draft.ts';
import type { StudioReplies } from '../../studio/protocol/messages.ts';
import type { StudioInput } from '../../studio/protocol/state.ts';
import { asOrdered } from '../../engine/task/twoBackgrounds.ts';
import type { TaskInput, TaskRequest } from '../../engine/task/task.ts';
import { taskOf } from '../actions/taskArgument.ts';
import type { InputImage } from '../generate/inputImages.ts';
import type { Models } from '../generate/models.ts';
import type { SaveTargets } from '../generate/saveTarget.ts';
import type { ServiceConnection } from '../generate/serviceConnection.ts';
import { originalOf } from '../taskList/edits.ts';
import { plainText } from '../window/plainText.ts';
import { refuse } from '../ask/refusal.ts';
import { confirmNewDraft } from './studioSession.ts';
import type { DraftFile, KeptInput } from './draftFile.ts';
import { readableMask } from './masks.ts';
import { type DraftInputs, readQuietly } from './draftInputs.ts';
import type { EngineHost } from '../window/engineHost.ts';

export interface RestorerServices {
  engine: EngineHost;
  draft: DraftFile;
  inputs: DraftInputs;
  service: ServiceConnection;
  models: Models;
  targets: SaveTargets;
}

export class TaskRestorer {
  readonly #services: RestorerServices;

  constructor(services: RestorerServices) {
    this.#services = services;
  }

  /**
   * Restores the composition of an old task as the draft: prompt, model, size, target, inputs, and mask. Missing inputs
   * and an unreadable mask are left out with a warning.
   *
   * @throws vscode.CancellationError if the user keeps the current mask
   */
  async restore(id: string): Promise<NonNullable<StudioReplies['restore']>> {
    const file = this.#services.draft;
    const task = await taskOf(this.#services.engine, id);
    if (!task) {
      throw refuse('invalid_request', l10n.t('The task is no longer in the task list.'));
    }
    if (!(await confirmNewDraft(file.draft))) {
      throw new vscode.CancellationError();
    }
    const request = asOrdered(task.request);
    const { prompt, prompts } = file.draft;
    const inputs = await this.#inputsOf(request);
    await file.addInputs(inputs);
    const shown = await Promise.all(inputs.map(async (input) => this.#services.inputs.shown(input)));
    const draft: Draft = {
      ...emptyDraft,
      // Keeps the replaced prompt in the history.
      prompts: prompt.trim() === '' ? prompts : [prompt, ...prompts.filter((other) => other !== prompt)],
      view: file.draft.view,
      repair: file.draft.repair,
      prompt: request.prompt,
      style: request.style?.name ?? '',
      model: request.model,
      modelService: request.baseUrl,
      callStyle: this.#callStyleOf(request),
      size: askedSize(request) ?? '',
      ...finishOf(request),
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
        l10n.t(
          'Restored without these images, which are missing or no longer usable: {0}.',
          listText(
            gone.map(({ name }) => plainText(name)),
            vscode.env.language,
          ),
        ),
      );
    }
    return found.flatMap((input) => input ?? []);
  }

  /**
   * Returns an input as it was sent, if Limner keeps it, else its current file; undefined if it isn't a usable image.
   */
  async #inputOf({ uri, name, path, sha256 }: TaskInput): Promise<KeptInput | undefined> {
    const { engine, draft, inputs } = this.#services;
    const read = async (file: string): Promise<InputImage> => readQuietly(engine, vscode.Uri.file(file));
    try {
      const now = await read(path).catch(() => undefined);
      const isSame = now?.input.sha256 === sha256;
      const copy = isSame ? undefined : await (await engine.get()).keptFiles.find(sha256);
      // Copied again, since Limner keeps its copy only for a while.
      const own = copy && (await draft.keepFile('inputs', basename(copy), await readFile(copy)));
      const sent = own === undefined ? undefined : await read(own);
      const image = sent ?? now;
      const kept = image && (await inputs.kept({ ...image, name, input: { ...image.input, uri } }));
      return kept && now && !isSame ? { ...kept, notes: [...kept.notes, changedText(sent)] } : kept;
    } catch {
      return undefined;
    }
  }

  async #maskOf(
    { mask, images }: TaskRequest,
    first: KeptInput | undefined,
    shown: StudioInput | undefined,
  ): Promise<Draft['mask']> {
    const [masked] = images ?? [];
    if (!mask || !shown || !first || !masked || !isSameFile(first.uri, masked.uri)) {
      return emptyDraft.mask;
    }
    const bytes = await readableMask(this.#services.engine, mask.path);
    if (!bytes) {
      void vscode.window.showWarningMessage(
        l10n.t('Restored without the mask, which is missing or damaged. Paint it again.'),
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

  /** Returns `auto` if that means the same, and for a request to another service. */
  #callStyleOf(request: TaskRequest): Draft['callStyle'] {
    if (!this.#services.service.isInUse(request)) {
      return 'auto';
    }
    const model = this.#services.models.configured().find(({ id }) => id === request.model) ?? {
      id: request.model,
      family: request.family,
    };
    const usual = this.#services.models.callStyle(model, request.kind);
    return request.callStyle === usual ? 'auto' : request.callStyle;
  }

  /** Returns empty values if the images would be saved to the same place anyway. */
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
        usual && isSameFile(usual.folder, target.folder)
          ? ''
          : await this.#services.targets.nameOf(vscode.Uri.parse(target.folder, true)),
      fileName: usual?.fileName === target.fileName ? '' : target.fileName,
    };
  }
}

function finishOf({ finish = {} }: TaskRequest): Partial<Draft> {
  const { size, fit, multiples, cutout, trim } = finish;
  return {
    ...((size ?? multiples) !== undefined && fit && { fit: fit.by }),
    ...(fit?.by === 'pad' && { fill: fit.fill }),
    ...(fit?.by === 'crop' && fit.focus && { focus: fit.focus }),
    ...(multiples !== undefined && { multiples: multiples === 16 ? '16' : multiples }),
    ...(cutout && { transparent: true }),
    ...(cutout && trim && { trim: `${trim.margin}${trim.unit}` }),
  };
}

/** Warns that a file has changed. @param sent the earlier version, if that is used */
function changedText(sent: InputImage | undefined): string {
  return sent
    ? l10n.t('As it was sent. The file has changed since then.')
    : l10n.t('Changed since it was sent.');
}
