import {
  canBeResumed,
  canSaveAgain,
  hasImage,
  imageCounts,
  isAskedFor,
  isTerminal,
} from '../../common/taskStatus.ts';
import type { ErrorRecord } from '../../common/limnerError.ts';
import { ellipsize, printable, sizeText } from '../../common/text.ts';
import { type Cost, imagesUnit, isMore } from '../../service/terms/price.ts';
import { amountText } from '../../engine/task/budget.ts';
import { addUp, type BilledImages, billedImages, costFacts, spendingOf } from '../../engine/task/spending.ts';
import { ofImage, whatHappened, whatIsKept } from '../../engine/messages/failureText.ts';
import { damageText, imageNotes } from '../../engine/messages/finishText.ts';
import { isBilledAgain, type NextStep, nextStepOf } from '../../engine/operations/nextStep.ts';
import type { Task, TaskRequest, TaskResult } from '../../engine/task/task.ts';

export interface FileNamer {
  nameOf(uri: string): string;
}

/** Facts that the task does not hold. */
export interface CallFacts {
  altText?: string | undefined;
  /** False leaves out the previews. */
  picture?: boolean | undefined;
  /** The task existed already. */
  isRepeated?: boolean;
  /** It is one of the images of a set, whose reply tells what all have in common. */
  isOfSet?: boolean;
  /** Further notes, in sentences. */
  notes?: readonly string[];
  /** Paths of saved images whose files no longer exist. */
  gone?: readonly string[];
  /** For an image on black, the task of the image on white. */
  onWhite?: Task | undefined;
  isCanceled?: boolean;
  /** The error of the call, whatever happens to the task. */
  trouble?: ErrorRecord;
}

const mediaTypes: Readonly<Record<string, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/webp': 'WebP',
};

