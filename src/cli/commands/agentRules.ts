import type { AgentLimits } from '../../agents/allowance.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import type { ConfirmRule } from '../../agents/agreement.ts';
import type { AgentEnvironment } from '../setup/environment.ts';

/**
 * Returns when the person is asked: always, unless the variables say otherwise.
 *
 * @param onProblem called with a sentence about each value that means nothing: the person is asked always then
 */
export function confirmRuleOf(
  { confirm = 'always', confirmAbove = '4' }: AgentEnvironment,
  onProblem: (problem: string) => void,
): ConfirmRule {
  const when = (['always', 'session', 'above'] as const).find((one) => one === confirm);
  if (when === undefined) {
    onProblem(`LIMNER_AGENTS_CONFIRM must be always, session, or above, not "${confirm}": asking always.`);
  }
  const above = countIn(confirmAbove);
  if (when === 'above' && above === undefined) {
    onProblem(`LIMNER_AGENTS_CONFIRM_ABOVE must be a number, not "${confirmAbove}": asking always.`);
  }
  return { when: when ?? 'always', above: above ?? 0 };
}

/**
 * Returns how many images agents may have made: 20 in one run and 50 in 24 hours, unless the variables say otherwise.
 *
 * @throws LimnerError `over_budget` where one is no number: nothing is sent then
 */
export function limitsOf({ sessionLimit = '20', dailyLimit = '50' }: AgentEnvironment): AgentLimits {
  return {
    session: limitIn('LIMNER_AGENTS_SESSION_LIMIT', sessionLimit),
    day: limitIn('LIMNER_AGENTS_DAILY_LIMIT', dailyLimit),
  };
}

function limitIn(name: string, value: string): number {
  const limit = countIn(value);
  if (limit === undefined) {
    throw new LimnerError('over_budget', `${name} must be a number of images, not "${value}".`, notSent);
  }
  return limit;
}

function countIn(value: string): number | undefined {
  return /^\d{1,9}$/u.test(value) ? Number(value) : undefined;
}
