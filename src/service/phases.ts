import { isLimnerError, LimnerError, type Billing, type Phase } from './limnerError.ts';

/**
 * The same error with what it means where it was caught: the phase, and the bill unless the error says more
 * about it. Nothing was billed for a request that was not sent.
 */
export function inPhase(error: unknown, phase: Phase, billing: Billing): LimnerError {
  if (!isLimnerError(error)) {
    return new LimnerError('protocol', 'The exchange failed in an unexpected way.', {
      phase,
      billing,
      sent: true,
      cause: error,
    });
  }
  if (error.phase !== undefined && error.billing !== undefined) return error;
  const { status, service, retryAfter, sent } = error;
  return new LimnerError(error.code, error.message, {
    phase: error.phase ?? phase,
    billing: error.billing ?? (phase === 'submit' && sent === false ? 'no' : billing),
    ...(status !== undefined && { status }),
    ...(service !== undefined && { service }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(sent !== undefined && { sent }),
    cause: error,
  });
}
