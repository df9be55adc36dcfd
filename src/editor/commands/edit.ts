import * as vscode from 'vscode';
import type { ModelEntry } from '../../service/model.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { confirmRun } from '../paint/confirmRun.ts';
import type { TaskOutcome } from '../actions/followTask.ts';
import {
  chooseImage,
  type InputImage,
  looksLikeImage,
  readImage,
  warnOfLargeImages,
} from '../paint/inputImages.ts';
import type { Limner } from '../limner.ts';
import { configuredModels, impliedModel, modelName } from '../paint/models.ts';
import { type PaintArguments, readArguments, resolveLocation } from '../paint/paintArguments.ts';
import { askForPaint, noModel } from '../paint/paintQuestions.ts';
import { mostInputs, paintRequest } from '../paint/paintRequest.ts';
import { passedFiles } from '../paint/passedFiles.ts';
import { asRejection, refuse, reportFailure } from '../failures/refusal.ts';
import { requireConfirmation } from '../window/confirm.ts';
import { activeFile } from '../window/workspaceFolders.ts';
import { runAndReport, runRequest } from '../actions/runRequest.ts';

/**
 * `limner.edit`: from images and an instruction to a new image beside the original. With `prompt` among the
 * arguments it asks nothing and rejects with an error that has a `code`; run by a person it asks for what is
 * missing, shows its own messages and does not reject.
 *
 * @param first the file, as URI or path; the arguments, from a key binding; or what a menu passes
 * @param second the selected files, the arguments, or what a menu passes
 */
export async function edit(
  limner: Limner,
  first?: unknown,
  second?: unknown,
): Promise<TaskOutcome | undefined> {
  const passed = passedFiles(first, second);
  const given = readArguments(Array.isArray(second) ? {} : passed.length === 0 ? (second ?? first) : second);
  const locations = [...passed, ...(given.images ?? [])];
  const { prompt } = given;
  return prompt === undefined
    ? editWithQuestions(limner, locations, given)
    : editAsked(limner, locations, { ...given, prompt });
}

async function editWithQuestions(
  limner: Limner,
  locations: readonly (vscode.Uri | string)[],
  given: PaintArguments,
): Promise<TaskOutcome | undefined> {
  const requests: TaskRequest[] = [];
  try {
    const baseUrl = await limner.service.ready();
    const images = await readImages(limner, locations);
    const mask = await readMask(limner, given);
    await warnOfLargeImages(images);
    const [only] = images.length === 1 ? images : [];
    const choices = await askForPaint(limner, {
      ...given,
      kind: 'edit',
      title: only ? vscode.l10n.t('Edit {0}', only.name) : vscode.l10n.t('Edit {0} Images', images.length),
      promptText: vscode.l10n.t('Describe the change'),
      placeholder: vscode.l10n.t('Make it night, with a full moon'),
    });
    const groups = images.length > mostInputs(choices.model) ? images.map((image) => [image]) : [images];
    for (const group of groups) {
      requests.push(
        await paintRequest(limner, baseUrl, { ...given, ...choices, images: group, mask, asks: true }),
      );
    }
    await (groups.length > 1
      ? confirmOneByOne(choices.model, images.length)
      : confirmRun(limner, countOf(requests)));
  } catch (error) {
    await reportFailure(limner.log, error);
    return undefined;
  }
  const outcomes = await Promise.all(requests.map(async (request) => runAndReport(limner, request)));
  return outcomes.find((outcome) => outcome !== undefined);
}

async function editAsked(
  limner: Limner,
  locations: readonly (vscode.Uri | string)[],
  given: PaintArguments & { prompt: string },
): Promise<TaskOutcome> {
  try {
    const baseUrl = await limner.service.ready();
    const images = await readImages(limner, locations);
    const mask = await readMask(limner, given);
    const models = await configuredModels(limner.settings, limner.log);
    const model = impliedModel(models, given.model, limner.settings) ?? models[0];
    if (!model) {
      throw noModel();
    }
    const request = await paintRequest(limner, baseUrl, { ...given, model, images, mask, asks: false });
    await confirmRun(limner, request.n);
    return await runRequest(limner, request);
  } catch (error) {
    throw asRejection(error);
  }
}

/** The images that are meant: those named, else the one in the active tab. */
async function readImages(
  limner: Limner,
  locations: readonly (vscode.Uri | string)[],
): Promise<readonly InputImage[]> {
  const active = activeFile();
  const meant = locations.length > 0 ? locations : active && looksLikeImage(active) ? [active] : [];
  if (meant.length === 0) {
    throw refuse('invalid_request', vscode.l10n.t('No image is open. Open one, or choose one now.'), [
      chooseImage(vscode.l10n.t('Choose an Image…')),
    ]);
  }
  const root = await limner.folders.current(false);
  return Promise.all(meant.map(async (location) => readImage(limner, resolveLocation(location, root))));
}

async function readMask(limner: Limner, { mask }: PaintArguments): Promise<InputImage | undefined> {
  return mask === undefined
    ? undefined
    : readImage(limner, resolveLocation(mask, await limner.folders.current(false)), { role: 'mask' });
}

async function confirmOneByOne(model: ModelEntry, count: number): Promise<void> {
  await requireConfirmation(
    vscode.l10n.t('Edit these {0} images one by one?', count),
    vscode.l10n.t('Edit Each'),
    vscode.l10n.t(
      '{0} takes {1} at a time, as far as Limner knows. Each edit is a task of its own and may be billed.',
      modelName(model),
      mostInputs(model),
    ),
  );
}

function countOf(requests: readonly TaskRequest[]): number {
  return requests.reduce((sum, { n }) => sum + n, 0);
}
