import { confirmRun } from '../paint/confirmRun.ts';
import { type InputImage, warnOfLargeImages } from '../paint/inputImages.ts';
import { configuredModels, impliedModel } from '../paint/models.ts';
import { noModel } from '../paint/paintQuestions.ts';
import { paintRequest } from '../paint/paintRequest.ts';
import type { StudioPanel } from './studioPanel.ts';

/**
 * Sends the draft: the same checks as of the commands, before anything can cost something.
 *
 * @returns the new task's id
 */
export async function submit(studio: StudioPanel): Promise<string> {
  const { limner, draft: file } = studio;
  const { draft } = file;
  const baseUrl = await limner.service.ready();
  const models = await configuredModels(limner.engine, limner.settings, limner.log);
  const model = impliedModel(models, draft.model || undefined, limner.settings) ?? models[0];
  if (!model) {
    throw await noModel(limner);
  }
  const images: InputImage[] = [];
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
    asks: false,
  });
  await warnOfLargeImages(images);
  await confirmRun(limner, request.n);
  const engine = await limner.engine.get();
  const { id } = await engine.runner.start(request);
  return id;
}
