import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import { replyTo, WorkerClient, type WorkerRequest } from '../../common/workerClient.ts';
import { Codecs } from '../../images/finish/codecs.ts';
import { ApiError, invalidRequest } from '../http/apiError.ts';
import type { EncodedImage } from '../http/imageHost.ts';
import { type EditFiles, type ImageOrder, ImageRenderer } from './imageRenderer.ts';

type Operations = Pick<ImageRenderer, 'make' | 'check'>;

/** Marks the threads in which this file serves orders. */
const ROLE = 'limner.painter';

/**
 * Makes the images of orders in a separate thread, so that the service keeps answering. The thread ends by itself when it
 * is idle, and keeps no process alive.
 */
export class ImageMaker {
  readonly #worker = new WorkerClient<Operations>({
    open: () => new Worker(new URL(import.meta.url), { workerData: ROLE }),
    keepsProcess: false,
    toError: ({ message, code }, options) =>
      code === undefined ? new Error(message, options) : invalidRequest(message, code),
    closed: 'The demo service was closed.',
    broke: 'The painter broke down.',
    ended: 'The painter ended.',
  });

  /**
   * Makes the images of an order, each different from the others.
   * @throws ApiError 400 for input files that cannot be edited
   * @throws Error whose message says why the images could not be made
   */
  async make(order: ImageOrder): Promise<EncodedImage[]> {
    const images = await this.#worker.ask('make', order);
    // A buffer arrives as plain bytes.
    return images.map(({ format, bytes }) => ({
      format,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    }));
  }

  /** @throws ApiError 400 that says which files cannot be edited, and why */
  check(files: EditFiles): Promise<void> {
    return this.#worker.ask('check', files);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}

function serve(port: MessagePort): void {
  const renderer: Operations = new ImageRenderer(new Codecs());
  const serveOne = async (request: WorkerRequest<keyof Operations>): Promise<void> => {
    port.postMessage(await replyTo<keyof Operations, unknown>(renderer, request, codeOf), []);
  };
  port.on('message', (request: WorkerRequest<keyof Operations>) => {
    void serveOne(request);
  });
}

if (!isMainThread && workerData === ROLE && parentPort !== null) {
  serve(parentPort);
}
