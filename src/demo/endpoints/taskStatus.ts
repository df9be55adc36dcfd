import { ApiError } from '../http/apiError.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { AuthorizedCall } from './endpointContext.ts';
import { taskBody } from './taskBody.ts';

/** GET /v1/images/generations/{task_id} (docs/service.md, "Query task"). */
export function queryTask({ context, account, parameter }: AuthorizedCall): Reply {
  const task = context.queue.find(parameter);
  // Another account's task looks like a missing one, so that ids cannot be probed.
  if (task === undefined || task.account !== account.id) {
    throw new ApiError(404, 'task_not_found', 'There is no such task.');
  }
  return jsonReply(200, taskBody(context.queue, task));
}
