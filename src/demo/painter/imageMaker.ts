import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import { Codecs } from '../../images/codecs/codecs.ts';
import { ApiError, invalidRequest } from '../http/apiError.ts';
import type { EncodedImage } from '../state/imageHost.ts';
import type { EditFiles, ImageOrder } from './imageOrder.ts';
import type { ImageFormat } from '../state/modelCatalog.ts';
import { Studio } from './renderer.ts';

type Job = { id: number } & ({ kind: 'make'; order: ImageOrder } | { kind: 'check'; files: EditFiles });

type Outcome = { id: number } & (
  | { kind: 'done'; images: { format: ImageFormat; bytes: Uint8Array }[] }
  /** The input files are to blame. */
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'failed'; message: string }
);

interface Pending {
  resolve: (images: EncodedImage[]) => void;
  reject: (error: Error) => void;
}

/** Marks the threads in which this file paints rather than asks. */
const ROLE = 'limner.painter';
/** What large pictures took of memory comes back with the end of the thread, after so many idle milliseconds. */
const IDLE = 20_000;

/**
 * Makes the images of orders in a thread of its own, so that the service goes on answering. The thread starts with
 * the first order and ends when it is idle.
 */
export class ImageMaker {
  #worker: Worker | undefined;
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /**
   * The images of an order, each different from the others.
   * @throws ApiError 400 for input files that cannot be edited
   * @throws Error whose message says why the images could not be made
   */
  make(order: ImageOrder): Promise<EncodedImage[]> {
    return this.#ask({ id: ++this.#lastId, kind: 'make', order });
  }

  /**
   * Looks whether the files can be edited.
   * @throws ApiError 400 that says which cannot, and why
   */
  async check(files: EditFiles): Promise<void> {
    await this.#ask({ id: ++this.#lastId, kind: 'check', files });
  }

  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#lose(new Error('The demo service was closed.'));
    await worker?.terminate();
  }

  #ask(job: Job): Promise<EncodedImage[]> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#pending.set(job.id, { resolve, reject });
      worker.postMessage(job, []);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL(import.meta.url), { workerData: ROLE });
    // The listening sockets keep the service alive, not its brush.
    worker.unref();
    worker.on('message', (outcome: Outcome) => {
      this.#settle(outcome);
    });
    const lost = (error: Error): void => {
      if (this.#worker === worker) {
        this.#lose(error);
      }
    };
    worker.on('error', (error) => {
      lost(new Error('The painter broke down.', { cause: error }));
    });
    worker.on('exit', () => {
      lost(new Error('The painter ended.'));
    });
    return worker;
  }

  #settle(outcome: Outcome): void {
    const pending = this.#pending.get(outcome.id);
    this.#pending.delete(outcome.id);
    if (this.#pending.size === 0) {
      const worker = this.#worker;
      this.#idle = setTimeout(() => {
        this.#worker = undefined;
        void worker?.terminate();
      }, IDLE).unref();
    }
    switch (outcome.kind) {
      case 'done':
        pending?.resolve(
          outcome.images.map(({ format, bytes }) => ({
            format,
            bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          })),
        );
        break;
      case 'refused':
        pending?.reject(invalidRequest(outcome.message, outcome.code));
        break;
      case 'failed':
        pending?.reject(new Error(outcome.message));
        break;
    }
  }

  /** Gives up the thread; the next order starts another. */
  #lose(error: Error): void {
    clearTimeout(this.#idle);
    const pending = this.#pending;
    this.#worker = undefined;
    this.#pending = new Map();
    for (const { reject } of pending.values()) {
      reject(error);
    }
  }
}

function serve(port: MessagePort): void {
  const studio = new Studio(new Codecs());
  const serveOne = async (job: Job): Promise<void> => {
    port.postMessage(await answer(studio, job), []);
  };
  port.on('message', (job: Job) => {
    void serveOne(job);
  });
}

async function answer(studio: Studio, job: Job): Promise<Outcome> {
  const { id } = job;
  try {
    switch (job.kind) {
      case 'make':
        return { id, kind: 'done', images: await studio.make(job.order) };
      case 'check':
        await studio.check(job.files);
        return { id, kind: 'done', images: [] };
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof ApiError
      ? { id, kind: 'refused', code: error.code, message }
      : { id, kind: 'failed', message };
  }
}

if (!isMainThread && workerData === ROLE && parentPort !== null) {
  serve(parentPort);
}
