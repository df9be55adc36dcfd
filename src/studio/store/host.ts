import { config } from '@vscode/l10n';
import type {
  StudioMessage,
  StudioMethod,
  StudioParameters,
  StudioReply,
  StudioRequest,
} from '../protocol/messages.ts';
import type { Comparison } from '../protocol/comparison.ts';
import type { StudioState } from '../protocol/state.ts';

declare function acquireVsCodeApi(): { postMessage(message: StudioRequest): void };

/** A message from the host other than a reply. */
export type HostEvent = Exclude<StudioMessage, { kind: 'reply' | 'failure' }>;

/** A failed request, in the words of the host. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly id: number;
  /** Labels of the buttons that fix it. */
  readonly errorActions: readonly string[];

  constructor(id: number, message: string, errorActions: readonly string[]) {
    super(message);
    this.id = id;
    this.errorActions = errorActions;
  }
}

/** How long the page waits for a message from its host before it announces itself again, in milliseconds. */
const firstPatience = 2000;

/** The extension host behind the page. Each request gets one reply, in any order. */
export class Host {
  readonly #vscode = acquireVsCodeApi();
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Set<(event: HostEvent) => void>();
  /** Starts above the IDs of earlier pages, whose replies may still arrive. */
  #lastId = Math.floor(performance.timeOrigin) * 1000;
  readonly #page: number;
  readonly #load = String(performance.timeOrigin);

  /** @param page number of the page, which identifies the sender of its requests */
  constructor(page: number) {
    this.#page = page;
    window.addEventListener('message', ({ data }: MessageEvent<StudioMessage>) => this.#receive(data));
  }

  /** Sends a request and returns its reply. @throws HostError when the request fails */
  async ask<M extends StudioMethod>(method: M, parameters: StudioParameters<M>): Promise<StudioReply<M>> {
    const id = ++this.#lastId;
    const reply = Promise.withResolvers<unknown>();
    this.#pending.set(id, reply);
    this.#vscode.postMessage({ page: this.#page, load: this.#load, id, method, parameters });
    // Both sides ship together, so the reply has the type of its method.
    return (await reply.promise) as StudioReply<M>;
  }

  /**
   * Announces the page until the host replies: VS Code may lose messages of a page that is still loading. A host that
   * has a newer page replaces this one instead of replying.
   */
  async open(): Promise<void> {
    for (let patience = firstPatience; ; patience *= 2) {
      const heard = this.ask('opened', {}).then(() => true);
      const waited = new Promise<false>((resolve) => setTimeout(resolve, patience, false));
      if (await Promise.race([heard, waited])) {
        return;
      }
    }
  }

  /** @returns a function that removes the listener */
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
        pending?.reject(new HostError(message.id, message.message, message.errorActions));
      }
      return;
    }
    for (const listener of this.#listeners) {
      listener(message);
    }
  }
}

/** What a page shows at first: the studio, or two images. */
interface PageData {
  page: number;
  state: StudioState;
  comparison: Comparison;
  texts?: Record<string, string>;
}

/**
 * Reads what the page shows at first, so that the first paint needs no round trip, and any translated texts, which it takes
 * as its words. A page asks for its own part.
 */
export function readPage(): PageData {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;
  if (data.texts) {
    config({ contents: data.texts });
  }
  return data;
}