/** Describes a task to an agent: its files, or what went wrong and what to do. */
export function taskText(task: Task, namer: FileNamer, facts: CallFacts = {}): string {
  const { id, request, results } = task;
  const saved = results.filter(isSaved);
  const lines = [
    ...(facts.isRepeated && !facts.isOfSet
      ? ['This call was made already. It is the same task, and nothing was sent or billed again.']
      : []),
    ...saved.flatMap((result) => savedLines(request, result, namer)),
    ...(saved.length > 0 && facts.altText !== undefined ? [`Alt text: ${printable(facts.altText)}`] : []),
    ...(facts.notes ?? []).map((note) => `Note: ${note}`),
    ...(facts.gone ?? []).map((path) => `Note: ${path} was saved, but is no longer there.`),
    ...problems(task, saved.length),
    ...(facts.onWhite && saved.length === 0 ? onWhiteText(facts.onWhite, task, namer) : []),
    ...(facts.trouble ? [toldOf(facts.trouble)] : []),
    facts.isOfSet ? '' : billText([...(facts.onWhite ? [facts.onWhite] : []), task]),
    facts.trouble ? adviceOnError(facts.trouble) : '',
    ...(isTerminal(task.status) ? adviceOn(task, facts.onWhite) : [waitingText(task, facts.onWhite)]),
    ...(facts.isCanceled ? [canceledText(task)] : []),
    // It stands for both.
    facts.isOfSet && isWhole(task)
      ? ''
      : `Task: ${isTerminal(task.status) || task.held ? id : (facts.onWhite?.id ?? id)}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

export function refusalText(error: ErrorRecord & Required<Pick<ErrorRecord, 'billing'>>): string {
  return [toldOf(error), refusalCost(error.billing), adviceOnError(error)]
    .filter((line) => line !== '')
    .join('\n');
}

export function taskLine(task: Task, namer: Pick<FileNamer, 'nameOf'>): string {
  const { id, request, status, progress, createdAt, results } = task;
  const files = results.filter(isSaved).map(({ uri = '' }) => namer.nameOf(uri));
  const state = progress !== undefined && !isTerminal(status) ? `${status}, ${progress}%` : status;
  const next = canBeContinued(task) ? ' (limner_resume_task continues it at no cost)' : '';
  const about = `${new Date(createdAt).toISOString()} ${request.kind} "${promptText(request)}"`;
  return `${id}: ${state}${next}, ${about}${files.length > 0 ? `, ${files.join(', ')}` : ''}`;
}

/** Whether more images of a task are available without paying again. */
export function canBeContinued(task: Task): boolean {
  return isTerminal(task.status) && (canBeResumed(task) || canSaveAgain(task));
}

function isSaved({ state, discarded }: TaskResult): boolean {
  return state === 'saved' && !discarded;
}

function savedLines(request: TaskRequest, result: TaskResult, namer: FileNamer): string[] {
  const { uri = '', mediaType = '', width, height, size, finished } = result;
  const saved = width !== undefined && height !== undefined ? sizeText({ width, height }) : 'of unknown size';
  const asked = request.finish?.size ? sizeText(request.finish.size) : request.size?.replace('x', ' × ');
  const got = finished && 'got' in finished ? sizeText(finished.got) : saved;
  const sizes = [
    ...(asked === undefined ? [] : [`asked for ${asked}`]),
    `the service sent ${got}`,
    `saved ${saved}`,
  ];
  const bytes = size === undefined ? '' : `, ${Math.ceil(size / 1024)} KB`;
  return [
    `Saved ${namer.nameOf(uri)} (${mediaTypes[mediaType] ?? mediaType}, ${sizes.join(', ')}${bytes})`,
    ...[...imageNotes(result), damageText(result)].flatMap((note) =>
      note === undefined ? [] : [`Note: ${note}`],
    ),
  ];
}

function problems(task: Task, saved: number): string[] {
  const { status, error, results, request } = task;
  const missing = results.filter((result) => result.state !== 'saved' && isAskedFor(result));
  if (!isTerminal(status)) {
    return error && status !== 'needs_key' ? [toldOf(error, task)] : [];
  }
  return [
    ...(saved === 0 && status !== 'stopped' ? ['No image was saved.'] : []),
    ...missing.flatMap((result) =>
      result.error
        ? [`Image ${result.index + 1} of ${request.n}: ${toldOf(result.error, ofImage(task, result))}`]
        : [],
    ),
    ...(error && missing.length === 0 ? [toldOf(error, task)] : []),
    ...(task.keptResponse !== undefined && missing.every((result) => !result.error) && !error
      ? [keptOf(task)]
      : []),
    ...(!error && saved > 0 && results.length < request.n
      ? [`The service sent ${results.length} of ${request.n} images.`]
      : []),
  ];
}

function toldOf(error: ErrorRecord, task?: Task): string {
  const happened = ellipsize(printable(whatHappened(error, task)), longestMessage);
  return task ? `${happened} ${keptOf(task)}`.trim() : happened;
}

/** As `whatIsKept`, but for images that Limner has yet to save: an agent could move their data. */
function keptOf(task: Task): string {
  const isStaged = task.results.some((result) => result.state !== 'saved' && hasImage(result));
  return isStaged ? '' : whatIsKept(task);
}

/** Says that the image on white exists, although the image made from it does not. */
function onWhiteText({ results }: Task, { held }: Task, namer: Pick<FileNamer, 'nameOf'>): string[] {
  const other = held
    ? 'The image on black, which the transparent image also needs, was not sent.'
    : 'The image on black was not.';
  return results
    .filter(isSaved)
    .map(({ uri = '' }) => `The image on white was saved as ${namer.nameOf(uri)}. ${other}`);
}

/** Says what to do about a task that did not end with all its images. */
function adviceOn(task: Task, onWhite: Task | undefined): string[] {
  const { error, request } = task;
  if (isWhole(task)) {
    return [];
  }
  if (canBeContinued(task)) {
    return [resume];
  }
  if (onWhite) {
    const bill = request.free ? '' : ', and both are billed';
    return [`What to do: ask the user. Calling the tool again makes both images anew${bill}.`];
  }
  return error
    ? [
        adviceOnError(error, task),
        ...(isBilledAgain(error, task)
          ? ['Calling the tool again is billed again: ask the user first.']
          : []),
      ]
    : [];
}

/** Whether a task saved every image that it was to make. */
function isWhole(task: Task): boolean {
  const { status, error, results } = task;
  const isComplete = status === 'completed' && !error && results.filter(isAskedFor).every(isSaved);
  return isComplete && imageCounts(task).missing === 0;
}

function waitingText({ id, status, origin, held, request }: Task, onWhite: Task | undefined): string {
  if (status === 'needs_key') {
    return `The task continues at the service, but Limner has no API key for ${origin} that works. What to do: ask the user to set it. The image is then fetched at no extra cost.`;
  }
  if (!held) {
    const state = status === 'waiting' ? 'was not sent yet, and Limner sends it' : 'is still running';
    return `The task ${state}. What to do: call limner_resume_task with this taskId, which waits for it at no cost.`;
  }
  if (onWhite) {
    const bill = request.free ? '' : ', which may be billed';
    return `What to do: ask the user to send task ${id}${bill}: in the task list of VS Code, or with "limner tasks ${id} --send". Then call limner_resume_task with its taskId. Don't call the tool again before that: it makes both images anew.`;
  }
  return 'The task was not sent yet. Calling the tool again with the same arguments sends it.';
}

function canceledText(task: Task): string {
  if (!isTerminal(task.status)) {
    return 'This call was canceled, but the task continues.';
  }
  return task.status === 'stopped' && task.error?.billing === 'no'
    ? 'This call was canceled before anything was sent.'
    : 'This call was canceled after the task had ended.';
}

