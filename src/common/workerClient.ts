import type { Worker } from 'node:worker_threads';
import { messageOf } from './limnerError.ts';

/** An operation of a thread. Its parameters and results are copied between the threads. */
type Operation<Result = unknown> = (...parameters: never[]) => Promise<Result>;
type ResultOf<O extends Operation> = O extends Operation<infer Result> ? Result : never;

export interface WorkerRequest<Name extends string> {
  id: number;
  operation: Name;
  parameters: never[];
}

export interface WorkerFailure {
  message: string;
  code?: string | undefined;
}

export type WorkerReply<Result> = { id: number } & ({ result: Result } | { failure: WorkerFailure });

export interface WorkerOptions {
  /** Starts the thread. The caller provides this because each bundle names its own file. */
  open: () => Worker;
  /** Whether the process stays alive while it waits for a reply. */
  keepsProcess: boolean;
  toError: (failure: WorkerFailure, options?: ErrorOptions) => Error;
  /** Error message for pending requests when the client is disposed, the thread fails, or it ends by itself. */
  closed: string;
  broke: string;
  ended: string;
}

interface Pending {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** Idle time in milliseconds after which the thread ends. Only its end frees the memory of images. */
const idleTimeout = 20_000;

/** Runs operations in a thread that starts with the first request and ends when idle. */
export class WorkerClient<Operations extends Record<string, Operation>> {
  readonly #options: WorkerOptions;
  #worker: Worker | undefined;
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  ask<Name extends keyof Operations & string>(
    operation: Name,
    ...parameters: Parameters<Operations[Name]>
  ): Promise<ResultOf<Operations[Name]>> {
    return this.handOver([], operation, ...parameters);
  }

  /** Requests an operation and transfers its buffers to the thread. They can't be read afterwards. */
  handOver<Name extends keyof Operations & string>(
    buffers: readonly ArrayBuffer[],
    operation: Name,
    ...parameters: Parameters<Operations[Name]>
  ): Promise<ResultOf<Operations[Name]>> {
    return new Promise((resolve, reject) => {
      clearTimeout(this.#idleTimer);
      const worker = (this.#worker ??= this.#start());
      if (this.#options.keepsProcess) {
        worker.ref();
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      worker.postMessage({ id, operation, parameters }, buffers);
    });
  }

  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#abandon(this.#options.toError({ message: this.#options.closed }));
    await worker?.terminate();
  }

  #start(): Worker {
    const { open, toError, broke, ended } = this.#options;
    const worker = open();
    worker.unref();
    worker.on('message', (reply: WorkerReply<never>) => this.#settle(reply));
    const lost = (error: Error): void => {
      if (this.#worker === worker) {
        this.#abandon(error);
      }
    };
    worker.on('error', (error) => lost(toError({ message: broke }, { cause: error })));
    worker.on('exit', () => lost(toError({ message: ended })));
    return worker;
  }

  #settle(reply: WorkerReply<never>): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) {
      const worker = this.#worker;
      worker?.unref();
      this.#idleTimer = setTimeout(() => {
        this.#worker = undefined;
        void worker?.terminate();
      }, idleTimeout).unref();
    }
    if ('failure' in reply) {
      pending?.reject(this.#options.toError(reply.failure));
    } else {
      pending?.resolve(reply.result);
    }
  }

  /** Discards the thread. The next request starts another. */
  #abandon(error: Error): void {
    clearTimeout(this.#idleTimer);
    const pending = this.#pending;
    this.#worker = undefined;
    this.#pending = new Map();
    for (const { reject } of pending.values()) {
      reject(error);
    }
  }
}

/** Runs an operation in this thread and replies to the client. */
export async function replyTo<Name extends string, Result>(
  operations: Readonly<Record<Name, Operation<Result>>>,
  { id, operation, parameters }: WorkerRequest<Name>,
  codeOf?: (error: unknown) => string | undefined,
): Promise<WorkerReply<Result>> {
  try {
    return { id, result: await operations[operation](...parameters) };
  } catch (error) {
    // The codecs throw errors, strings, and traps of their own. Only the message can be passed on.
    const message = messageOf(error);
    return { id, failure: { message, code: codeOf?.(error) } };
  }
}
