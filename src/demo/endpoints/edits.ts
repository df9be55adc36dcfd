import { CodecError, type Pixels } from '../../images/codecs/codecs.ts';
import { invalidRequest } from '../apiError.ts';
import { imagesReply } from '../imagesReply.ts';
import { readForm } from '../multipart.ts';
import { prefersAsync } from '../prefer.ts';
import type { Reply } from '../reply.ts';
import type { AuthorizedCall } from '../router.ts';
import type { Service } from '../service.ts';
import { readSize, refuseStream, requireModel, runNow, submitTask } from '../submission.ts';
import { acceptedReply } from '../taskBody.ts';
import { parseEdit, type EditForm } from '../validation.ts';

/**
 * POST /v1/images/edits (service-api.md, "2. Submit or run image edit"). The mask follows OpenAI's meaning: as
 * large as the image, and transparent where the image is to be edited.
 */
export async function edits({ service, request, account }: AuthorizedCall): Promise<Reply> {
  const form = parseEdit(await readForm(request));
  const model = requireModel(service, form.model);
  const async = prefersAsync(request.headers['prefer']);
  refuseStream(model, { stream: form.stream === 'true', async });
  if (form.images.length > model.maxInputs) {
    throw invalidRequest(`Model ${model.id} takes at most ${model.maxInputs} input images.`);
  }
  const size = readSize(model, form.size);
  await checkImages(service, form);
  const submission = {
    account,
    model,
    order: {
      prompt: form.prompt,
      n: form.n,
      format: form.output_format ?? model.format,
      subject: {
        kind: 'edit',
        inputs: form.images,
        ...(form.mask !== undefined && { mask: form.mask }),
        ...(size !== undefined && { size }),
      } as const,
    },
  };
  if (async) {
    return acceptedReply(service.queue, submitTask(service, submission, form.response_format));
  }
  return imagesReply(service, submission, await runNow(service, submission));
}

/** Looks at every file before a task is made of them, so that what cannot be edited is refused at once. */
async function checkImages(service: Service, { images: [first, ...others], mask }: EditForm): Promise<void> {
  const { width, height } = await decode(service, 'image', first);
  for (const other of others) {
    await decode(service, 'image', other);
  }
  if (mask === undefined) {
    return;
  }
  const decoded = await decode(service, 'mask', mask);
  if (decoded.width !== width || decoded.height !== height) {
    throw invalidRequest(
      `mask must be as large as the image: ${width}x${height}, not ${decoded.width}x${decoded.height}.`,
      'invalid_mask',
    );
  }
  if (!decoded.rgba.some((value, index) => index % 4 === 3 && value < 255)) {
    throw invalidRequest('mask must be transparent where the image is to be edited.', 'invalid_mask');
  }
}

async function decode(service: Service, field: string, bytes: Buffer): Promise<Pixels> {
  try {
    return await service.maker.decode(bytes);
  } catch (error) {
    if (error instanceof CodecError) {
      throw invalidRequest(`${field}: ${error.message}`, 'invalid_image');
    }
    throw error;
  }
}
