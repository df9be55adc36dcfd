import { LimnerError, notSent } from '../../common/limnerError.ts';
import { endpointsOf } from '../../service/http/endpoints.ts';
import { imageCount } from '../../engine/task/twoBackgrounds.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import type { CallContext, Plan } from './agentHost.ts';

/** @throws LimnerError `stopped` when the files of a call are not those that the user was asked about */
export function requireSame(uris: readonly string[], { plan }: CallContext): void {
  if (plan && JSON.stringify(plan.uris) !== JSON.stringify(uris)) {
    const message =
      'The workspace folders changed after the user was asked, so the paths now refer to other files. Call the tool again.';
    throw new LimnerError('stopped', message, notSent);
  }
}

/** @throws LimnerError `stopped` when nobody agreed to send anything; nothing was sent then */
export function requireAgreement({ plan }: CallContext): void {
  if (!plan || plan.images === 0) {
    const message =
      'The earlier task of this call has ended, and the user did not agree to another one. Call the tool again.';
    throw new LimnerError('stopped', message, notSent);
  }
}

/** @throws LimnerError `stopped` when the request is not the one that the user was asked about */
export function requireSameOrder(request: TaskRequest, { plan }: CallContext): void {
  if (plan && !isSameOrder(plan.request, request)) {
    const message =
      'The service, the model, or the settings changed after the user was asked. Call the tool again.';
    throw new LimnerError('stopped', message, notSent);
  }
}

/** Returns the requests that a call would send. */
export function requestsOf({ parts, request }: Plan): TaskRequest[] {
  return parts ? parts.flatMap((part) => (part ? requestsOf(part) : [])) : request ? [request] : [];
}

/** Whether two requests order the same images from the same service at the same price. */
export function isSameOrder(one: TaskRequest | undefined, other: TaskRequest | undefined): boolean {
  return JSON.stringify(one && termsOf(one)) === JSON.stringify(other && termsOf(other));
}

function termsOf(request: TaskRequest): unknown[] {
  const { model, size, quality, price, style } = request;
  const { amount, currency } = price ?? {};
  return [model, size, quality, amount, currency, imageCount(request), serviceOf(request), styleOf(style)];
}

function styleOf({ images = [], ...words }: TaskRequest['style'] = { name: '' }): unknown[] {
  return [words, images.map(({ sha256 }) => sha256)];
}

export interface ConfirmRule {
  when: 'always' | 'session' | 'above';
  /** With `above`: the user is asked about calls for more images than this. */
  above: number;
}

/** The services for which the user agreed to a call. Consent to a free service does not cover one that bills. */
export class AgreedServices {
  readonly #services = new Set<string>();

  add({ images, request }: Plan): void {
    if (images > 0 && request) {
      this.#services.add(serviceOf(request));
    }
  }

  /** Whether the user must be asked about a call. Replacing a file is always asked. */
  mustAsk({ images, replaces, request }: Plan, { when, above }: ConfirmRule): boolean {
    if (replaces) {
      return true;
    }
    switch (when) {
      case 'always':
        return images > 0;
      case 'session':
        return images > 0 && !(request && this.#services.has(serviceOf(request)));
      case 'above':
        return images > above;
    }
  }
}

/** Returns the origin of a service; the demo service counts as one at any port. */
function serviceOf({ free, baseUrl }: TaskRequest): string {
  return free ? 'demo' : endpointsOf(baseUrl).origin;
}
