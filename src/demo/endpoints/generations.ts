import { readJson } from '../http/requestBody.ts';
import type { Reply } from '../http/reply.ts';
import type { AuthorizedCall } from './endpointContext.ts';
import { imagesReply, readSize, refuseStream, requireModel, runNow, submitTask } from './imageRequest.ts';
import { acceptedReply } from './taskStatus.ts';
import { parseGeneration } from './validation.ts';

/** POST /v1/images/generations (docs/service.md, "Generate images"). */
export async function generations({
  context,
  request,
  account,
  async,
  images,
}: AuthorizedCall): Promise<Reply> {
  const body = parseGeneration(await readJson(request));
  const model = requireModel(context, body.model);
  refuseStream(model, { stream: body.stream ?? false, async });
  const format = body.output_format ?? model.format;
  const size = readSize(model, body.size) ?? model.size;
  const transparent = body.background === 'transparent' && model.family === 'image' && format !== 'jpeg';
  const submission = {
    account,
    model,
    images,
    order: {
      prompt: body.prompt,
      n: body.n,
      format,
      subject: { kind: 'generation', size, transparent } as const,
    },
  };
  if (async) {
    return acceptedReply(context.queue, submitTask(context, submission, body.response_format));
  }
  return imagesReply(context, submission, await runNow(context, submission));
}
