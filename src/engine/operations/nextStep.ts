import type { ErrorRecord } from '../../common/limnerError.ts';
import { isTerminal } from '../../common/taskStatus.ts';
import type { Task } from '../task/task.ts';
import { availableActions } from './availableActions.ts';

/** A remedy for a failure. Each door has a table of them: buttons, commands, or advice. */
export type NextStep =
  // They bring the images at no extra cost.
  | 'saveAgain'
  | 'fetchAgain'
  | 'allowHost'
  | 'resume'
  // They come before another run.
  | 'connect'
  | 'setKey'
  | 'checkAccount'
  | 'raiseBudget'
  | 'topUp'
  | 'editPrompt'
  | 'runSynchronously'
  | 'changeImage'
  | 'checkNetwork'
  | 'waitAWhile';

/** Returns the one step that helps most, free ones first; undefined where the failure itself says all there is. */
export function nextStepOf(error: ErrorRecord, task?: Task): NextStep | undefined {
  return (task && freeStepOf(error, task)) ?? stepOf(error, task);
}

function freeStepOf(error: ErrorRecord, task: Task): NextStep | undefined {
  if (task.status === 'needs_key') {
    return 'setKey';
  }
  if (!isTerminal(task.status)) {
    return undefined;
  }
  const actions = availableActions(task);
  if (actions.includes('saveAgain')) {
    return 'saveAgain';
  }
  if (actions.includes('fetchAgain')) {
    return error.refusedHost === undefined ? 'fetchAgain' : 'allowHost';
  }
  return actions.includes('resume') ? 'resume' : undefined;
}

function stepOf({ code, sent, lasting }: ErrorRecord, task: Task | undefined): NextStep | undefined {
  if (code === 'outcome_unknown' || task?.status === 'unknown') {
    return 'checkAccount';
  }
  switch (code) {
    case 'no_service':
      return 'connect';
    case 'no_key':
    case 'unauthorized':
      return 'setKey';
    case 'over_budget':
      return 'raiseBudget';
    case 'quota_exceeded':
      return 'topUp';
    case 'content_rejected':
      return 'editPrompt';
    case 'no_async_channel':
      return 'runSynchronously';
    case 'unsupported_image':
      return task ? undefined : 'changeImage';
    case 'queue_full':
    case 'rate_limited':
      return 'waitAWhile';
    case 'network':
    case 'timeout':
      return sent === false && !lasting ? 'checkNetwork' : undefined;
    default:
      return undefined;
  }
}

/** Whether another run is billed although this one was, or may have been. */
export function isBilledAgain({ billing }: ErrorRecord, task?: Task): boolean {
  const isPaid = billing === 'maybe' || billing === 'yes';
  const isOver = task === undefined || availableActions(task).includes('runAgain');
  return isPaid && isOver && task?.request.free !== true;
}