/** Says what the agent can do about a failure; empty if the failure says it already. */
function adviceOnError(error: ErrorRecord, task?: Task): string {
  const step = nextStepOf(error, task);
  if (step !== undefined) {
    return advice[step];
  }
  switch (error.code) {
    case 'invalid_request':
      return 'What to do: correct the arguments and call the tool again.';
    case 'save_failed':
      return 'What to do: choose another path, or ask the user to make room or give access.';
    case 'image_generation_failed':
      return 'What to do: tell the user what the service said.';
    default:
      return '';
  }
}

const resume =
  'What to do: call limner_resume_task with this taskId. It costs nothing; the service keeps images for 6 hours.';

const advice: Record<NextStep, string> = {
  saveAgain: resume,
  fetchAgain: resume,
  allowHost: resume,
  resume,
  connect:
    'What to do: ask the user to connect a service, in VS Code with "Limner: Connect to a Service…" or "Limner: Use the Built-in Demo Service", for the MCP server in LIMNER_BASE_URL.',
  setKey:
    'What to do: ask the user to set the API key, in VS Code with "Limner: Set API Key…", for the MCP server in LIMNER_API_KEY. Never ask for the key itself.',
  checkAccount:
    "What to do: tell the user to check the account at the service. Don't call the tool again before that: it may be billed twice.",
  raiseBudget:
    'What to do: tell the user. Only the user can allow more, in the settings of Limner, or in the LIMNER_ variables of the MCP server.',
  topUp: "What to do: tell the user that the service's quota or balance is used up.",
  editPrompt: 'What to do: change the prompt and call the tool again.',
  runSynchronously:
    'What to do: ask the user to set "limner.callStyle" to "sync", or LIMNER_CALL_STYLE for the MCP server; the service cannot run this model asynchronously.',
  changeImage: 'What to do: use another image, or ask the user about this one.',
  checkNetwork: 'What to do: call the tool again in a few minutes.',
  waitAWhile: 'What to do: call the tool again in a few minutes.',
};

/** Most that is repeated of a prompt and of an error, in UTF-16 units. */
const longestPrompt = 300;
const longestMessage = 1000;

function promptText({ prompt }: TaskRequest): string {
  return ellipsize(printable(prompt), longestPrompt);
}

const outcomes: Record<NonNullable<ErrorRecord['billing']>, string> = {
  no: 'nothing was billed.',
  refunded: 'refunded.',
  maybe: 'it may have been billed.',
  yes: 'it was billed.',
};

/** Says what the tasks of one call cost together, as far as that is known. The call reports on the last of them. */
export function billText(tasks: readonly Task[]): string {
  const task = tasks.at(-1);
  if (!task || task.request.free) {
    return 'Cost: none. The built-in demo service is free.';
  }
  const money = [...addUp(tasks.map((one) => spendingOf({ facts: costFacts(one), tasks: 1 }))).values()]
    .filter(({ unit, atMost }) => unit !== imagesUnit && atMost > 0)
    .map(moneyOf);
  const images = `Cost: ${imagesText(task, tasks)}${tokensText(task)}`;
  return money.length > 0 ? `${images} That is ${money.join(' and ')}.` : images;
}

export function refusalCost(billing: NonNullable<ErrorRecord['billing']>): string {
  return billing === 'no' ? 'Cost: none. Nothing was sent.' : `Cost: ${outcomes[billing]}`;
}

function imagesText(last: Task, tasks: readonly Task[]): string {
  const bills = tasks.map((task) => billedImages(costFacts(task)));
  const { billed, mostBilled } = bills.reduce(addImages, { billed: 0, mostBilled: 0 });
  const more = mostBilled - billed;
  if (mostBilled === 0) {
    return last.held ? 'none so far. The task was not sent.' : outcomes[last.error?.billing ?? 'no'];
  }
  const mayStillBe = !isTerminal(last.status) || last.status === 'stopped';
  const may = mayStillBe ? 'may bill' : 'may have billed';
  if (billed === 0) {
    return `the service ${may} ${counted(more)}.`;
  }
  return `the service bills ${counted(billed)}${more > 0 ? `, and ${may} ${counted(more)} more` : ''}.`;
}

function addImages(one: BilledImages, other: BilledImages): BilledImages {
  return { billed: one.billed + other.billed, mostBilled: one.mostBilled + other.mostBilled };
}

function tokensText({ usage = {} }: Task): string {
  const tokens = Object.entries(usage).map(([name, value]) => `${name} ${value}`);
  return tokens.length > 0 ? ` Tokens: ${tokens.join(', ')}.` : '';
}

function moneyOf({ about, atMost, unit }: Cost): string {
  const most = `up to ${amountText(atMost, unit)}`;
  if (about === 0) {
    return most;
  }
  const text = `about ${amountText(about, unit)}`;
  return isMore(atMost, about) ? `${text}, ${most}` : text;
}

function counted(images: number): string {
  return images === 1 ? '1 image' : `${images} images`;
}
