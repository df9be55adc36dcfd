import {
  canBeResumed,
  canSaveAgain,
  isAskedFor,
  unsupportedData,
  imageCounts,
  urlToOpen,
} from '../common/resultAvailability.ts';
import type { ErrorRecord } from '../common/limnerError.ts';
import { isTerminal } from '../common/taskStatus.ts';
import { asSentence, ellipsize, printable } from '../common/text.ts';
import type { Task, TaskRequest, TaskResult } from '../tasks/task.ts';
import { billText, refusalCost } from './billText.ts';

/** How a door names files, and what it says of how they were made. */
export interface Words {
  /** Returns the path of a file as an agent knows it. */
  nameOf(uri: string): string;
  /** Returns what should be known of how a saved image was made. */
  remarksOn(request: TaskRequest, result: TaskResult): readonly string[];
}

/** What only the call knows. */
export interface CallFacts {
  altText?: string | undefined;
  /** The task was there already. */
  isRepeated?: boolean;
  /** What else should be known, in sentences. */
  notes?: readonly string[];
  /** Paths of saved images whose files are no longer there. */
  gone?: readonly string[];
  /** The task whose image this one put on black. */
  onWhite?: Task | undefined;
  /** The call was cancelled. */
  isCancelled?: boolean;
  /** What went wrong with the call, whatever becomes of the task. */
  trouble?: ErrorRecord;
}

const mediaTypes: Readonly<Record<string, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
};

