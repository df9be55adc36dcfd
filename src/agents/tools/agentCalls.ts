import { createHash } from 'node:crypto';
import { readUprightSize } from '../../images/formats/animation.ts';
import { openRegular } from '../../common/regularFile.ts';
import {
  type PaintCall,
  type FinishCall,
  type ListInput,
  type PaintInput,
  readCall,
  type ResumeInput,
  type ToolCall,
  type ToolName,
} from './tools.ts';
import { isSameFile } from '../../common/fileUris.ts';
import { canBeResumed, canSaveAgain, isAskedFor, isTerminal } from '../../common/taskStatus.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { asSentence } from '../../common/text.ts';
import { asOrdered, imageCount, taskOnBlack } from '../../engine/task/twoBackgrounds.ts';
import { overBudget } from '../../engine/task/budget.ts';
import { bringsImages } from '../../engine/task/claim.ts';
import type { Task, TaskRequest } from '../../engine/task/task.ts';
import type { Style } from '../../engine/operations/style.ts';
import type { AgentHost, AgentStyle, CallContext, InputCopy, PaintFiles, Plan, Reply } from './agentHost.ts';
import { Allowance } from './allowance.ts';
import { finishImage } from './finishImage.ts';
import { requireAgreement, requireSame, requireSameOrder } from './agreement.ts';
import { Followers } from './followers.ts';
import { checkName, isWithin, type WorkspaceFile, workspaceFile } from './workspacePaths.ts';
import { findMissing, replacePlaceholder } from './missingImages.ts';
import { Replacements } from './replacements.ts';
import { Replies } from './replies.ts';
import { type CallFacts, refusalCost, taskLine } from './replyText.ts';
import { describe } from './describe.ts';
import { ImageSets, type Painted } from './imageSets.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';
export * from '../clients/install.ts';
export * from '../clients/serverCommand.ts';
export * from '../clients/wholeFile.ts';
export * from './agreement.ts';
export * from './workspacePaths.ts';
export * from './replyText.ts';
export * from './tools.ts';

/**
 * Returns a digest that identifies a call, however its arguments are written. Arguments that change no image don't
 * count.
 *
 * @param uris those of its files
 * @param style with which its images are made
 */
export function digestOf(
  { tool, input }: PaintCall,
  uris: readonly string[],
  style?: Pick<Style, 'hash'>,
): string {
  const {
    altText: _,
    picture: __,
    path: ___,
    images: ____,
    mask: _____,
    style: ______,
    size,
    fit = 'crop',
    ...rest
  } = input;
  const given = {
    n: 1,
    overwrite: false,
    transparent: false,
    ...rest,
    ...(style && { style: style.hash }),
    uris,
    hasMask: input.mask !== undefined,
    ...(size !== undefined ? { size, fit } : fit === 'off' && { fit }),
  };
  const sorted = Object.entries(given).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted]))
    .digest('hex');
}

/** Carries out the calls of agents. A call never throws: its reply reports errors. */
export class AgentCalls {
  readonly #host: AgentHost;
  readonly #allowance: Allowance;
  readonly #now: () => number;
  readonly #files: WorkspaceFiles;
  readonly #followers: Followers;
  readonly #replacements: Replacements;
  readonly #replies: Replies;
  readonly #sets: ImageSets;
  /** Replacements that go on after their calls were answered, by the tasks of these calls. */
  readonly #later = new Map<string, Promise<void>>();

