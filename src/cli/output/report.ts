import * as l10n from '@vscode/l10n';
import { canBeFinished, isAskedFor } from '../../common/taskStatus.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { sentencesText } from '../../common/text.ts';
import { isFulfilled } from '../../engine/operations/modelRules.ts';
import type { Task, TaskRequest, TaskResult } from '../../engine/task/task.ts';
import { damageText } from '../../engine/messages/finishText.ts';
import { savedRemarks } from './finishRemarks.ts';
import { exitCodes, type Output } from './output.ts';
import { numberText } from './localFormats.ts';
import { ofImage } from '../../engine/messages/failureText.ts';
import { told } from '../../engine/messages/told.ts';
import { formatError, savedPaths } from './taskFormat.ts';
import { taskJson } from './taskJson.ts';
import { jsonLine, printable } from './terminalText.ts';

/**
 * Prints the outcome of a task: saved paths or JSON as results, everything else for a user.
 *
 * @param label precedes each line for a user, where several tasks are reported
 * @param isElsewhere whether another process works on the task
 * @returns the exit code
 */
export function report(task: Task, output: Output, label = '', isElsewhere = false): number {
  for (const line of output.json ? [jsonLine(taskJson(task))] : savedPaths(task)) {
    output.result(line);
  }
  for (const line of remarks(task, isElsewhere)) {
    output.say(label + printable(line));
  }
  return exitCodeOf(task);
}

/**
 * Returns what a user should know about a task, beside the files that it saved.
 *
 * @param isElsewhere whether another process works on it
 */
export function remarks(task: Task, isElsewhere?: boolean): string[] {
  const { id, status, error, remoteId, results, request } = task;
  switch (status) {
    case 'completed':
      return [
        ...unsaved(task),
        ...damaged(task),
        ...making(task),
        ...(error ? [cutOff(task, error)] : []),
        ...(!error && results.length < request.n
          ? [
              l10n.t(
                'The service returned {0} of {1} images and bills those.',
                numberText(results.length),
                numberText(request.n),
              ),
            ]
          : []),
      ];
    case 'failed':
    case 'expired':
      return results.some(({ error: reason }) => reason)
        ? unsaved(task)
        : error
          ? [formatError(error, task), ...traces(task)]
          : [];
    case 'unknown':
      return error ? [formatError(error, task), ...traces(task)] : [];
    case 'needs_key':
      return [
        sentencesText([
          told(error?.message ?? '') || l10n.t('No API key is set for {0}.', task.origin),
          l10n.t(
            'The task continues at the service. It may still be billed. Set {0} and {1} to the values for {2}, then run "{3}" within 6 hours.',
            'LIMNER_BASE_URL',
            'LIMNER_API_KEY',
            task.origin,
            'limner tasks --resume',
          ),
        ]),
      ];
    case 'waiting':
      return [
        l10n.t(
          'Not sent yet: "{0}". Run "{1}" to send it, or "{2}" to give it up. Not billed.',
          request.prompt,
          `limner tasks --send ${id}`,
          `limner tasks --stop ${id}`,
        ),
      ];
    case 'saving':
      return [
        l10n.t(
          'Stopped before every image was saved. Billed. Run "{0}" to save them at no extra cost.',
          'limner tasks --resume',
        ),
      ];
    case 'stopped':
      return [stopped(task)];
    case 'submitting':
    case 'queued':
    case 'in_progress':
      if (isElsewhere) {
        return [
          remoteId === undefined
            ? l10n.t("Another process is waiting for the service's response.")
            : l10n.t('Another process continues to watch this task.'),
        ];
      }
      // The stop could not be written; the next process finds out.
      return [
        l10n.t(
          'Stopped. The service may still finish this call. It may still be billed. Run "{0}" to see the outcome.',
          'limner tasks --resume',
        ),
      ];
  }
}

/** Says why a response is incomplete, and what that cost. */
function cutOff({ results, request }: Task, { message, billing }: ErrorRecord): string {
  if (results.length >= request.n) {
    const all =
      request.n === 1
        ? l10n.t('The requested image was received.')
        : l10n.t('All {0} requested images were received.', numberText(request.n));
    return sentencesText([message, all]);
  }
  return sentencesText([
    l10n.t('Received {0} of {1} images.', numberText(results.length), numberText(request.n)),
    message,
    billing === 'no' ? l10n.t('The others were not billed.') : l10n.t('The others may have been billed.'),
  ]);
}

/** Says what the service calls a task without an image. */
function traces({ remoteId }: Task): string[] {
  return remoteId === undefined ? [] : [l10n.t('The service calls the task {0}.', remoteId)];
}

function stopped(task: Task): string {
  return formatError({ code: 'stopped', message: '', billing: 'maybe', ...task.error }, task);
}

function unsaved(task: Task): string[] {
  const { id, results, request } = task;
  const surplus = results.filter((result) => !isAskedFor(result));
  const lines = results
    .filter((result) => result.state !== 'saved' && isAskedFor(result))
    .map((result) =>
      labeled(result, request, formatError({ ...notSaved, ...result.error }, ofImage(task, result))),
    );
  return surplus.length === 0
    ? lines
    : [
        ...lines,
        l10n.t(
          'The service lists {0} images, {1} more than Limner fetches for {2}. Run "{3}" to fetch those, too.',
          numberText(results.length),
          numberText(surplus.length),
          numberText(request.n),
          `limner tasks --resume ${id}`,
        ),
      ];
}

function damaged({ results, request }: Task): string[] {
  return results.flatMap((result) => {
    const text = damageText(result);
    return text === undefined ? [] : [labeled(result, request, text)];
  });
}

/** Says how the saved files differ from what came and from what was asked for. */
function making(task: Task): string[] {
  const { results, request } = task;
  return results
    .filter(({ state }) => state === 'saved')
    .flatMap((result) => savedRemarks(request, result).map((remark) => labeled(result, request, remark)))
    .concat(
      results.some((result) => canBeFinished(task, result))
        ? [
            l10n.t(
              'Run "{0}" to try again to finish it at no extra cost.',
              `limner tasks --resume ${task.id}`,
            ),
          ]
        : [],
    );
}

/** Returns a text with the number of its image, where a task has several. */
function labeled({ index }: TaskResult, { n }: TaskRequest, text: string): string {
  return n > 1 ? l10n.t('Image {0} of {1}: {2}', numberText(index + 1), numberText(n), text) : text;
}

/** Describes an image that arrived, and was not saved when its task ended. */
const notSaved: ErrorRecord = { code: 'save_failed', message: '', phase: 'save', billing: 'yes' };

function exitCodeOf(task: Task): number {
  if (task.status === 'unknown') {
    return exitCodes.unknown;
  }
  return isFulfilled(task) ? exitCodes.ok : exitCodes.failed;
}