/** Returns what an agent is told of a task: its files, or what went wrong and what may be done about it. */
export function taskText(task: Task, words: Words, facts: CallFacts = {}): string {
  const { id, request, results } = task;
  const saved = results.filter(isSaved);
  const lines = [
    ...(facts.isRepeated
      ? ['This call was made already. It is the same task, and nothing was sent or billed again.']
      : []),
    ...saved.flatMap((result) => savedLines(request, result, words)),
    ...(saved.length > 0
      ? [`Alt text: ${facts.altText === undefined ? promptText(request) : printable(facts.altText)}`]
      : []),
    ...(facts.notes ?? []).map((note) => `Note: ${note}`),
    ...(facts.gone ?? []).map((path) => `Note: ${path} was saved, but is no longer there.`),
    ...problems(task, saved.length),
    ...(facts.onWhite && saved.length === 0 ? onWhiteText(facts.onWhite, task, words) : []),
    ...(facts.trouble ? [whatHappened(facts.trouble)] : []),
    billText([...(facts.onWhite ? [facts.onWhite] : []), task]),
    (facts.trouble && steps[facts.trouble.code]) ?? '',
    ...(isTerminal(task.status) ? adviceOn(task, facts.onWhite) : [waitingText(task, facts.onWhite)]),
    ...(facts.isCancelled ? [cancelledText(task)] : []),
    `Task: ${id}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** Returns what an agent is told of a call that came to no task. */
export function refusalText({
  code,
  message,
  billing,
}: ErrorRecord & Required<Pick<ErrorRecord, 'billing'>>): string {
  // Without a service, there is no message: a person gets a view that offers one.
  const words =
    message === ''
      ? 'No image service is configured.'
      : ellipsize(asSentence(printable(message)), longestMessage);
  return [words, refusalCost(billing), steps[code] ?? ''].filter((line) => line !== '').join('\n');
}

/** Returns a task in one line. */
export function taskLine(task: Task, words: Pick<Words, 'nameOf'>): string {
  const { id, request, status, progress, createdAt, results } = task;
  const files = results.filter(isSaved).map(({ uri = '' }) => words.nameOf(uri));
  const state = progress !== undefined && !isTerminal(status) ? `${status}, ${progress}%` : status;
  const next = canBeContinued(task) ? ' (resume: true continues it at no cost)' : '';
  const about = `${new Date(createdAt).toISOString()} ${request.kind} "${promptText(request)}"`;
  return `${id}: ${state}${next}, ${about}${files.length > 0 ? `, ${files.join(', ')}` : ''}`;
}

/** Whether more of a task can be had without paying again. */
export function canBeContinued(task: Task): boolean {
  return isTerminal(task.status) && (canBeResumed(task) || canSaveAgain(task));
}

function isSaved({ state, discarded }: TaskResult): boolean {
  return state === 'saved' && !discarded;
}

function savedLines(request: TaskRequest, result: TaskResult, words: Words): string[] {
  const { uri = '', mediaType = '', width, height, size, finished } = result;
  const saved = width !== undefined && height !== undefined ? sizeText(width, height) : 'of unknown size';
  const asked = request.finish?.size
    ? sizeText(request.finish.size.width, request.finish.size.height)
    : request.size?.replace('x', ' × ');
  const got = finished && 'got' in finished ? sizeText(finished.got.width, finished.got.height) : saved;
  const sizes = [
    ...(asked === undefined ? [] : [`asked for ${asked}`]),
    `the service sent ${got}`,
    `saved ${saved}`,
  ];
  const bytes = size === undefined ? '' : `, ${Math.ceil(size / 1024)} KB`;
  return [
    `Saved ${words.nameOf(uri)} (${mediaTypes[mediaType] ?? mediaType}, ${sizes.join(', ')}${bytes})`,
    ...words.remarksOn(request, result).map((remark) => `Note: ${remark}`),
    ...(result.seemsCut ? ['Note: The image appears to be cut off. It was saved as received.'] : []),
    ...(result.damage === undefined
      ? []
      : [`Note: The image appears to be damaged: ${result.damage}. It was saved as received.`]),
  ];
}

function problems({ status, error, results, request, keptResponse }: Task, saved: number): string[] {
  const missing = results.filter((result) => result.state !== 'saved' && isAskedFor(result));
  if (!isTerminal(status)) {
    return [];
  }
  return [
    ...(saved === 0 && status !== 'stopped' ? ['No image was saved.'] : []),
    ...missing.flatMap((result) =>
      result.error
        ? [`Image ${result.index + 1} of ${request.n}: ${whatHappened(result.error)}${whereabouts(result)}`]
        : [],
    ),
    ...(error && missing.length === 0 ? [whatHappened(error)] : []),
    ...(keptResponse === undefined ? [] : [`The response is kept in ${keptResponse}.`]),
    ...(!error && saved > 0 && results.length < request.n
      ? [`The service sent ${results.length} of ${request.n} images.`]
      : []),
  ];
}

/** Says where what is paid for can be found, where Limner can't save it. */
function whereabouts(result: TaskResult): string {
  const [path, url] = [unsupportedData(result), urlToOpen(result)];
  const kept = path === undefined ? '' : ` The received data is in ${path}.`;
  return url === undefined ? kept : `${kept} The image is at ${url}`;
}

/** Says what went wrong, in Limner's words and in those of the service. */
function whatHappened({ message, service }: ErrorRecord): string {
  const words = service?.message;
  const told = words === undefined || message.includes(words) ? message : `${message} ${words}`;
  return ellipsize(asSentence(printable(told)), longestMessage);
}

/** Says that the image on white was made, though the one that is made of it was not. */
function onWhiteText({ results }: Task, { held }: Task, words: Pick<Words, 'nameOf'>): string[] {
  const other = held
    ? 'The one on black, which the transparent one takes as well, was not sent.'
    : 'The one on black was not.';
  return results
    .filter(isSaved)
    .map(({ uri = '' }) => `The image on white was made, and saved as ${words.nameOf(uri)}. ${other}`);
}

/** Says what may be done about a task that ended otherwise than with all its images. */
function adviceOn(task: Task, onWhite: Task | undefined): string[] {
  const { id, status, error, results, request } = task;
  const isWhole = status === 'completed' && !error && results.filter(isAskedFor).every(isSaved);
  if (isWhole && imageCounts(task).missing === 0) {
    return [];
  }
  if (canBeContinued(task)) {
    return [
      `What to do: call limner_list_tasks with taskId "${id}" and resume true. It costs nothing; the service keeps images for 6 hours.`,
    ];
  }
  if (onWhite) {
    const bill = request.free ? '' : ', and both are billed';
    return [`What to do: ask the person. Calling the tool again makes both images anew${bill}.`];
  }
  const step = error && steps[error.code];
  const isPaid = !request.free && (error?.billing === 'maybe' || error?.billing === 'yes');
  return [
    ...(step === undefined ? [] : [step]),
    ...(isPaid ? ['Calling the tool again is billed again: ask the person first.'] : []),
  ];
}

function waitingText({ id, status, origin, held, request }: Task, onWhite: Task | undefined): string {
  if (status === 'needs_key') {
    return `The task continues at the service, but Limner has no API key for ${origin} that works. What to do: ask the person to set it. The image is then fetched at no extra cost.`;
  }
  if (!held) {
    return 'The task is still running. What to do: call limner_list_tasks with its taskId later.';
  }
  if (onWhite) {
    const bill = request.free ? '' : ', which may be billed';
    return `What to do: ask the person to send task ${id}${bill}: in the task list of VS Code, or with "limner tasks ${id} --send". Then call limner_list_tasks with its taskId. Don't call the tool again before: that makes both images anew.`;
  }
  return 'The task was not sent yet. Calling the tool again with the same arguments sends it.';
}