  constructor(host: AgentHost, now = () => Date.now()) {
    this.#host = host;
    this.#files = new WorkspaceFiles(host);
    this.#allowance = new Allowance(() => host.limits());
    this.#followers = new Followers(host);
    this.#replacements = new Replacements(host);
    this.#replies = new Replies(host);
    this.#sets = new ImageSets(this.#replies, {
      urisOf: async (call) => this.#files.urisOf(call),
      plan: async (call) => this.#planOf(call),
      requireRoom: async (requests) => this.#requireRoom(requests),
      paint: async (call, context, batch) => this.#paint(call, context, batch),
    });
    this.#now = now;
  }

  async run(tool: ToolName, input: unknown, context: CallContext): Promise<Reply> {
    try {
      const call = readCall(tool, input);
      switch (call.tool) {
        case 'limner_list_tasks':
          return await this.#list(call.input);
        case 'limner_resume_task':
          return await this.#resume(call.input, context);
        case 'limner_describe':
          return plain(await describe(this.#host, this.#allowance, this.#now()));
        case 'limner_find_missing_images':
          return plain(await findMissing(this.#host, this.#files, call.input));
        case 'limner_replace_placeholder':
          return plain(await replacePlaceholder(this.#host, this.#files, call.input));
        case 'limner_finish_image':
          return await this.#finish(call, context);
        case 'limner_generate_set':
          return await this.#sets.run(call, context);
        default:
          return (await this.#paint(call, context)).reply;
      }
    } catch (error) {
      return this.#replies.ofRefusal(error);
    }
  }

  /** Returns what a call would do, without doing any of it. @throws LimnerError when the call would be refused */
  async plan(tool: ToolName, input: unknown): Promise<Plan | undefined> {
    const call = readCall(tool, input);
    if (call.tool === 'limner_generate_set') {
      return this.#sets.plan(call);
    }
    if (!makesFile(call)) {
      return undefined;
    }
    const plan = await this.#planOf(call);
    if (plan.request) {
      await this.#requireRoom([plan.request]);
    }
    return plan;
  }

  /** Returns what a call would do; its request is there if it would be sent. @throws LimnerError as `plan` */
  async #planOf(call: PaintCall | FinishCall): Promise<Plan> {
    const [target, uris] = await Promise.all([this.#files.place(call.input.path), this.#files.urisOf(call)]);
    const plan = { call, path: target.path, uris };
    if (call.tool === 'limner_finish_image') {
      return { ...plan, images: 0, replaces: await this.#files.replaces(target, call.input.overwrite) };
    }
    const style = await this.#files.style(call, target);
    const before = await this.#before(call, digestOf(call, uris, style), target);
    if (before && !before.held) {
      return { ...plan, images: 0, replaces: false };
    }
    const replaces = before
      ? before.request.agent?.replaces === true
      : await this.#replaces(target, { ...call.input, model: call.input.model ?? style?.model });
    const request = before?.request ?? (await this.#preview(call, target, style));
    return { ...plan, images: imageCount(request), request, replaces };
  }

  /** Returns the task that stands for a call, or that made the file which would keep the call from being sent. */
  async #before({ input }: PaintCall, call: string, target: WorkspaceFile): Promise<Task | undefined> {
    const { store } = await this.#host.engine();
    const standing = store.standing({ call }, this.#now());
    return standing || input.overwrite || !(await this.#files.isThere(target))
      ? standing
      : store
          .alike({ call })
          .find(({ results }) =>
            results.some(
              ({ state, uri }) => state === 'saved' && uri !== undefined && this.#isAt(uri, target),
            ),
          );
  }

  async #preview(call: PaintCall, target: WorkspaceFile, style?: AgentStyle): Promise<TaskRequest> {
    const given = await this.#worded(call.input);
    const copies = await this.#files.copy(readBy(given));
    try {
      const input = await sized(given, copies, style);
      const request = await this.#host.preview(input, { target, ...sorted(input, copies), style });
      return { ...(input === given ? request : await this.#withoutGuess(request)), startedBy: 'agent' };
    } finally {
      await this.#files.remove(copies);
    }
  }

  /** Asks for a quality in the model's own words, as far as its entry has them. */
  async #worded(input: PaintInput): Promise<PaintInput> {
    const { models, usual } = await this.#host.offer();
    const { qualities = {} } = models.find(({ id }) => id === (input.model ?? usual)) ?? {};
    const quality = new Map(Object.entries(qualities)).get(input.quality?.toLowerCase() ?? '');
    return quality === undefined ? input : { ...input, quality };
  }

  /** Leaves out the size of the first image, unless the model is known to make it. The file gets it anyway. */
  async #withoutGuess(request: TaskRequest): Promise<TaskRequest> {
    const { models } = await this.#host.offer();
    const { size = '', ...plain } = request;
    return models.find(({ id }) => id === request.model)?.sizes?.includes(size) ? request : plain;
  }

  /** @throws LimnerError when the limits of agents or the budget leave no room for requests */
  async #requireRoom(requests: readonly TaskRequest[]): Promise<void> {
    const { store, runner } = await this.#host.engine();
    const images = requests.reduce((sum, request) => sum + imageCount(request), 0);
    this.#allowance.requireRoomFor(store, images, this.#now());
    const excess = runner.excessOf(requests);
    if (excess) {
      throw overBudget(excess);
    }
  }

  /** @param batch of the set that the image belongs to */
  async #paint(call: PaintCall, context: CallContext, batch?: TaskRequest['batch']): Promise<Painted> {
    const { input } = call;
    const [target, uris] = await Promise.all([this.#files.place(input.path), this.#files.urisOf(call)]);
    requireSame(uris, context);
    const style = await this.#files.style(call, target);
    const digest = digestOf(call, uris, style);
    const { store, runner } = await this.#host.engine();
    const at = this.#now();
    const before = await this.#before(call, digest, target);
    const { task, notes: first } = before
      ? { task: before, notes: [] }
      : await this.#start(call, { target, style }, digest, context, batch);
    const isRepeated = !before?.held && task.createdAt < at;
    const facts = {
      altText: input.altText,
      isRepeated,
      notes: first,
      picture: input.picture,
      isOfSet: batch !== undefined,
    };
    try {
      if (before?.held) {
        if (!context.plan) {
          await this.#requireRoom([before.request]);
        }
        requireAgreement(context);
        requireSameOrder(before.request, context);
        await this.#allowance.spend(store, imageCount(before.request), at, async (check) =>
          runner.sendNow(before.id, { check }),
        );
      } else if (before) {
        await this.#continue(before);
      }
      const { task: ended, onWhite } = await this.#followers.follow(task.id, context);
      // The user agreed to replace a file in the call that began, not hours later.
      const isLate = before?.request.agent?.replaces && isTerminal(before.status);
      const inPlace = isLate
        ? await this.#notInPlace(before, ended.id)
        : await this.#putInPlace(task, ended, target, context.signal, input.overwrite);
      const notes = [...first, ...inPlace];
      const reply = await this.#reply(ended, { ...facts, notes, onWhite }, context);
      return { reply, tasks: [...(onWhite ? [onWhite] : []), store.get(ended.id) ?? ended] };
    } catch (error) {
      const reply = await this.#replies.ofTrouble(error, task, target.path, facts);
      return { reply, tasks: [store.get(task.id) ?? task] };
    }
  }

  /** Whether a call replaces a file. @throws LimnerError `invalid_request` when its arguments do not allow that */
  async #replaces(
    target: WorkspaceFile,
    { model, n = 1, overwrite = false }: Pick<PaintInput, 'n' | 'overwrite'> & { model: string | undefined },
  ): Promise<boolean> {
    const models = this.#host.models();
    if (model !== undefined && models.length > 0 && !models.includes(model)) {
      throw refused(
        `The user did not list the model "${model}". Leave model out, use one of ${models.join(', ')}, or ask the user to add it to the setting "limner.models".`,
      );
    }
    if (overwrite && n > 1) {
      throw refused('Only a single image can replace a file: use n 1, or another path.');
    }
    const replaces = await this.#files.replaces(target, overwrite);
    if (!replaces) {
      checkName(target);
    }
    return replaces;
  }

  /** Sends the request of a call. @throws LimnerError when that is not possible or not allowed */
  async #start(
    call: PaintCall,
    { target, style }: Pick<PaintFiles, 'target' | 'style'>,
    digest: string,
    context: CallContext,
    batch?: TaskRequest['batch'],
  ): Promise<{ task: Task; notes: readonly string[] }> {
    // A file that appeared since the user was asked is not replaced.
    const { model = style?.model, n, overwrite } = call.input;
    const replaces = (await this.#replaces(target, { model, n, overwrite })) && context.plan?.replaces;
    if (!context.plan) {
      // If the call is impossible, this throws the reason, which is better than a missing consent.
      await this.#requireRoom([await this.#preview(call, target, style)]);
    }
    requireAgreement(context);
    const given = await this.#worded(call.input);
    const copies = await this.#files.copy(readBy(call.input));
    const input = await sized(given, copies, style);
    const { request, notes } = await this.#host.build(input, { target, ...sorted(input, copies), style });
    const order = input === given ? request : await this.#withoutGuess(request);
    requireSameOrder(order, context);
    const { store, runner } = await this.#host.engine();
    const byAgent = {
      ...order,
      ...(batch && { batch }),
      startedBy: 'agent' as const,
      agent: { call: digest, ...(replaces && { replaces }) },
    };
    const task = await this.#allowance.spend(store, imageCount(request), this.#now(), async (check) => {
      if (context.signal.aborted) {
        throw new LimnerError('stopped', 'The call was canceled.', notSent);
      }
      return runner.start(byAgent, { check });
    });
    return { task, notes };
  }

  /**
   * Moves the image of a call over the file that it replaces, now or once it is there.
   *
   * @returns notes about that
   */
  async #putInPlace(
    first: Task,
    last: Task,
    target: WorkspaceFile,
    { aborted }: AbortSignal,
    overwrites = false,
  ): Promise<string[]> {
    const replaces = first.request.agent?.replaces === true;
    if (replaces && !isTerminal(last.status)) {
      // A user who cancels a call may want to keep the file.
      if (!aborted) {
        this.#later.set(first.id, this.#putInPlaceLater(last.id, target));
      }
      return [];
    }
    if (replaces) {
      const reason = await this.#replacements.put(last.id, target);
      return reason === undefined ? [] : [`${target.path} was not replaced: ${asSentence(reason)}`];
    }
    const saved = last.results.find(({ index, state }) => index === 0 && state === 'saved');
    if (saved?.uri === undefined || this.#isAt(saved.uri, target)) {
      return [];
    }
    return overwrites && (await this.#files.isThere(target))
      ? [notReplaced(target)]
      : [`It isn't at ${target.path}: use the path above.`];
  }

  /** Waits for the image of a call that was answered early, and puts it in its place. */
  async #putInPlaceLater(id: string, target: WorkspaceFile): Promise<void> {
    const { signal } = new AbortController();
    await this.#followers
      .follow(id, { signal })
      .then(async ({ task }) => this.#replacements.put(task.id, target))
      .catch(() => undefined);
  }

  /** Returns the reply about a task, and notes when its outcome is delivered. */
  async #reply(task: Task, facts: CallFacts, { signal, isLeft }: CallContext): Promise<Reply> {
    const { store, runner } = await this.#host.engine();
    const latest = store.get(task.id) ?? task;
    const reply = await this.#replies.ofTask(latest, { ...facts, isCanceled: signal.aborted });
    const at = this.#now();
    if (!signal.aborted && !isLeft?.() && isTerminal(latest.status) && !bringsImages(latest, at)) {
      for (const id of new Set([facts.onWhite?.id ?? latest.id, latest.id])) {
        await runner.recordFile(id, { type: 'delivered', at }).catch(() => undefined);
      }
    }
    return reply;
  }

  async #list({ taskId, limit = 10 }: ListInput): Promise<Reply> {
    if (taskId !== undefined) {
      return this.#replies.ofTask(await this.#taskHere(taskId), {});
    }
    const { store } = await this.#host.engine();
    const roots = await this.#host.roots();
    const tasks = store.listWithin(
      { isWithin: (folder) => isWithin(folder, roots), ids: new Set() },
      { limit },
    );
    const lines = tasks.map((task) => taskLine(task, this.#host));
    const text = lines.length === 0 ? 'There are no image tasks in this workspace.' : lines.join('\n');
    return plain(text);
  }

  /** @throws LimnerError `invalid_request` when the workspace has no such task */
  async #taskHere(taskId: string): Promise<Task> {
    const { store } = await this.#host.engine();
    const roots = await this.#host.roots();
    const task = store.get(taskId);
    if (!task || !isWithin(task.request.target.folder, roots)) {
      throw refused(`There is no task "${taskId}" in this workspace.`);
    }
    return task;
  }

  async #resume({ taskId, picture }: ResumeInput, context: CallContext): Promise<Reply> {
    const task = await this.#taskHere(taskId);
    await this.#continue(task);
    const { task: last, onWhite } = await this.#followers.follow(taskId, context);
    if (isTerminal(last.status)) {
      await this.#later.get(taskId);
    }
    const notes = await this.#notInPlace(task, last.id);
    return this.#reply(last, { notes, onWhite, picture }, context);
  }

  /** Says that the image of a call did not replace its file, because the task continued without the call. */
  async #notInPlace({ request }: Task, id: string): Promise<string[]> {
    const { store } = await this.#host.engine();
    const uri = store.get(id)?.results.find(({ state }) => state === 'saved')?.uri;
    if (!request.agent?.replaces || uri === undefined) {
      return [];
    }
    const { folder, fileName } = asOrdered(request).target;
    const target = workspaceFile(`${folder}/${encodeURIComponent(fileName)}`, await this.#host.roots());
    const image = this.#host.nameOf(uri);
    return !this.#isAt(uri, target) && (await this.#files.isThere(target))
      ? [
          `${target.path} was not replaced: the call that was to do so is over. limner_finish_image does it at no cost, with image "${image}", path "${target.path}", and overwrite true.`,
        ]
      : [];
  }

  /** Goes on with an ended task, or the one on black after it, if its images can come at no cost. */
  async #continue(first: Task): Promise<void> {
    const { store, runner } = await this.#host.engine();
    const task = store.get(taskOnBlack(first) ?? '') ?? first;
    if (!isTerminal(task.status) || !bringsImages(task, this.#now())) {
      return;
    }
    const goOn =
      canBeResumed(task) && !canSaveAgain(task)
        ? runner.resume(task.id)
        : runner.saveAgain(task.id, undefined, isAskedFor);
    // Another call may have been faster.
    await goOn.catch(() => undefined);
  }

  #isAt(uri: string, { uri: wanted, path }: WorkspaceFile): boolean {
    return isSameFile(uri, wanted) || isSamePath(this.#host.nameOf(uri), path);
  }

  async #finish(call: FinishCall, context: CallContext): Promise<Reply> {
    const { input } = call;
    requireSame(await this.#files.urisOf(call), context);
    const target = await this.#files.place(input.path);
    const isThere = await this.#files.replaces(target, input.overwrite);
    if (!isThere) {
      checkName(target);
    }
    const replaces = isThere && context.plan?.replaces === true;
    const { bytes } = await this.#files.read(input.image);
    const { codecs, keptFiles } = await this.#host.engine();
    const made = await finishImage(this.#host, await codecs(), { input, bytes, target, replaces, keptFiles });
    const { uri, notes } = made;
    const path = this.#host.nameOf(uri);
    const beside = isThere && !replaces ? [`Note: ${notReplaced(target)}`] : [];
    return {
      text: [`Saved ${path} (${notes[0]})`, ...notes.slice(1), ...beside, refusalCost('no')].join('\n'),
      isError: false,
      pictures: input.picture === false ? [] : await this.#replies.pictures([uri]),
    };
  }
}

function plain(text: string): Reply {
  return { text, isError: false, pictures: [] };
}

function makesFile(call: ToolCall): call is PaintCall | FinishCall {
  return 'path' in call.input;
}

/** Returns the paths of the files that a call sends, the mask last. */
function readBy({ images = [], mask }: PaintInput): string[] {
  return mask === undefined ? images : [...images, mask];
}

/** Between these sides, in pixels, an edit keeps the size of its image. */
const [smallestKept, largestKept] = [16, 4096];

/** Gives an edit the size of its first image, unless it or its style asks for another one. */
async function sized(
  input: PaintInput,
  [first]: readonly InputCopy[],
  style: Style | undefined,
): Promise<PaintInput> {
  if (
    !first ||
    style?.size !== undefined ||
    input.size !== undefined ||
    input.fit === 'off' ||
    input.mask !== undefined
  ) {
    return input;
  }
  await using file = await openRegular(first.path);
  const size = await readUprightSize(file);
  const sides = size ? [size.width, size.height] : [0];
  const isUsual = sides.every((side) => side >= smallestKept && side <= largestKept);
  return size && isUsual ? { ...input, size: `${size.width}x${size.height}` } : input;
}

function sorted(
  { images = [] }: PaintInput,
  copies: readonly InputCopy[],
): Pick<PaintFiles, 'images' | 'mask'> {
  return { images: copies.slice(0, images.length), mask: copies[images.length] };
}

/** Whether two paths are the same after Unicode normalization. */
function isSamePath(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC');
}

function notReplaced({ path }: WorkspaceFile): string {
  return `${path} was not replaced: it was not there when the user could agree to that.`;
}

function refused(message: string): LimnerError {
  return new LimnerError('invalid_request', message, notSent);
}
