import type { OutgoingHttpHeaders } from 'node:http';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { Task, TaskQueue } from '../state/taskQueue.ts';
import type { EncodedImage } from '../state/imageHost.ts';
import type { EndpointContext } from './endpointContext.ts';
import { revisePrompt, type Submission } from './imageRequest.ts';

const FAILURE_CODE = 'image_generation_failed';

/** Returns HTTP 202 with `Location` and `Preference-Applied`. The second family has a short body. */
export function acceptedReply(queue: TaskQueue, task: Task): Reply {
  const headers: OutgoingHttpHeaders = {
    location: `/v1/images/generations/${task.id}`,
    'preference-applied': 'respond-async',
  };
  const short = { id: task.id, object: 'image.generation.task', status: task.state.status };
  return jsonReply(202, task.family === 'native' ? short : taskBody(queue, task), headers);
}

/** Returns the task object of a query (docs/service.md, "Task object"). */
export function taskBody(queue: TaskQueue, task: Task): object {
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

/** Returns the synchronous reply: `created` and `data[].b64_json` (docs/service.md, "Synchronous answer"). */
export function imagesReply(
  { clock }: EndpointContext,
  { model, order }: Submission,
  images: readonly EncodedImage[],
): Reply {
  const revised =
    model.family === 'image' ? `"revised_prompt":${JSON.stringify(revisePrompt(order.prompt))},` : '';
  const data = images.flatMap(({ bytes }, index) => [
    Buffer.from(`${index === 0 ? '' : ','}{${revised}"b64_json":"`),
    Buffer.from(bytes.toString('base64'), 'latin1'),
    Buffer.from('"}'),
  ]);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: [Buffer.from(`{"created":${Math.floor(clock.now() / 1000)},"data":[`), ...data, Buffer.from(']}')],
  };
}
