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

/** What a page learns of its host: also that it has stopped answering, or answers again. */
export type HostNews = HostEvent | { kind: 'silence'; isSilent: boolean };

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
/** How long the page waits for a reply before it asks whether the host is there, and then for that one, in milliseconds. */
const [patience, lastPatience] = [8000, 4000];

/** The extension host behind the page. Each request gets one reply, in any order. */
export class Host {
  readonly #vscode = acquireVsCodeApi();
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Set<(event: HostNews) => void>();
  /** Starts above the IDs of earlier pages, whose replies may still arrive. */
  #lastId = Math.floor(performance.timeOrigin) * 1000;
  readonly #page: number;
  readonly #load = String(performance.timeOrigin);
  /** Ends the wait for a message of the host, while requests wait for their replies. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSilent = false;

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
    this.#watch();
    // Both sides ship together, so the reply has the type of its method.
    return (await reply.promise) as StudioReply<M>;
  }

  /**
   * Announces the page until the host replies: VS Code may lose messages of a page that is still loading. A host that
   * has a newer page replaces this one instead of replying.
   */
  async open(): Promise<void> {
    for (let wait = firstPatience; ; wait *= 2) {
      const heard = this.ask('opened', {}).then(() => true);
      if (await Promise.race([heard, after(wait).then(() => false)])) {
        return;
      }
    }
  }

  /** @returns a function that removes the listener */
  onEvent(listener: (event: HostNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Finds out that the host is gone while requests wait for it: its process ended, and VS Code gives a new one no page of the
   * one before. Some requests take long, such as those that ask the user; so the page then asks for what is answered at once.
   */
  #watch(): void {
    if (this.#timer !== undefined || this.#pending.size === 0) {
      return;
    }
    this.#timer = setTimeout(() => {
      const request = { method: 'opened', parameters: {} } as const;
      this.#vscode.postMessage({ page: this.#page, load: this.#load, id: ++this.#lastId, ...request });
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#isSilent = true;
        this.#tell({ kind: 'silence', isSilent: true });
      }, lastPatience);
    }, patience);
  }

  #receive(message: StudioMessage): void {
    if (message.kind === 'reply' || message.kind === 'failure') {
      this.#settle(message);
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watch();
    if (this.#isSilent) {
      this.#isSilent = false;
      this.#tell({ kind: 'silence', isSilent: false });
    }
    if (message.kind !== 'reply' && message.kind !== 'failure') {
      this.#tell(message);
    }
  }

  #settle(message: Extract<StudioMessage, { kind: 'reply' | 'failure' }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === 'reply') {
      pending?.resolve(message.value);
    } else {
      pending?.reject(new HostError(message.id, message.message, message.errorActions));
    }
  }

  #tell(event: HostNews): void {
    for (const listener of this.#listeners) {
      listener(event);
    }
  }
}

async function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
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
