import * as vscode from 'vscode';
import { type Draft, emptyDraft } from '../../studio/protocol/draft.ts';
import type { StudioReplies } from '../../studio/protocol/messages.ts';
import type { StudioInput } from '../../studio/protocol/state.ts';
import type { TaskInput, TaskRequest } from '../../tasks/task.ts';
import { taskOf } from '../actions/taskArgument.ts';
import type { Limner } from '../limner.ts';
import { configuredModels, resolveCallStyle } from '../paint/models.ts';
import { resolveTarget } from '../paint/saveTarget.ts';
import { plainText } from '../window/plainText.ts';
import { refuse } from '../failures/refusal.ts';
import { confirmNew } from './confirmNew.ts';
import type { KeptInput } from '../studioPanel/draftFile.ts';
import { folderText } from './folderText.ts';
import { readableMask } from './masks.ts';
import { studioInput } from '../studioPanel/studioInput.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';
import { keptInput, readQuietly } from './takeInputs.ts';

/**
 * Makes what an old task was composed of the draft: prompt, model, size, target, inputs and mask. An input that is gone
 * and a mask that cannot be read are left out, and said.
 *
 * @throws vscode.CancellationError when the person keeps the mask that is there
 */
export async function restoreTask(
  studio: StudioPanel,
  id: string,
): Promise<NonNullable<StudioReplies['restore']>> {
  const { limner, draft: file } = studio;
  const task = await taskOf(limner, id);
  if (!task) {
    throw refuse('invalid_request', vscode.l10n.t('The task is not in the list any more.'));
  }
  if (!(await confirmNew(file.draft))) {
    throw new vscode.CancellationError();
  }
  const { request } = task;
  const { prompt, prompts } = file.draft;
  const inputs = await inputsOf(studio, request);
  await file.addInputs(inputs);
  const shown = await Promise.all(inputs.map(async (input) => studioInput(studio, input)));
  const draft: Draft = {
    ...emptyDraft,
    // The prompt that gives way can be found again.
    prompts: prompt.trim() === '' ? prompts : [prompt, ...prompts.filter((other) => other !== prompt)],
    view: file.draft.view,
    prompt: request.prompt,
    model: request.model,
    callStyle: await callStyleOf(limner, request),
    size: request.size ?? '',
    quality: request.quality ?? '',
    count: request.n,
    ...(await targetOf(limner, request)),
    inputs: inputs.map(({ id }) => id),
    mask: await maskOf(studio, request, inputs[0], shown[0]),
    keepOutside: request.mask === undefined || request.keepOutside === true,
    tasks: [task.id],
  };
  await file.change(draft);
  await studio.tellSettings();
  return { draft, inputs: shown };
}

async function inputsOf(studio: StudioPanel, { images = [] }: TaskRequest): Promise<KeptInput[]> {
  const found = await Promise.all(images.map(async (input) => inputOf(studio, input)));
  const gone = images.filter((_, index) => !found[index]);
  if (gone.length > 0) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Restored without images that are gone or cannot be used any more: {0}.',
        gone.map(({ name }) => plainText(name)).join(', '),
      ),
    );
  }
  return found.flatMap((input) => input ?? []);
}

/** As it is by now; undefined when it is gone, damaged, or no image any more. */
async function inputOf(
  studio: StudioPanel,
  { uri, name, path, sha256 }: TaskInput,
): Promise<KeptInput | undefined> {
  try {
    const image = await readQuietly(studio.limner, vscode.Uri.file(path));
    const kept = await keptInput(studio, { ...image, name, input: { ...image.input, uri } });
    const hasChanged = image.input.sha256 !== sha256;
    return hasChanged
      ? { ...kept, notes: [...kept.notes, vscode.l10n.t('Has changed since it was sent.')] }
      : kept;
  } catch {
    return undefined;
  }
}

/** The mask lies on the first image: without that one there is none. */
async function maskOf(
  { limner, draft }: StudioPanel,
  { mask, images }: TaskRequest,
  first: KeptInput | undefined,
  shown: StudioInput | undefined,
): Promise<Draft['mask']> {
  if (!mask || !shown || first?.uri !== images?.[0]?.uri) {
    return emptyDraft.mask;
  }
  const bytes = await readableMask(limner, mask.path);
  if (!bytes) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Restored without the mask: it is gone or damaged. Paint it again.'),
    );
    return emptyDraft.mask;
  }
  const { id, path, width, height } = shown;
  return {
    operations: [{ kind: 'load', file: await draft.keepMask(bytes) }],
    done: 1,
    image: { id, path },
    size: { width, height },
  };
}

/** `auto` where that comes to the same. */
async function callStyleOf(limner: Limner, request: TaskRequest): Promise<Draft['callStyle']> {
  const models = await configuredModels(limner.settings, limner.log);
  const model = models.find(({ id }) => id === request.model) ?? {
    id: request.model,
    family: request.family,
  };
  const usual = resolveCallStyle(limner.settings.callStyle, model, request.kind);
  return request.callStyle === usual ? 'auto' : request.callStyle;
}

/** Nothing where its pictures would go there anyway. */
async function targetOf(
  limner: Limner,
  { target, images = [] }: TaskRequest,
): Promise<Pick<Draft, 'folder' | 'fileName'>> {
  const [first] = images;
  const usual = await resolveTarget(limner, {
    original: first && vscode.Uri.parse(first.uri, true),
    asks: false,
  }).catch(() => undefined);
  const root = await limner.folders.current(false);
  return {
    folder: usual?.folder === target.folder ? '' : folderText(vscode.Uri.parse(target.folder, true), root),
    fileName: usual?.fileName === target.fileName ? '' : target.fileName,
  };
}
