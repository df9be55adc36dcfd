import { readFile } from 'node:fs/promises';
import * as english from '../../common/english.ts';
import { promptAsSent } from '../operations/style.ts';
import { chooseKey, twoBackgroundSentences } from '../../images/finish/keyColor.ts';
import { type TaskRequest, inputsNeededLater, type TaskInput, type Task } from '../task/task.ts';
import { type RunContext, type Run, keepResponse, warnOfRefusal } from './run.ts';
import { hashInput } from '../files/inputHash.ts';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { readMaskFile } from '../files/repairMaskFile.ts';
import { asLimnerError, LimnerError, notSent } from '../../common/limnerError.ts';
import type { ImageRequest, InputFile, OpenImageSink, Submission } from '../../service/terms/messages.ts';
import type { Disposable } from '../../common/clock.ts';
import { resultsFromAnswer, type StagingSink } from '../files/stagingStore.ts';
import { isOutcomeUnknown, maxPutOff } from './resendPolicy.ts';

/** Returns a request with exactly the instruction that its finishing needs. */
export async function withInstruction(
  given: TaskRequest,
  { fileColors, log }: Pick<RunContext, 'fileColors' | 'log'>,
): Promise<TaskRequest> {
  const { instruction: _, ...request } = given;
  const { finish, onBlack, images: [input] = [] } = request;
  if (onBlack) {
    return { ...request, instruction: twoBackgroundSentences.white };
  }
  if (finish?.cutout?.by === 'grounds') {
    return { ...request, instruction: twoBackgroundSentences.black };
  }
  if (finish?.cutout?.by !== 'key') {
    return request;
  }
  const colors = await (input &&
    readFile(input.path)
      .then(fileColors)
      .catch((error: unknown) => log.debug(`The colors of ${input.name} are not known: ${String(error)}`)));
  return { ...request, instruction: chooseKey(colors ?? promptAsSent(request)).sentence };
}

/** Copies the inputs that are needed once the images arrive, so that they stay as sent. */
export async function copyInputs(run: Run, request: TaskRequest): Promise<void> {
  for (const input of inputsNeededLater(request)) {
    const path = await sentFrom(run, input);
    await (path !== undefined && run.context.staging.copyInput(run.id, { ...input, path }));
  }
}

/**
 * Returns the path of an input's bytes: the copy, the file itself while it is unchanged, or else Limner's copy of what
 * was replaced or deleted.
 */
export async function sentFrom({ id, context }: Run, input: TaskInput): Promise<string | undefined> {
  const { staging, keptFiles } = context;
  const copy = staging.inputCopyPath(id, input);
  const isCopied = (await hashInput(copy).catch(() => undefined)) === input.sha256;
  return isCopied ? copy : keptFiles.whereabouts(input);
}

const pieceLength = 512 * 1024;

/** How long an asynchronous submission may continue after it was stopped, in milliseconds, to receive its ID. */
const stopGrace = 2000;

/**
 * Sends a waiting task once: waits until it is due and there is room, records that it is sent, and then the outcome.
 * Only a request that was surely not accepted waits again (docs/service.md, "Sending again").
 */
export async function submitRequest(run: Run, task: Task): Promise<void> {
  const { clock, requests, keys, connect, store } = run.context;
  const wait = Math.min((task.retryAt ?? 0) - clock.now(), maxPutOff.busy);
  if (wait > 0) {
    await run.pause(wait);
  }
  run.resends.tries(clock.now());
  const release = await requests.acquire(run.ended);
  try {
    const waiting = run.task();
    if (waiting?.status !== 'waiting') {
      return;
    }
    const { origin, request } = waiting;
    const call = new Call(run);
    try {
      const key = await keys.get(origin);
      if (key === undefined) {
        throw new LimnerError('no_key', english.t('No API key is set for {0}.', origin), notSent);
      }
      const service = connect(request.baseUrl, key);
      const toSend = await opened(run, request);
      await turn();
      // From here on, the row says that it may have been sent.
      if (await run.record({ type: 'submit', keyFingerprint: store.fingerprint(key) })) {
        await call.accept(await service.submit(toSend, request.callStyle, call));
      }
    } catch (error) {
      await call.failed(asLimnerError(error), run.task() ?? waiting, clock.now());
    } finally {
      call.dispose();
    }
  } finally {
    release();
  }
}

/**
 * Lets the event loop run once, between writing the task and the first request, which loads and compiles much code. The
 * first immediate may come before waiting timers and input; the second one can't.
 */
async function turn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/**
 * Returns the request to send: the whole prompt and the files of an edit, with exactly the bytes that the user chose.
 */
async function opened(run: Run, request: TaskRequest): Promise<ImageRequest> {
  const { images: own = [], mask, instruction, style, ...others } = request;
  const images = [...own, ...(style?.images ?? [])];
  const prompt = [promptAsSent(request), ...(instruction === undefined ? [] : [instruction])].join('\n\n');
  if (images.length === 0) {
    return { ...others, prompt };
  }
  await copyInputs(run, request);
  return {
    ...others,
    prompt,
    images: await Promise.all(images.map(async (image) => openInput(run, image))),
    ...(mask && { mask: await openMask(run, mask) }),
  };
}

