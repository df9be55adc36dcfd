import { invalidRequest } from '../http/apiError.ts';
import { checkEditFiles } from './editFiles.ts';
import { acceptedReply } from './taskStatus.ts';
import { readForm } from '../http/formReader.ts';
import type { Reply } from '../http/reply.ts';
import type { AuthorizedCall } from './endpointContext.ts';
import { imagesReply, readSize, refuseStream, requireModel, runNow, submitTask } from './imageRequest.ts';
import { parseEdit } from './validation.ts';

/**
 * POST /v1/images/edits (docs/service.md, "Edit images"). The mask follows OpenAI's meaning: as
 * large as the image, and transparent where the image is to be edited.
 */
export async function edits({ context, request, account, async, images }: AuthorizedCall): Promise<Reply> {
  const form = parseEdit(await readForm(request));
  const model = requireModel(context, form.model);
  refuseStream(model, { stream: form.stream === 'true', async });
  if (form.images.length > model.maxInputs) {
    throw invalidRequest(`Model ${model.id} takes at most ${model.maxInputs} input images.`);
  }
  const size = readSize(model, form.size);
  await checkEditFiles(form);
  const [first, ...others] = form.images;
  const files = {
    inputs: [first.bytes, ...others.map(({ bytes }) => bytes)] as const,
    ...(form.mask !== undefined && { mask: form.mask.bytes }),
  };
  const submission = {
    account,
    model,
    images,
    order: {
      prompt: form.prompt,
      n: form.n,
      format: form.output_format ?? model.format,
      subject: {
        kind: 'edit',
        ...files,
        ...(size !== undefined && { size }),
      } as const,
    },
  };
  if (async) {
    // Invalid files are refused before there is a task. Pixels are not kept while a task waits.
    await context.maker.check(files);
    return acceptedReply(context.queue, submitTask(context, submission, form.response_format));
  }
  return imagesReply(context, submission, await runNow(context, submission));
}
