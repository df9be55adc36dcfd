import { canBeResumed, isAskedFor } from '../../common/resultAvailability.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import type { Task, TaskRequest, TaskResult } from '../../tasks/task.ts';
import { exitCodes, type Output } from './output.ts';
import { formatError, pathOf, savedPaths, taskJson } from './taskFormat.ts';
import { jsonLine, printable } from './terminalText.ts';

/**
 * Prints what a task came to: saved paths or JSON as results, everything else for a person.
 *
 * @param label stands before each line for a person, where several tasks are reported
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
 * What a person should know about a task, beside the files that it saved.
 *
 * @param isElsewhere whether another process works on it
 */
export function remarks(task: Task, isElsewhere = false): string[] {
  const { id, status, error, remoteId, results, request } = task;
  switch (status) {
    case 'completed':
      return [
        ...unsaved(task),
        ...seemingCut(task),
        ...(error ? [cutOff(task, error)] : []),
        ...(!error && results.length < request.n
          ? [`The service returned ${results.length} of ${request.n} images; it bills those.`]
          : []),
      ];
    case 'failed':
    case 'expired':
      return results.some(({ error: reason }) => reason)
        ? unsaved(task)
        : error
          ? [failure(error, task)]
          : [];
    case 'unknown':
      return error ? [formatError({ ...error, code: 'outcome_unknown' })] : [];
    case 'needs_key':
      return [
        `${error?.message ?? `There is no API key for ${task.origin}.`} The task goes on at the service and may be billed. Set LIMNER_BASE_URL and LIMNER_API_KEY as they were for ${task.origin} and run "limner tasks --resume" within 6 hours.`,
      ];
    case 'waiting':
      return [
        `Not sent yet: "${request.prompt}". "limner tasks --send ${id}" sends it, "limner tasks --stop ${id}" gives it up. Nothing was billed.`,
      ];
    case 'saving':
      return [
        'Stopped before every image was saved. They are paid for: "limner tasks --resume" saves them without paying again.',
      ];
    case 'stopped':
      return [stopped(task)];
    case 'submitting':
    case 'queued':
    case 'in_progress':
      if (isElsewhere) {
        return [
          remoteId === undefined
            ? 'Another process waits for the answer of the service.'
            : 'Another process goes on watching this task.',
        ];
      }
      // It could not be written down that it is stopped; the next process finds out.
      return [
        remoteId === undefined
          ? 'Stopped. The service may finish this call and bill it; "limner tasks --resume" says what became of it.'
          : stopped(task),
      ];
  }
}

/** Why an answer is not whole, and what that cost. */
function cutOff({ results, request }: Task, { message, billing }: ErrorRecord): string {
  if (results.length >= request.n) {
    return `${message} Every image came all the same.`;
  }
  const cost = billing === 'no' ? 'Nothing was billed for the others.' : 'The others may have been billed.';
  return `${results.length} of ${request.n} images came. ${message} ${cost}`;
}

function failure(error: ErrorRecord, task: Task): string {
  const start = error.code === 'save_failed' ? 'The image is not saved. ' : '';
  return start + formatError(error, canBeResumed(task) ? asking(task) : undefined);
}

function stopped({ remoteId, error }: Task): string {
  const cause = error === undefined || error.code === 'stopped' ? 'Stopped watching.' : error.message;
  if (remoteId !== undefined) {
    return `${cause} The service goes on and may bill it; "limner tasks --resume" fetches the result within 6 hours.`;
  }
  return error?.billing === 'no'
    ? 'Stopped before it was sent. Nothing was billed.'
    : 'Stopped. The service may finish this call and bill it; its answer cannot be fetched any more.';
}

/** How to ask a service again that may have the image. */
function asking({ id }: Task): string {
  return `"limner tasks --resume ${id}" asks the service for it without paying again; it keeps images for 6 hours.`;
}

function unsaved(task: Task): string[] {
  const { id, results, request } = task;
  const surplus = results.filter((result) => !isAskedFor(result));
  const lines = results
    .filter((result) => result.state !== 'saved' && isAskedFor(result))
    .map((result) => {
      const name = nameOf(result, request);
      const reason = result.error ? ` ${result.error.message}` : '';
      return `${name} is not saved.${reason} ${wayOut(result, task)}`;
    });
  return surplus.length === 0
    ? lines
    : [
        ...lines,
        `The service lists ${results.length} images, ${surplus.length} more than are fetched for ${request.n}. "limner tasks --resume ${id}" fetches those, too.`,
      ];
}

function seemingCut({ results, request }: Task): string[] {
  return results
    .filter(({ state, seemsCut }) => state === 'saved' && seemsCut)
    .map((result) => `${nameOf(result, request)} seems cut off; it is saved as it came.`);
}

function nameOf({ index }: TaskResult, { n }: TaskRequest): string {
  return n > 1 ? `Image ${index + 1} of ${n}` : 'The image';
}

/** How a paid image can still be had. */
function wayOut({ error, incoming, url }: TaskResult, task: Task): string {
  if (incoming !== undefined) {
    const path = incoming.startsWith('file:') ? pathOf(incoming) : incoming;
    if (error?.code === 'unsupported_image') {
      const kept = `It was billed; what came is in ${path}`;
      if (url !== undefined) {
        return `${kept}, and "limner tasks --resume ${task.id}" fetches it again without paying again.`;
      }
      return canBeResumed(task) ? `${kept}. ${asking(task)}` : `${kept}.`;
    }
    return `It was billed; its bytes are in ${path}, and "limner tasks --resume", perhaps with --folder, saves them without paying again.`;
  }
  if (url === undefined) {
    return canBeResumed(task)
      ? `It was billed. ${asking(task)}`
      : 'It was billed and cannot be fetched any more.';
  }
  if (error?.code === 'result_expired') {
    return `It was billed; "limner tasks --resume ${task.id}" asks for it once more, without paying again.`;
  }
  if (error?.refusedHost !== undefined) {
    return `It was billed; for 6 hours it can be fetched from ${url}. If you trust that host, put ${error.refusedHost} into LIMNER_RESULT_HOSTS: then "limner tasks --resume" fetches it without paying again.`;
  }
  return error?.code === 'result_refused'
    ? `It was billed; for 6 hours it can be fetched from ${url}, though not by Limner.`
    : `It was billed; for 6 hours it can be fetched from ${url}, and "limner tasks --resume ${task.id}" tries that without paying again.`;
}

function exitCodeOf({ status, results, error }: Task): number {
  switch (status) {
    case 'completed':
      return !error && results.filter(isAskedFor).every(({ state }) => state === 'saved')
        ? exitCodes.ok
        : exitCodes.failed;
    case 'unknown':
      return exitCodes.unknown;
    default:
      return exitCodes.failed;
  }
}
