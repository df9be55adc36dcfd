import { prefersAsync, readJson } from '../http/requestBody.ts';
import type { Reply } from '../http/reply.ts';
import type { AuthorizedCall } from './service.ts';
import { readSize, refuseStream, requireModel, runNow, submitTask } from './imageRequest.ts';
import { imagesReply, acceptedReply } from './taskBody.ts';
import { parseGeneration } from './validation.ts';

/** POST /v1/images/generations (docs/service.md, "Generate images"). */
export async function generations({ service, request, account }: AuthorizedCall): Promise<Reply> {
  const body = parseGeneration(await readJson(request));
  const model = requireModel(service, body.model);
  const async = prefersAsync(request.headers['prefer']);
  refuseStream(model, { stream: body.stream ?? false, async });
  const submission = {
    account,
    model,
    order: {
      prompt: body.prompt,
      n: body.n,
      format: body.output_format ?? model.format,
      subject: { kind: 'generation', size: readSize(model, body.size) ?? model.size } as const,
    },
  };
  if (async) {
    return acceptedReply(service.queue, submitTask(service, submission, body.response_format));
  }
  return imagesReply(service, submission, await runNow(service, submission));
}
