import * as v from 'valibot';
import { messageOf } from '../../../src/common/limnerError.ts';
import { emptyDraft, type Draft } from '../../../src/studio/protocol/draft.ts';
import {
  requestParameters,
  type StudioMessage,
  type StudioRequest,
} from '../../../src/studio/protocol/messages.ts';
import type { ReplacedDraft, StudioInput } from '../../../src/studio/protocol/state.ts';
import { Host, type HostEvent } from '../../../src/studio/store/host.ts';
import { StudioStore } from '../../../src/studio/store/studioStore.ts';
import { aStudioModel } from './studioTasks.ts';

interface Opened {
  store: StudioStore;
  host: Host;
  /** Tells the page something as its host. */
  tell: (event: HostEvent) => void;
  /** What was asked of the host besides storing the draft, in order. */
  asked: Pick<StudioRequest, 'method' | 'parameters'>[];
}

/** Replies of a host that does everything; `discard` discards all of its images. */
export function done({ method, parameters }: StudioRequest): unknown {
  return method === 'discard' ? v.parse(requestParameters.discard, parameters).images : { path: '' };
}

/**
 * Opens a store of two images, `a` and `b`, on a host that replies so, or fails with what is thrown: at once, unless that is
 * a promise.
 */
export function opened(draft: Partial<Draft>, replyTo = done, replaced?: ReplacedDraft): Opened {
  const window = new EventTarget();
  const asked: Opened['asked'] = [];
  const send = (data: StudioMessage): boolean => window.dispatchEvent(new MessageEvent('message', { data }));
  const postMessage = (request: StudioRequest): boolean => {
    const { id, method, parameters } = request;
    if (method !== 'saveDraft') {
      asked.push({ method, parameters });
    }
    let value: unknown;
    try {
      value = replyTo(request);
    } catch (error) {
      return send({ kind: 'failure', id, message: messageOf(error), errorActions: ['Open Settings'] });
    }
    if (value instanceof Promise) {
      void value.then((later: unknown) => send({ kind: 'reply', id, value: later }));
      return true;
    }
    return send({ kind: 'reply', id, value });
  };
  Object.assign(globalThis, { window, acquireVsCodeApi: () => ({ postMessage }) });
  const host = new Host(1);
  const store = new StudioStore(
    {
      draft: { ...emptyDraft, ...draft },
      inputs: [input('a'), input('b', 20)],
      models: [aStudioModel({ name: 'Painter', maxInputs: 4 })],
      defaultModel: 'painter',
      baseUrl: 'https://images.example',
      defaults: { size: '', fit: 'off', quality: '', count: 1, folder: '', fileName: '' },
      styles: [],
      tasks: [],
      target: { path: '' },
      isConnected: true,
      hasLanguageModel: false,
      isSending: false,
      ...(replaced && { replaced }),
    },
    host,
  );
  return { store, host, tell: send, asked };
}

/** An image of 10 pixels by default. */
export function input(id: string, width = 10): StudioInput {
  return {
    id,
    name: `${id}.png`,
    url: '',
    path: id,
    width,
    height: 10,
    size: 1,
    mediaType: 'image/png',
    notes: [],
  };
}
