import { asLimnerError, LimnerError, type Billing, type Phase } from '../../common/limnerError.ts';

/**
 * Adds to an error what it means where it was caught: the phase, and the bill unless the error says more about it.
 * Nothing was billed for a request that was not sent.
 */
export function inPhase(error: unknown, phase: Phase, billing: Billing): LimnerError {
  const known = asLimnerError(error, 'The request failed unexpectedly.', { phase, billing, sent: true });
  if (known.phase !== undefined && known.billing !== undefined) {
    return known;
  }
  const { code, message, ...options } = known.toRecord();
  return new LimnerError(code, message, {
    ...options,
    phase: options.phase ?? phase,
    billing: options.billing ?? (phase === 'submit' && options.sent === false ? 'no' : billing),
    cause: error,
  });
}
