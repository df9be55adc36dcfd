import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { confirmRun } from '../paint/confirmRun.ts';
import { type InputImage, readImage, warnOfLargeImages } from '../paint/inputImages.ts';
import { keepForTask, newInputFile } from '../paint/inputFolder.ts';
import { configuredModels, impliedModel } from '../paint/models.ts';
import { noModel } from '../paint/paintQuestions.ts';
import { paintRequest } from '../paint/paintRequest.ts';
import { refuse } from '../failures/refusal.ts';
import type { KeptInput } from '../studioPanel/draftFile.ts';
import { originalOf } from '../studioPanel/studioInput.ts';
import { readQuietly } from './takeInputs.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';

/**
 * Sends the draft: the same checks as of the commands, before anything can cost something.
 *
 * @param mask PNG of the first input's size, transparent where it is to change
 * @returns the new task's id
 * @throws LimnerError when something is missing or wrong, with the buttons that mend it
 * @throws vscode.CancellationError when the person thought better of it
 */
export async function submit(studio: StudioPanel, mask: Uint8Array | undefined): Promise<string | null> {
  const { limner } = studio;
  const { draft, inputs } = studio.draft;
  const baseUrl = await limner.service.ready();
  const models = await configuredModels(limner.settings, limner.log);
  const model = impliedModel(models, draft.model || undefined, limner.settings) ?? models[0];
  if (!model) {
    throw noModel();
  }
  const used = draft.inputs.flatMap((id) => inputs.get(id) ?? []);
  const images = await Promise.all(used.map(async (input) => readInput(studio, input)));
  const request = await paintRequest(limner, baseUrl, {
    prompt: draft.prompt,
    model,
    size: draft.size,
    quality: draft.quality,
    n: draft.count,
    callStyle: draft.callStyle === 'auto' ? undefined : draft.callStyle,
    folder: draft.folder || undefined,
    fileName: draft.fileName || undefined,
    images: images.length > 0 ? images : undefined,
    mask: mask && (await writeMask(studio, mask)),
    keepOutside: draft.keepOutside,
    asks: false,
  });
  await warnOfLargeImages(images);
  await confirmRun(limner, request.n);
  const { runner } = await limner.engine.get();
  return studio.began(await runner.start(request));
}

/** An input as it is by now; bytes that only the draft keeps are kept for the task as well. */
async function readInput({ limner, draft }: StudioPanel, kept: KeptInput): Promise<InputImage> {
  const path = draft.holds(kept.path) ? await keepForTask(limner, kept.path) : kept.path;
  const image = await readQuietly(limner, vscode.Uri.file(path));
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
async function writeMask({ limner }: StudioPanel, mask: Uint8Array): Promise<InputImage> {
  const file = await newInputFile(limner, 'mask.png');
  await writeFile(file.fsPath, mask);
  return readImage(limner, file);
}
