import { pathOfUri } from '../../common/fileUris.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { canBeFetched, lacksBytes, urlToOpen } from '../../common/taskStatus.ts';
import { firstSentence } from '../../common/text.ts';
import {
  billedAgain,
  checkAccount,
  imageAddress,
  whatHappened,
  whatIsKept,
  whatItCost,
} from '../../engine/messages/failureText.ts';
import { statusText, waitReason } from '../../engine/messages/stateText.ts';
import { isBilledAgain, type NextStep, nextStepOf } from '../../engine/operations/nextStep.ts';
import type { Task } from '../../engine/task/task.ts';

/** Formats a task's state in a few words: `in progress, 43%`. */
export function formatProgress(task: Task, now: number): string {
  const { status, retryAt, results, request, progress, held } = task;
  const wait = formatWait(task);
  if (held) {
    return wait;
  }
  if (retryAt !== undefined) {
    return `${wait}, next try in ${Math.max(0, Math.ceil((retryAt - now) / 1000))} s`;
  }
  switch (status) {
    case 'queued':
    case 'in_progress':
      return progress === undefined ? wait : `${wait}, ${progress}%`;
    case 'saving': {
      const saved = results.filter(({ state }) => state === 'saved').length;
      return request.n > 1 ? `${wait}, ${saved} of ${results.length}` : wait;
    }
    default:
      return wait;
  }
}

/** Formats what a task waits for, without what changes all the time: `in progress`. */
export function formatWait(task: Task): string {
  const { status, held, results } = task;
  const reason = held ? undefined : waitReason(task);
  const missing = results.find(({ state, error }) => state === 'remote' && error)?.error;
  return reason !== undefined && status === 'saving' && missing && !missing.lasting
    ? `${reason}: ${firstSentence(missing.message)}`
    : (reason ?? statusText(task));
}

/** Says what happened, what it may have cost, what is kept, and what to do next, in one sentence each. */
export function formatError(error: ErrorRecord, task?: Task): string {
  return [
    whatHappened(error, task),
    whatItCost(error, task),
    ...(task ? [whatIsKept(task), addressToFetch(error, task)] : []),
    adviceOn(error, task),
    isBilledAgain(error, task) && !bringsImages(error, task) ? billedAgain() : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Says where an image is that Limner didn't fetch, so that the user can; empty where its host no longer has it. */
function addressToFetch({ code }: ErrorRecord, { results: [result] }: Task): string {
  const isThere = result && canBeFetched(result) && lacksBytes(result) && code !== 'result_expired';
  return isThere && urlToOpen(result) === undefined ? imageAddress(result.url ?? '') : '';
}

/** Says what to do about a failure; empty where the failure itself says all there is. */
function adviceOn(error: ErrorRecord, task: Task | undefined): string {
  const step = nextStepOf(error, task);
  // A host that can't be allowed refuses the next try as well.
  const isInVain = error.code === 'result_refused' && error.refusedHost === undefined;
  return step === undefined || isInVain ? '' : advice[step](task?.id ?? '', error.refusedHost);
}

/** Whether the advice brings the images at no extra cost, so that nobody needs another run. */
function bringsImages(error: ErrorRecord, task: Task | undefined): boolean {
  return task !== undefined && freeSteps.has(nextStepOf(error, task));
}

const freeSteps = new Set<NextStep | undefined>(['saveAgain', 'fetchAgain', 'allowHost', 'resume']);

const advice: Record<NextStep, (id: string, host: string | undefined) => string> = {
  saveAgain: () => 'Run "limner tasks --resume", with --folder if needed, to save it at no extra cost.',
  fetchAgain: (id) => `Run "limner tasks --resume ${id}" to fetch it at no extra cost.`,
  allowHost: (_, host) =>
    `If you trust that host, add ${host} to LIMNER_RESULT_HOSTS, then run "limner tasks --resume" to fetch it at no extra cost.`,
  resume: (id) =>
    `Run "limner tasks --resume ${id}" to ask the service for it at no extra cost; the service keeps images for 6 hours.`,
  connect: () =>
    'Set LIMNER_BASE_URL to a URL that starts with https://, or run "limner service" and use its baseUrl.',
  setKey: () => 'Set LIMNER_API_KEY to the API key of this service.',
  checkAccount,
  raiseBudget: () => 'Raise LIMNER_BUDGET, or use --over-budget to send it anyway.',
  topUp: () => 'Top up your account at the service.',
  editPrompt: () => 'Change the prompt.',
  runSynchronously: () => 'Try --call-style sync.',
  // The failure says which one, and why.
  changeImage: () => '',
  checkNetwork: () => 'Check your network connection and LIMNER_BASE_URL.',
  waitAWhile: () => 'Try again later.',
};

export function savedPaths(task: Task): string[] {
  return task.results.flatMap(({ state, uri }) =>
    state === 'saved' && uri !== undefined ? [pathOf(uri)] : [],
  );
}

/** Returns the path of a file URI; others, and those that are none on this system, stay as they are. */
export function pathOf(uri: string): string {
  try {
    return pathOfUri(uri);
  } catch {
    return uri;
  }
}
