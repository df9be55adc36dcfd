import { canBeFinished, isAskedFor } from '../../common/taskStatus.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { isFulfilled } from '../../engine/operations/modelRules.ts';
import type { Task, TaskRequest, TaskResult } from '../../engine/task/task.ts';
import { damageText } from '../../engine/messages/finishText.ts';
import { savedRemarks } from './finishRemarks.ts';
import { exitCodes, type Output } from './output.ts';
import { ofImage } from '../../engine/messages/failureText.ts';
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
          ? [`The service returned ${results.length} of ${request.n} images and bills those.`]
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
        `${error?.message ?? `No API key is set for ${task.origin}.`} The task continues at the service. It may still be billed. Set LIMNER_BASE_URL and LIMNER_API_KEY to the values for ${task.origin}, then run "limner tasks --resume" within 6 hours.`,
      ];
    case 'waiting':
      return [
        `Not sent yet: "${request.prompt}". Run "limner tasks --send ${id}" to send it, or "limner tasks --stop ${id}" to give it up. Not billed.`,
      ];
    case 'saving':
      return [
        'Stopped before every image was saved. Billed. Run "limner tasks --resume" to save them at no extra cost.',
      ];
    case 'stopped':
      return [stopped(task)];
    case 'submitting':
    case 'queued':
    case 'in_progress':
      if (isElsewhere) {
        return [
          remoteId === undefined
            ? "Another process is waiting for the service's response."
            : 'Another process continues to watch this task.',
        ];
      }
      // The stop could not be written; the next process finds out.
      return [
        'Stopped. The service may still finish this call. It may still be billed. Run "limner tasks --resume" to see the outcome.',
      ];
  }
}

/** Says why a response is incomplete, and what that cost. */
function cutOff({ results, request }: Task, { message, billing }: ErrorRecord): string {
  if (results.length >= request.n) {
    return `${message} ${request.n === 1 ? 'The requested image was' : `All ${request.n} requested images were`} received.`;
  }
  const cost = billing === 'no' ? 'The others were not billed.' : 'The others may have been billed.';
  return `Received ${results.length} of ${request.n} images. ${message} ${cost}`;
}

/** Says what the service calls a task without an image. */
function traces({ remoteId }: Task): string[] {
  return remoteId === undefined ? [] : [`The service calls the task ${remoteId}.`];
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
        `The service lists ${results.length} images, ${surplus.length} more than Limner fetches for ${request.n}. Run "limner tasks --resume ${id}" to fetch those, too.`,
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
        ? [`Run "limner tasks --resume ${task.id}" to try again to finish it at no extra cost.`]
        : [],
    );
}

/** Returns a text with the number of its image, where a task has several. */
function labeled({ index }: TaskResult, { n }: TaskRequest, text: string): string {
  return n > 1 ? `Image ${index + 1} of ${n}: ${text}` : text;
}

/** Describes an image that arrived, and was not saved when its task ended. */
const notSaved: ErrorRecord = { code: 'save_failed', message: '', phase: 'save', billing: 'yes' };

function exitCodeOf(task: Task): number {
  if (task.status === 'unknown') {
    return exitCodes.unknown;
  }
  return isFulfilled(task) ? exitCodes.ok : exitCodes.failed;
}
