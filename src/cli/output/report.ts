import { canBeFinished, canBeResumed, isAskedFor } from '../../common/resultAvailability.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { isFulfilled } from '../../tasks/requests/isFulfilled.ts';
import type { Task, TaskRequest, TaskResult } from '../../tasks/task.ts';
import { savedRemarks } from './finishRemarks.ts';
import { exitCodes, type Output } from './output.ts';
import { formatError, pathOf, savedPaths } from './taskFormat.ts';
import { taskJson } from './taskJson.ts';
import { jsonLine, printable } from './terminalText.ts';

/**
 * Prints the outcome of a task: saved paths or JSON as results, everything else for a person.
 *
 * @param label precedes each line for a person, where several tasks are reported
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
 * Returns what a person should know about a task, beside the files that it saved.
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
          ? [failure(error, task), ...traces(task)]
          : [];
    case 'unknown':
      return error ? [formatError({ ...error, code: 'outcome_unknown' }), ...traces(task)] : [];
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
        remoteId === undefined
          ? 'Stopped. The service may still finish this call. It may still be billed. Run "limner tasks --resume" to see the outcome.'
          : stopped(task),
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

function failure(error: ErrorRecord, task: Task): string {
  const start = error.code === 'save_failed' ? "Couldn't save the image. " : '';
  return start + formatError(error, canBeResumed(task) ? asking(task) : undefined);
}

/** Says what is left of a task without an image: the service's name for it, and its response. */
function traces({ remoteId, keptResponse }: Task): string[] {
  return [
    ...(remoteId === undefined ? [] : [`The service calls the task ${remoteId}.`]),
    ...(keptResponse === undefined ? [] : [`The response is kept in ${keptResponse}.`]),
  ];
}

function stopped({ remoteId, error }: Task): string {
  const cause = error === undefined || error.code === 'stopped' ? 'Stopped watching.' : error.message;
  if (remoteId !== undefined) {
    return `${cause} The service may still finish the task. It may still be billed. Run "limner tasks --resume" within 6 hours to fetch the result.`;
  }
  return error?.billing === 'no'
    ? 'Stopped before it was sent. Not billed.'
    : 'Stopped. The service may still finish this call, but its response can no longer be fetched. It may still be billed.';
}

/** Says how to query a service again that may have the image. */
function asking({ id }: Task): string {
  return `Run "limner tasks --resume ${id}" to ask the service for it at no extra cost; the service keeps images for 6 hours.`;
}

function unsaved(task: Task): string[] {
  const { id, results, request } = task;
  const surplus = results.filter((result) => !isAskedFor(result));
  const lines = results
    .filter((result) => result.state !== 'saved' && isAskedFor(result))
    .map((result) => {
      const name = nameOf(result, request);
      const reason = result.error ? ` ${result.error.message}` : '';
      return `${name} wasn't saved.${reason} ${wayOut(result, task)}`;
    });
  return surplus.length === 0
    ? lines
    : [
        ...lines,
        `The service lists ${results.length} images, ${surplus.length} more than Limner fetches for ${request.n}. Run "limner tasks --resume ${id}" to fetch those, too.`,
      ];
}

function damaged({ results, request }: Task): string[] {
  return results.flatMap((result) => {
    const { state, seemsCut, damage } = result;
    const said = seemsCut ? 'truncated' : damage === undefined ? undefined : `damaged: ${damage}`;
    return state === 'saved' && said !== undefined
      ? [`${nameOf(result, request)} appears to be ${said}. It was saved as received.`]
      : [];
  });
}

/** Says how the saved files differ from what came and from what was asked for. */
function making(task: Task): string[] {
  const { results, request } = task;
  return results
    .filter(({ state }) => state === 'saved')
    .flatMap((result) =>
      savedRemarks(request, result).map((remark) => `${nameOf(result, request)}: ${remark}`),
    )
    .concat(
      results.some((result) => canBeFinished(task, result))
        ? [`Run "limner tasks --resume ${task.id}" to try again to finish it at no extra cost.`]
        : [],
    );
}

function nameOf({ index }: TaskResult, { n }: TaskRequest): string {
  return n > 1 ? `Image ${index + 1} of ${n}` : 'The image';
}

/** Says how a billed image can still be fetched. */
function wayOut({ error, stagedPath, url }: TaskResult, task: Task): string {
  if (stagedPath !== undefined) {
    const path = pathOf(stagedPath);
    if (error?.code === 'unsupported_image') {
      const kept = `Billed; the received data is in ${path}`;
      if (url !== undefined) {
        return `${kept}. Run "limner tasks --resume ${task.id}" to fetch it again at no extra cost.`;
      }
      return canBeResumed(task) ? `${kept}. ${asking(task)}` : `${kept}.`;
    }
    return `Billed; its data is in ${path}. Run "limner tasks --resume", with --folder if needed, to save it at no extra cost.`;
  }
  if (url === undefined) {
    return canBeResumed(task) ? `Billed. ${asking(task)}` : 'Billed. It can no longer be fetched.';
  }
  if (error?.code === 'result_expired') {
    return `Billed. Run "limner tasks --resume ${task.id}" to ask for it once more at no extra cost.`;
  }
  if (error?.refusedHost !== undefined) {
    return `Billed. It can be fetched from ${url} for 6 hours. If you trust that host, add ${error.refusedHost} to LIMNER_RESULT_HOSTS, then run "limner tasks --resume" to fetch it at no extra cost.`;
  }
  return error?.code === 'result_refused'
    ? `Billed. It can be fetched from ${url} for 6 hours, but not by Limner.`
    : `Billed. It can be fetched from ${url} for 6 hours. Run "limner tasks --resume ${task.id}" to try that at no extra cost.`;
}

function exitCodeOf(task: Task): number {
  if (task.status === 'unknown') {
    return exitCodes.unknown;
  }
  return isFulfilled(task) ? exitCodes.ok : exitCodes.failed;
}
