import { ApiError } from '../apiError.ts';
import type { Reply } from '../reply.ts';
import type { Service } from '../service.ts';

/**
 * GET /api/async-images/<file_name>.<ext> on the result host, without a key (service-api.md, "Image result").
 * @throws ApiError 404 for an unknown image and for one past its retention
 */
export function resultImage(service: Service, path: string): Reply {
  const image = service.images.find(path);
  if (image === undefined) {
    throw new ApiError(404, 'image_not_found', 'There is no such image, or its retention is over.');
  }
  return { status: 200, headers: { 'content-type': `image/${image.format}` }, body: [image.bytes] };
}
