import type { Account } from '../accounts.ts';
import type { EncodedImage } from '../imageHost.ts';
import type { Model } from '../models.ts';
import type { Reply } from '../reply.ts';
import { readJson } from '../requestBody.ts';
import type { Call } from '../router.ts';
import { requireModel, revisePrompt, runNow, submitTask } from '../submission.ts';
import { acceptedReply } from '../taskBody.ts';
import { parseGeneration, parseSize } from '../validation.ts';

/** POST /v1/images/generations (service-api.md, "1. Submit or run image generation"). */
export async function generations({
  service,
  request,
  account,
}: Call & { account: Account }): Promise<Reply> {
  const body = parseGeneration(await readJson(request));
  const model = requireModel(service, body.model);
  const submission = {
    account,
    model,
    order: {
      prompt: body.prompt,
      size: chooseSize(model, body.size),
      n: body.n,
      format: body.output_format ?? model.format,
    },
  };
  if (prefersAsync(request.headers['prefer'])) {
    return acceptedReply(service.queue, submitTask(service, submission, body.response_format));
  }
  const images = await runNow(service, submission);
  return imagesReply(service.clock.now(), images, model, body.prompt);
}

/** Whether a `Prefer` header asks for `respond-async`, among other preferences or alone. */
export function prefersAsync(prefer: string | string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}

/** The synchronous answer: `created` and `data[].b64_json` (service-api.md, "Synchronous generation response"). */
export function imagesReply(
  now: number,
  images: readonly EncodedImage[],
  model: Model,
  prompt: string,
): Reply {
  const revised = model.family === 'image' ? `"revised_prompt":${JSON.stringify(revisePrompt(prompt))},` : '';
  const body = images.flatMap((image, index) => [
    Buffer.from(`${index === 0 ? '' : ','}{${revised}"b64_json":"`),
    Buffer.from(image.bytes.toString('base64'), 'latin1'),
    Buffer.from('"}'),
  ]);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: [Buffer.from(`{"created":${Math.floor(now / 1000)},"data":[`), ...body, Buffer.from(']}')],
  };
}

/** Size has no effect for the second family, whatever it says. */
function chooseSize(model: Model, size: string | undefined): { width: number; height: number } {
  return size === undefined || model.family === 'native' ? model.size : parseSize(size);
}
