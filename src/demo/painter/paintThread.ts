import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import type { Pixels } from '../../images/codecs/codecs.ts';
import { paint, type Painting } from './painter.ts';
import { repaint, type Repainting } from './repaint.ts';
import { resize } from './resize.ts';

export type PaintJob =
  | ({ kind: 'paint' } & Painting)
  /** The result has the size of the first input, or `size` where that is given. */
  | ({ kind: 'repaint'; size?: { width: number; height: number } } & Repainting);

type Reply = { id: number } & ({ kind: 'painted'; pixels: Pixels } | { kind: 'failed'; message: string });

interface Pending {
  resolve: (pixels: Pixels) => void;
  reject: (error: Error) => void;
}

/** Marks the threads in which this file paints rather than asks. */
const ROLE = 'limner.painter';

/** Paints in a thread of its own, one picture after the other, so that the service goes on answering. */
export class PaintThread {
  #worker: Worker | undefined;
  #pending = new Map<number, Pending>();
  #lastId = 0;

  paint(job: PaintJob): Promise<Pixels> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.postMessage({ id, job }, []);
    });
  }

  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#lose(new Error('The demo service was closed.'));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL(import.meta.url), { workerData: ROLE });
    // The listening sockets keep the service alive, not its brush.
    worker.unref();
    worker.on('message', (reply: Reply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if (reply.kind === 'painted') {
        pending?.resolve(reply.pixels);
      } else {
        pending?.reject(new Error(reply.message));
      }
    });
    worker.on('error', (error) => {
      if (this.#worker === worker) {
        this.#lose(new Error('The painter broke down.', { cause: error }));
      }
    });
    return worker;
  }

  /** Gives up the thread; the next job starts another. */
  #lose(error: Error): void {
    const pending = this.#pending;
    this.#worker = undefined;
    this.#pending = new Map();
    for (const { reject } of pending.values()) {
      reject(error);
    }
  }
}

function serve(port: MessagePort): void {
  port.on('message', ({ id, job }: { id: number; job: PaintJob }) => {
    let reply: Reply;
    try {
      reply = { id, kind: 'painted', pixels: work(job) };
    } catch (error) {
      reply = { id, kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
    port.postMessage(reply, []);
  });
}

function work(job: PaintJob): Pixels {
  if (job.kind === 'paint') {
    return paint(job);
  }
  const pixels = repaint(job);
  return job.size === undefined ? pixels : resize(pixels, job.size.width, job.size.height);
}

if (!isMainThread && workerData === ROLE && parentPort !== null) {
  serve(parentPort);
}
