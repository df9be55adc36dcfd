import * as english from '../../common/english.ts';
import { readingError } from './responseLimits.ts';
import { backoff } from '../../common/clock.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { type Answer, tokenCounts, type Usage } from '../terms/messages.ts';
import { maxKeptLength, shortened } from '../http/keyRedactor.ts';

/** Maximum number of concurrent calls for one task. */
const maxAtOnce = 4;

/** Errors that the next call would hit as well. A full disk would lose its image, too. */
const hopeless = new Set(['unauthorized', 'quota_exceeded', 'stopped', 'save_failed']);
/**
 * Errors that mean a rejected request if they come with an HTTP status. In a successful response, they concern only
 * that one sample.
 */
const hopelessByStatus = new Set(['invalid_request', 'content_rejected']);

/** Maximum total delay that a service may ask for, in milliseconds. */
const maxWait = 15 * 60_000;

/**
 * Makes one call for each image and joins the answers in the order of the calls. A failed call does not lose the
 * images of the others: `incomplete` gives the reason. While the service is busy, no new call is made; calls that it
 * certainly didn't take are repeated after the requested delay. `src/engine/run/resendPolicy.ts` decides whether to
 * send the whole again.
 *
 * @param sleep waits, and rejects when the task is stopped
 * @throws LimnerError if every call failed; at once if the service was busy before any call may have been billed, so
 *   that the caller can wait
 */
export async function gatherAnswers(
  calls: number,
  call: () => Promise<Answer>,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<Answer> {
  const answers: (Answer | undefined)[] = [];
  const errors: LimnerError[] = [];
  const open = Array.from({ length: calls }, (_, index) => index);
  const isOver = (): boolean => errors.some(isHopeless) || answers.some(isUnsaved);
  let waited = 0;
  for (let rounds = 0; ; rounds += 1) {
    const refused: { index: number; error: LimnerError }[] = [];
    let pause = 0;
    const work = async (): Promise<void> => {
      while (open.length > 0 && pause === 0 && !isOver()) {
        const index = open.shift() ?? 0;
        try {
          answers[index] = await call();
        } catch (caught) {
          const error = readingError(caught);
          if (isBusy(error)) {
            pause = Math.max(pause, error.retryAfter ?? 0, backoff(rounds));
          }
          if (error.code === 'rate_limited') {
            refused.push({ index, error });
          } else {
            errors.push(error);
          }
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(calls, maxAtOnce) }, work));
    waited += pause;
    const isUntouched = !answers.some((answer) => answer !== undefined) && errors.length === 0;
    const isMissing = open.length + refused.length > 0;
    if (isMissing && pause > 0 && !isOver() && !isUntouched && waited <= maxWait) {
      try {
        await sleep(pause);
        open.unshift(...refused.map(({ index }) => index));
        continue;
      } catch {
        // Stopped: the answers so far count.
      }
    }
    errors.push(...refused.map(({ error }) => error));
    break;
  }
  const arrived = answers.filter((answer) => answer !== undefined);
  return join(arrived, errors, calls);
}

function isBusy({ status }: LimnerError): boolean {
  return status === 429 || status === 503;
}

function isUnsaved(answer: Answer | undefined): boolean {
  return answer?.incomplete?.code === 'save_failed';
}

function isHopeless({ code, status }: LimnerError): boolean {
  return hopeless.has(code) || (status !== undefined && hopelessByStatus.has(code));
}

function join(answers: readonly Answer[], errors: readonly LimnerError[], calls: number): Answer {
  const failure = errors.find(({ billing }) => billing !== 'no') ?? errors[0];
  if (answers.length === 0 && failure !== undefined) {
    throw failure;
  }
  const remark = shortened(answers.flatMap((answer) => answer.remark ?? []).join('\n'), maxKeptLength);
  const usage = answers.map((answer) => answer.usage).reduce(sum, undefined);
  // Calls that were skipped after a permanent failure.
  const unsent = calls - answers.length - errors.length;
  const incomplete =
    partly(failure, errors.length, calls, unsent) ?? answers.find((answer) => answer.incomplete)?.incomplete;
  return {
    images: answers.flatMap(({ images }) => images),
    ...(remark !== '' && { remark }),
    ...(usage !== undefined && { usage }),
    ...(incomplete !== undefined && { incomplete }),
  };
}

function partly(
  failure: LimnerError | undefined,
  failed: number,
  calls: number,
  unsent: number,
): LimnerError | undefined {
  if (failure === undefined) {
    return undefined;
  }
  const { code, message, ...rest } = failure.toRecord();
  const counted =
    unsent === 0
      ? english.t('{0} of {1} calls returned no image.', failed, calls)
      : unsent === 1
        ? english.t('{0} of {1} calls returned no image, and 1 was not sent.', failed, calls)
        : english.t('{0} of {1} calls returned no image, and {2} were not sent.', failed, calls, unsent);
  return new LimnerError(code, `${counted} ${message}`, { ...rest, cause: failure });
}

function sum(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) {
    return one ?? other;
  }
  const total: Usage = { ...one };
  for (const name of tokenCounts) {
    const count = other[name];
    if (count !== undefined) {
      total[name] = (one[name] ?? 0) + count;
    }
  }
  return total;
}
