// Room: how work runs in a thread of its own, and how its results come back.
// Never: what that work is.

import type { Worker } from 'node:worker_threads';
import { messageOf } from './messageOf.ts';

/** An operation of a thread. Parameters and results are copied between the threads. */
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
  /** Starts the thread. The caller does it, since each bundle names its own file. */
  open: () => Worker;
  /** Whether the process stays alive while a reply is awaited. */
  keepsProcess: boolean;
  toError: (failure: WorkerFailure, options?: ErrorOptions) => Error;
  /** Messages for the pending requests when the client is disposed of, the thread fails, or it ends by itself. */
  closed: string;
  broke: string;
  ended: string;
}

interface Pending {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** The memory that images took comes back only with the end of the thread. In milliseconds. */
const idleTimeout = 20_000;

/** Runs operations in a thread that starts with the first request and ends when it is idle. */
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

  /** Asks for an operation, and gives buffers of its parameters to the thread: nothing can be read of them afterwards. */
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

  /** Ends the thread and rejects the pending requests. */
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

  /** Gives up the thread. The next request starts another. */
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

/** Does what a client asks of the thread that this runs in. */
export async function replyTo<Name extends string, Result>(
  operations: Readonly<Record<Name, Operation<Result>>>,
  { id, operation, parameters }: WorkerRequest<Name>,
  codeOf?: (error: unknown) => string | undefined,
): Promise<WorkerReply<Result>> {
  try {
    return { id, result: await operations[operation](...parameters) };
  } catch (error) {
    // The codecs throw errors, strings and traps of their own. Their message is all there is to pass on.
    const message = messageOf(error);
    return { id, failure: { message, code: codeOf?.(error) } };
  }
}
