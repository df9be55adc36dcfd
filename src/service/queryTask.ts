import { ImageService } from './imageService.ts';
import type { RemoteTask } from './messages.ts';
import type { Transport } from './http/transport.ts';

export interface TaskQuery {
  baseUrl: string;
  apiKey: string;
  /** Origins other than loopback that a person allowed to be called over plain http. */
  plainHttpOrigins: readonly string[];
  taskId: string;
  transport: Transport;
  signal: AbortSignal;
  /** Hears one line for each exchange. */
  log: (line: string) => void;
}

/** In milliseconds; nothing but the query is ever sent. */
const requestTimeout = 30_000;

/**
 * Asks a service once for a task, without an engine around it (docs/service.md, "Query task"); images in the answer
 * are not kept.
 *
 * @throws LimnerError as `ImageService` and its `query`
 */
export async function queryTask({
  taskId,
  transport,
  signal,
  ...connection
}: TaskQuery): Promise<RemoteTask> {
  const transports = { posts: transport, polls: transport };
  const service = new ImageService({ ...connection, transports, requestTimeout });
  return service.query(taskId, { signal, openSink: () => nowhere });
}

const nowhere = {
  write: () => undefined,
  toText: async () => Promise.resolve(),
  close: async () => Promise.resolve(),
  discard: async () => Promise.resolve(),
};
