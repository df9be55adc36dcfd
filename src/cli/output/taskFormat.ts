import * as l10n from '@vscode/l10n';
import { pathOfUri } from '../../common/fileUris.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { canBeFetched, lacksBytes, urlToOpen } from '../../common/taskStatus.ts';
import { sentencesText } from '../../common/text.ts';
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
import { firstTold } from '../../engine/messages/told.ts';
import { numberText, percentText } from './localFormats.ts';

/** Formats a task's state in a few words: `in progress, 43%`. */
export function formatProgress(task: Task, now: number): string {
  const { status, retryAt, results, request, progress, held } = task;
  const wait = formatWait(task);
  if (held) {
    return wait;
  }
  if (retryAt !== undefined) {
    const seconds = Math.max(0, Math.ceil((retryAt - now) / 1000));
    return l10n.t('{0}, next try in {1} s', wait, numberText(seconds));
  }
  switch (status) {
    case 'queued':
    case 'in_progress':
      return progress === undefined ? wait : l10n.t('{0}, {1}', wait, percentText(progress));
    case 'saving': {
      const saved = results.filter(({ state }) => state === 'saved').length;
      return request.n > 1
        ? l10n.t('{0}, {1} of {2}', wait, numberText(saved), numberText(results.length))
        : wait;
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
    ? l10n.t('{0}: {1}', reason, firstTold(missing.message))
    : (reason ?? statusText(task));
}

/** Says what happened, what it may have cost, what is kept, and what to do next, in one sentence each. */
export function formatError(error: ErrorRecord, task?: Task): string {
  const sentences = [
    whatHappened(error, task),
    whatItCost(error, task),
    ...(task ? [whatIsKept(task), addressToFetch(error, task)] : []),
    adviceOn(error, task),
    isBilledAgain(error, task) && !bringsImages(error, task) ? billedAgain() : '',
  ];
  return sentencesText(sentences.filter((sentence) => sentence !== ''));
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
  saveAgain: () =>
    l10n.t(
      'Run "{0}", with {1} if needed, to save it at no extra cost.',
      'limner tasks --resume',
      '--folder',
    ),
  fetchAgain: (id) => l10n.t('Run "{0}" to fetch it at no extra cost.', `limner tasks --resume ${id}`),
  allowHost: (_, host = '') =>
    l10n.t(
      'If you trust that host, add {0} to {1}, then run "{2}" to fetch it at no extra cost.',
      host,
      'LIMNER_RESULT_HOSTS',
      'limner tasks --resume',
    ),
  resume: (id) =>
    l10n.t(
      'Run "{0}" to ask the service for it at no extra cost; the service keeps images for 6 hours.',
      `limner tasks --resume ${id}`,
    ),
  connect: () =>
    l10n.t(
      'Set {0} to a URL that starts with https://, or run "{1}" and use its {2}.',
      'LIMNER_BASE_URL',
      'limner service',
      'baseUrl',
    ),
  setKey: () => l10n.t('Set {0} to the API key of this service.', 'LIMNER_API_KEY'),
  checkAccount,
  raiseBudget: () => l10n.t('Raise {0}, or use {1} to send it anyway.', 'LIMNER_BUDGET', '--over-budget'),
  topUp: () => l10n.t('Top up your account at the service.'),
  editPrompt: () => l10n.t('Change the prompt.'),
  runSynchronously: () => l10n.t('Try {0}.', '--call-style sync'),
  // The failure says which one, and why.
  changeImage: () => '',
  checkNetwork: () => l10n.t('Check your network connection and {0}.', 'LIMNER_BASE_URL'),
  waitAWhile: () => l10n.t('Try again later.'),
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
