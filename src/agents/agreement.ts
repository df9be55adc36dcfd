import { LimnerError, notSent } from '../common/limnerError.ts';
import { endpointsOf } from '../service/endpoints.ts';
import { imageCount } from '../tasks/files/onTwoGrounds.ts';
import type { TaskRequest } from '../tasks/task.ts';
import type { CallContext, Plan } from './agentHost.ts';

/** @throws LimnerError `stopped` when a call is about other files than those that a person could agree to */
export function requireSame(uris: readonly string[], { plan }: CallContext): void {
  if (plan && JSON.stringify(plan.uris) !== JSON.stringify(uris)) {
    const message =
      'The folders of the workspace changed since the person could agree, and the paths mean other files now. Call the tool again.';
    throw new LimnerError('stopped', message, notSent);
  }
}

/** @throws LimnerError `stopped` when nobody agreed to send anything; nothing was sent then */
export function requireAgreement({ plan }: CallContext): void {
  if (!plan || plan.images === 0) {
    const message =
      'The task that there was of this call is over, and nobody agreed to another one. Call the tool again.';
    throw new LimnerError('stopped', message, notSent);
  }
}

/** @throws LimnerError `stopped` when a request is another one than that which a person could agree to */
export function requireSameOrder(request: TaskRequest, { plan }: CallContext): void {
  if (plan && !isSameOrder(plan.request, request)) {
    const message =
      'The service, the model, or the settings changed since the person could agree. Call the tool again.';
    throw new LimnerError('stopped', message, notSent);
  }
}

/** Whether two requests have the same made by the same service, at the same price. */
export function isSameOrder(one: TaskRequest | undefined, other: TaskRequest | undefined): boolean {
  return JSON.stringify(one && termsOf(one)) === JSON.stringify(other && termsOf(other));
}

function termsOf(request: TaskRequest): unknown[] {
  const { model, size, quality, price } = request;
  return [model, size, quality, price?.amount, price?.currency, imageCount(request), serviceOf(request)];
}

/** When a person is asked before an agent has images made. */
export interface ConfirmRule {
  when: 'always' | 'session' | 'above';
  /** With `above`: calls for more images ask. */
  above: number;
}

/** The services that a person agreed to calls of. One that is free is not one that bills. */
export class AgreedServices {
  readonly #services = new Set<string>();

  /** Notes that the person agreed to a call. */
  add({ images, request }: Plan): void {
    if (images > 0 && request) {
      this.#services.add(serviceOf(request));
    }
  }

  /** Whether the person is asked about a call. No file is replaced unasked. */
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

/** Returns the origin of a service; the demo service is the same one at any port. */
function serviceOf({ free, baseUrl }: TaskRequest): string {
  return free ? 'demo' : endpointsOf(baseUrl).origin;
}