/** Says what it means that a call was cancelled. */
function cancelledText(task: Task): string {
  if (!isTerminal(task.status)) {
    return 'This call was cancelled, but the task goes on.';
  }
  if (task.status !== 'stopped') {
    return 'This call was cancelled after the task had ended.';
  }
  return task.error?.billing === 'no'
    ? 'This call was cancelled before anything was sent.'
    : "This call was cancelled: Limner stopped watching. The service can't cancel the task and may still finish and bill it.";
}

const setKey =
  'What to do: ask the person to set the API key, in VS Code with "Limner: Set API Key…", for the MCP server in LIMNER_API_KEY. Never ask for the key itself.';
const later = 'What to do: call the tool again in a few minutes.';

const steps: Partial<Record<ErrorRecord['code'], string>> = {
  no_key: setKey,
  unauthorized: setKey,
  no_service:
    'What to do: ask the person to connect a service, in VS Code with "Limner: Connect to a Service…" or "Limner: Use the Built-in Demo Service", for the MCP server in LIMNER_BASE_URL.',
  invalid_request: 'What to do: correct the arguments and call the tool again.',
  unsupported_image: 'What to do: use another image, or ask the person about this one.',
  no_async_channel:
    'What to do: ask the person to set "limner.callStyle" to "sync", or LIMNER_CALL_STYLE for the MCP server; the service cannot run this model asynchronously.',
  queue_full: later,
  rate_limited: later,
  network: later,
  timeout: later,
  over_budget:
    'What to do: tell the person, who alone can allow more. The budget is the setting "limner.budget", or LIMNER_BUDGET for the MCP server.',
  quota_exceeded: "What to do: tell the person that the service's quota or balance is used up.",
  content_rejected: 'What to do: change the prompt and call the tool again.',
  image_generation_failed: 'What to do: tell the person what the service said.',
  outcome_unknown:
    "What to do: tell the person to check the account at the service. Don't call the tool again before: it may be billed twice.",
  save_failed: 'What to do: choose another path, or ask the person to make room or give access.',
};

function sizeText(width: number, height: number): string {
  return `${width} × ${height}`;
}

/** The longest that is told again of a prompt, and of what went wrong, in UTF-16 units. */
const longestPrompt = 300;
const longestMessage = 1000;

function promptText({ prompt }: TaskRequest): string {
  return ellipsize(printable(prompt), longestPrompt);
}
