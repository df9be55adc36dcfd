import { ApiError } from '../http/apiError.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { Task, TaskQueue } from '../state/taskQueue.ts';
import type { AuthorizedCall } from './endpointContext.ts';
import { FAILURE_CODE } from './imageRequest.ts';

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
