import { FetchTransport } from './fetchTransport.ts';
import { HttpsTransport } from './httpsTransport.ts';
import { ImageService } from './imageService.ts';
import type { RemoteTask } from './messages.ts';

export interface TaskQuery {
  baseUrl: string;
  apiKey: string;
  /** Origins other than loopback that a person allowed to be called over plain http. */
  plainHttpOrigins: readonly string[];
  taskId: string;
  signal: AbortSignal;
}

/** In milliseconds; nothing but the query is ever sent. */
const requestTimeout = 30_000;

/**
 * Asks a service once for a task, without an engine around it (service-api.md, "Query task"); images in the answer
 * are not kept.
 *
 * @throws LimnerError as `ImageService` and its `query`
 */
export async function queryTask({ taskId, signal, ...connection }: TaskQuery): Promise<RemoteTask> {
  const https = new HttpsTransport();
  const transports = { posts: https, polls: new FetchTransport(), downloads: https };
  const service = new ImageService({ ...connection, transports, requestTimeout });
  return service.query(taskId, { signal, openSink: () => nowhere });
}

const nowhere = {
  write: () => undefined,
  close: async () => Promise.resolve(),
  discard: async () => Promise.resolve(),
};
