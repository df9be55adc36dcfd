import { readJson } from '../http/requestBody.ts';
import { type Reply, jsonReply } from '../http/reply.ts';
import type { AuthorizedCall } from './endpointContext.ts';
import {
  imagesReply,
  readSize,
  refuseStream,
  requireModel,
  runNow,
  submitTask,
  FAILURE_CODE,
} from './imageRequest.ts';
import { parseGeneration, parseEdit } from './validation.ts';
import { invalidRequest, ApiError } from '../http/apiError.ts';
import { checkEditFiles } from './editFiles.ts';
import { readForm } from '../http/formReader.ts';
import type { Task, TaskQueue } from '../http/taskQueue.ts';

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

/** GET /v1/images/generations/{task_id} (docs/service.md, "Query task"). */
export function queryTask({ context, url, account, parameter }: AuthorizedCall): Reply {
  const task = context.queue.find(parameter);
  // Another account's task looks like a missing one, so that ids cannot be probed.
  const isHere = task?.path === undefined || task.path === url.pathname;
  if (task === undefined || task.account !== account.id || !isHere) {
    throw new ApiError(404, 'task_not_found', 'There is no such task.');
  }
  return jsonReply(200, taskBody(context.queue, task));
}

/** Returns HTTP 202 with `Location` and `Preference-Applied`. The second family has a short body. */
export function acceptedReply(queue: TaskQueue, task: Task): Reply {
  const headers = {
    location: `/v1/images/generations/${task.id}`,
    'preference-applied': 'respond-async',
  };
  const short = { id: task.id, object: 'image.generation.task', status: task.state.status };
  return jsonReply(202, task.family === 'native' ? short : taskBody(queue, task), headers);
}

/** Returns the task object of a query (docs/service.md, "Task object"). */
function taskBody(queue: TaskQueue, task: Task): object {
  const { state } = task;
  return {
    id: task.id,
    object: 'image.generation.task',
    status: state.status,
    created_at: Math.floor(task.createdAt / 1000),
    progress: `${queue.progressOf(task)}%`,
    ...(state.status === 'completed' && {
      data: state.results.map(({ url, revisedPrompt }) => ({ url, revised_prompt: revisedPrompt })),
    }),
    ...(state.status === 'failed' && {
      error: { message: state.message, type: FAILURE_CODE, code: FAILURE_CODE },
    }),
  };
}
