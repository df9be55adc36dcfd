import { backoff } from '../../common/backoff.ts';
import type { LimnerError } from '../../common/limnerError.ts';
import type { TaskRequest } from '../task.ts';

/**
 * How long sending may be put off in all, because the service is busy and because nothing gets out, in milliseconds.
 * Pauses count as they were planned: sleep of the machine makes none of them longer.
 */
export const maxPutOff = { busy: 15 * 60_000, unsent: 2 * 60_000 };

/**
 * Decides when one task's request is sent again, if ever (docs/service.md, "Sending again"). The single calls of a native
 * run are repeated before that, in `src/service/responses/gatherAnswers.ts`.
 */
export class ResendPolicy {
  #attempts = 0;
  readonly #putOff = { busy: 0, unsent: 0 };
  #planned: { cause: keyof typeof maxPutOff; pause: number; until: number } | undefined;

  /**
   * Returns the pause before the next try in milliseconds; undefined when the request may not be sent again.
   *
   * @param at when the last one failed, in Unix milliseconds
   */
  pauseAfter(error: LimnerError, request: TaskRequest, at: number): number | undefined {
    if (!mayResend(error, request)) {
      return undefined;
    }
    // A service that asks for no wait, or names a time that is past, is still not asked in a loop.
    const pause = Math.max(error.retryAfter ?? 0, backoff(this.#attempts++) * (1 + 0.2 * Math.random()));
    const cause = error.sent === false ? 'unsent' : 'busy';
    this.#planned = { cause, pause, until: at + pause };
    this.#putOff[cause] += pause;
    return this.#putOff[cause] <= maxPutOff[cause] ? pause : undefined;
  }

  /** Does not count what is left of the pause when a person ends it. */
  tries(at: number): void {
    if (this.#planned) {
      const { cause, pause, until } = this.#planned;
      this.#putOff[cause] -= Math.min(Math.max(0, until - at), pause);
      this.#planned = undefined;
    }
  }
}

/** Whether the request was surely not taken: anything else is paid for again when it is sent again. */
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

/** Whether the service may be working on the request although its id is not known here. */
export function isOutcomeUnknown({ code, sent, billing }: LimnerError): boolean {
  return sent !== false && billing !== 'no' && openOutcomes.has(code);
}
