import { LimnerError, notSent } from '../common/limnerError.ts';
import type { CallContext } from './agentHost.ts';

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
