import type { IncomingMessage } from 'node:http';
import { ApiError } from '../http/apiError.ts';
import { RELATIVE_RESULTS } from '../faults/alteredTasks.ts';
import type { Reply } from '../http/reply.ts';
import type { LoggedRequest } from '../http/requestLog.ts';
import type { EndpointContext } from './endpointContext.ts';

/**
 * GET /api/async-images/<file_name>.<ext> on the result host, without a key (docs/service.md, "Result images").
 * @throws ApiError 404 for an unknown image and for one past its retention, 405 for other methods
 */
export async function answerResult(
  context: EndpointContext,
  request: IncomingMessage,
  url: URL,
  log: LoggedRequest,
): Promise<Reply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError(405, 'method_not_allowed', 'Images can only be fetched.', {
      headers: { allow: 'GET, HEAD' },
    });
  }
  const { clock, queue, images, resultHost } = context;
  const passage = { target: 'image', request, url, clock, queue, images, resultHost, log } as const;
  return context.faults.apply(passage, () => {
    const image = images.find(url.pathname.replace(RELATIVE_RESULTS, '/'));
    if (image === undefined) {
      throw new ApiError(404, 'image_not_found', 'There is no such image, or its retention is over.');
    }
    return { status: 200, headers: { 'content-type': `image/${image.format}` }, body: [image.bytes] };
  });
}
