import type {
  StudioMessage,
  StudioMethod,
  StudioParameters,
  StudioReply,
  StudioRequest,
} from '../protocol/messages.ts';
import type { StudioState } from '../protocol/state.ts';

declare function acquireVsCodeApi(): { postMessage(message: StudioRequest): void };

/** What the host tells without being asked. */
export type HostEvent = Exclude<StudioMessage, { kind: 'reply' | 'failure' }>;

/** Why the host could not do something, in its words. */
export class HostError extends Error {
  override readonly name = 'HostError';
  /** Of the request that failed. */
  readonly id: number;
  /** What the buttons say that mend it. */
  readonly remedies: readonly string[];

  constructor(id: number, message: string, remedies: readonly string[]) {
    super(message);
    this.id = id;
    this.remedies = remedies;
  }
}

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** The other side of the panel: each request gets one answer, in any order. */
export class Host {
  readonly #vscode = acquireVsCodeApi();
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Set<(event: HostEvent) => void>();
  /** Other numbers than those of an earlier page, whose answers may still come. */
  #lastId = Math.floor(performance.timeOrigin) * 1000;

  constructor() {
    window.addEventListener('message', ({ data }: MessageEvent<StudioMessage>) => this.#receive(data));
  }

  /** @throws HostError when it could not do it */
  async ask<M extends StudioMethod>(method: M, parameters: StudioParameters<M>): Promise<StudioReply<M>> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#vscode.postMessage({ id, method, parameters });
    // The two sides ship together: the reply is what its method says.
    return (await answer) as StudioReply<M>;
  }

  /** @returns what ends it */
  onEvent(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #receive(message: StudioMessage): void {
    if (message.kind === 'reply' || message.kind === 'failure') {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.kind === 'reply') {
        pending?.resolve(message.value);
      } else {
        pending?.reject(new HostError(message.id, message.message, message.remedies));
      }
      return;
    }
    for (const listener of this.#listeners) {
      listener(message);
    }
  }
}

/** What the host wrote into the page: the state to begin with, and the translated texts where there are any. */
interface PageData {
  state: StudioState;
  texts: Record<string, string> | undefined;
}

/** Reads it; there is no round trip before the first paint. */
export function readPage(): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;
}
