import { isLimnerError, LimnerError, type Billing, type Phase } from '../../common/limnerError.ts';

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
  const { code, message, ...known } = error.toRecord();
  return new LimnerError(code, message, {
    ...known,
    phase: known.phase ?? phase,
    billing: known.billing ?? (phase === 'submit' && known.sent === false ? 'no' : billing),
    cause: error,
  });
}