async function openInput(run: Run, input: TaskInput): Promise<InputFile> {
  const { name, size, mediaType } = input;
  const path = await sentFrom(run, input);
  if (path === undefined) {
    throw changedSince(name);
  }
  return { name, size, mediaType, open: () => createReadStream(path, { highWaterMark: pieceLength }) };
}

/** Opens a mask with its checksums repaired. The hash of its bytes on disk proves that it is the chosen one. */
async function openMask(run: Run, mask: TaskInput): Promise<InputFile> {
  const { name, mediaType } = mask;
  const path = await sentFrom(run, mask);
  const bytes = path === undefined ? undefined : await readMaskFile(path).catch(() => undefined);
  if (!bytes) {
    throw changedSince(name);
  }
  return { name, size: bytes.length, mediaType, open: () => Readable.from([bytes]) };
}

function changedSince(name: string): LimnerError {
  const message = english.t('The file {0} was changed or removed after it was chosen.', name);
  return new LimnerError('invalid_request', message, notSent);
}

/** The one call of a task: its sinks, its signal, and the record of its outcome. */
class Call {
  readonly signal: AbortSignal;
  readonly #run: Run;
  readonly #abort = new AbortController();
  readonly #sinks = new Map<number, StagingSink>();
  readonly #subscription: Disposable;
  #stopping: Disposable | undefined;
  #keptResponse: string | undefined;

  constructor(run: Run) {
    this.#run = run;
    this.signal = this.#abort.signal;
    run.beginCall();
    run.ended.addEventListener('abort', this.#breakOff, { once: true });
    this.#subscription = run.onDidChange((task) => this.#onChanged(task));
  }

  dispose(): void {
    this.#run.ended.removeEventListener('abort', this.#breakOff);
    this.#subscription.dispose();
    this.#stopping?.dispose();
    this.#run.finishCall();
  }

  /** Opens a sink that records its complete image in the row before the next sink closes. */
  readonly openSink: OpenImageSink = (index) => {
    const { staging, clock } = this.#run.context;
    const sink = staging.sink(this.#run.id, index, this.#run.fence);
    this.#sinks.set(index, sink);
    let started: Promise<unknown> | undefined;
    return {
      write: async (chunk) => {
        started ??= this.#run.recordAnswer({ type: 'answering', at: clock.now() });
        await started;
        await sink.write(chunk);
      },
      toText: () => sink.toText(),
      close: async () => {
        await sink.close();
        // A text stays on disk in case the image has an address, too.
        if (sink.file && !sink.file.isText) {
          const result = { index, state: 'staged' as const, ...sink.file };
          await this.#run.recordAnswer({ type: 'arrived', result });
        }
      },
      discard: () => sink.discard(),
    };
  };

  readonly keepBody = async (bytes: Buffer): Promise<void> => {
    this.#keptResponse = await keepResponse(this.#run, bytes);
  };

  async accept(submission: Submission): Promise<void> {
    const at = this.#run.context.clock.now();
    if (submission.kind === 'accepted') {
      const { id, path, status, progress, retryAfter = 0 } = submission.task;
      await this.#run.recordAnswer({
        type: 'accepted',
        at,
        remoteId: id,
        ...(path !== undefined && { remotePath: path }),
        remote: { status, ...(progress !== undefined && { progress }) },
      });
      this.#run.justSent = { retryAfter };
      const { images = [], incomplete } = submission.task;
      if (images.length > 0 && !incomplete) {
        const results = resultsFromAnswer(images, (sink) => this.#sinks.get(sink)?.file);
        await this.#run.record({ type: 'finished', at, results });
      }
      return;
    }
    const { answer } = submission;
    await this.#run.recordAnswer({
      type: 'answered',
      at,
      results: resultsFromAnswer(answer.images, (sink) => this.#sinks.get(sink)?.file),
      ...(answer.remark !== undefined && { remark: answer.remark }),
      ...(answer.usage && { usage: answer.usage }),
      ...(answer.incomplete && { incomplete: answer.incomplete.toRecord() }),
    });
  }

  async failed(error: LimnerError, task: Task, at: number): Promise<void> {
    const record = { ...error.toRecord(), phase: 'submit' as const };
    if (task.results.some(({ state }) => state === 'staged')) {
      await this.#run.recordAnswer({ type: 'answered', at, results: [], incomplete: record });
      return;
    }
    if (error.code === 'unauthorized') {
      warnOfRefusal(this.#run, error);
    }
    const pause = this.#run.resends.pauseAfter(error, task.request, at);
    if (pause !== undefined) {
      await this.#run.record({ type: 'busy', at, retryAt: at + pause, error: record });
      return;
    }
    await this.#run.record({
      type: isOutcomeUnknown(error) ? 'lost' : 'failed',
      at,
      error: record,
      ...(this.#keptResponse !== undefined && { keptResponse: this.#keptResponse }),
    });
  }

  /** Ends the call when the user stops or removes the task, or accepts the images that have come. */
  #onChanged(task: Task | undefined): void {
    if (task && task.status !== 'stopped' && task.status !== 'saving') {
      return;
    }
    if (task?.request.callStyle === 'async') {
      // The ID may be on its way; with it, the task can be resumed.
      this.#stopping ??= this.#run.context.clock.setTimeout(this.#breakOff, stopGrace);
    } else {
      this.#breakOff();
    }
  }

  readonly #breakOff = (): void => {
    this.#abort.abort(new LimnerError('stopped', english.t('The task was stopped.')));
  };
}
