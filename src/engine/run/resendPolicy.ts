import { backoff } from '../../common/clock.ts';
import type { LimnerError } from '../../common/limnerError.ts';
import type { TaskRequest } from '../task/task.ts';

/**
 * How long sending may be delayed in total because the service is busy, and because nothing gets through, in
 * milliseconds. Pauses count as planned, however long the machine sleeps.
 */
export const maxPutOff = { busy: 15 * 60_000, unsent: 2 * 60_000 };

/** As `maxPutOff.unsent` for an agent, whose client may give up after a minute: one more try. */
const maxPutOffOfAgent = 5000;

/**
 * Decides whether and when one task's request is sent again (docs/service.md, "Sending again"). Single calls of a
 * native run are repeated earlier, in `src/service/wire/gatherAnswers.ts`.
 */
export class ResendPolicy {
  #attempts = 0;
  readonly #putOff = { busy: 0, unsent: 0 };
  #planned: { cause: keyof typeof maxPutOff; pause: number; until: number } | undefined;

  /**
   * Returns the pause before the next try in milliseconds; undefined if the request must not be sent again.
   *
   * @param at when the last try failed, in Unix milliseconds
   */
  pauseAfter(error: LimnerError, request: TaskRequest, at: number): number | undefined {
    if (!mayResend(error, request)) {
      return undefined;
    }
    // A service is never called in a loop, even if it asks for no wait or for a time in the past.
    const pause = Math.max(error.retryAfter ?? 0, backoff(this.#attempts++) * (1 + 0.2 * Math.random()));
    const cause = error.sent === false ? 'unsent' : 'busy';
    this.#planned = { cause, pause, until: at + pause };
    this.#putOff[cause] += pause;
    return this.#putOff[cause] <= longest(cause, error, request) ? pause : undefined;
  }

  /** Subtracts the rest of a pause that a user cut short. */
  tries(at: number): void {
    if (this.#planned) {
      const { cause, pause, until } = this.#planned;
      this.#putOff[cause] -= Math.min(Math.max(0, until - at), pause);
      this.#planned = undefined;
    }
  }
}

function longest(cause: keyof typeof maxPutOff, { code }: LimnerError, { startedBy }: TaskRequest): number {
  if (cause !== 'unsent' || startedBy !== 'agent') {
    return maxPutOff[cause];
  }
  // Connecting has taken its time already.
  return code === 'timeout' ? 0 : maxPutOffOfAgent;
}

/** Whether the service surely did not accept the request. Otherwise, sending it again would be paid twice. */
function mayResend(error: LimnerError, { callStyle }: TaskRequest): boolean {
  switch (error.code) {
    case 'network':
    case 'timeout':
    case 'stopped':
      return error.sent === false && !error.lasting;
    case 'rate_limited':
      return error.status === 429;
    case 'queue_full':
      return error.status === 503 && callStyle === 'async';
    default:
      return false;
  }
}

const openOutcomes = new Set(['outcome_unknown', 'network', 'timeout', 'protocol', 'stopped']);

/** Whether the service may be working on the request although its ID is unknown here. */
export function isOutcomeUnknown({ code, sent, billing }: LimnerError): boolean {
  return sent !== false && billing !== 'no' && openOutcomes.has(code);
}
