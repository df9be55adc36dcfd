// Room: what the commands of `limner` do.
// Never: `vscode`, undici, the parsing of arguments.

import { access, constants, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { type CallStyleSetting, isNative } from '../../common/callStyle.ts';
import type { SaveTarget, TaskInput, TaskRequest } from '../../tasks/task.ts';
import type { Output } from '../output/output.ts';
import { openCliEngine } from '../setup/cliEngine.ts';
import type { Environment } from '../setup/environment.ts';
import { priceOf } from '../setup/money.ts';
import { requireService } from '../setup/requireService.ts';
import { Interruption } from './interruption.ts';
import { watch } from './watch.ts';
import { fileTrouble, isSystemError } from '../../common/fileErrors.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { readDimensions } from '../../images/formats/dimensions.ts';
import { type Finish, finishProblem } from '../../images/formats/finish.ts';
import { finishIfAsked, type FinishWishes, withQuality } from '../../images/formats/finishWishes.ts';
import { askedFormat, foreignExtension } from '../../tasks/files/fileNames.ts';
import { onTwoGrounds } from '../../tasks/files/onTwoGrounds.ts';
import { amountText } from '../../tasks/spending/budget.ts';
import { costAhead } from '../../tasks/spending/spending.ts';
import { maxImages } from '../../tasks/store/taskRow.ts';
import { makeFolder } from '../../common/folders.ts';
import { describeInput } from '../../tasks/files/taskInput.ts';

/** Options of `limner generate` and `limner edit`, as commander parsed them. */
export interface PaintOptions extends Omit<FinishWishes, 'cutout' | 'encoding' | 'size'> {
  model?: string;
  size?: string;
  fileQuality?: number;
  embedPrompt?: true;
  transparent?: true;
  twoGrounds?: true;
  quality?: string;
  n: number;
  callStyle: CallStyleSetting;
  image?: string[];
  mask?: string;
  folder: string;
  name: string;
  overBudget?: true;
  json?: true;
  verbose?: true;
}

/**
 * `limner generate` and `limner edit`: starts one task, waits for it and prints the saved paths.
 *
 * @returns the exit code
 * @throws LimnerError when nothing was sent, for a reason that the person can correct
 */
export async function paint(
  prompt: string,
  options: PaintOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const words = prompt === '-' ? await text(process.stdin) : prompt;
  const request = await readRequest(words, options, environment);
  if (request.family === 'native' && (request.size !== undefined || request.quality !== undefined)) {
    output.say(
      `--size and --quality have no effect in native calls and aren't sent.${request.finish?.size ? ' The images are fitted to the size.' : ''}`,
    );
  }
  if (request.price) {
    output.say(`This costs about ${amountText(costAhead(request)?.about ?? 0, request.price.currency)}.`);
  }
  const engine = await openCliEngine(() => environment, output);
  const interruption = new Interruption(output);
  try {
    const { id } = await engine.runner.start(request, { isBeyondBudget: options.overBudget });
    return await watch([id], { engine, output, interruption });
  } finally {
    await engine.dispose();
    interruption.dispose();
  }
}

/**
 * Returns the request of a command line, with everything checked that can be checked before it costs anything.
 *
 * @param findTarget makes a folder ready, and returns where it is
 * @throws LimnerError `no_service`, `no_key`, `invalid_request`, `unsupported_image`
 */
export async function readRequest(
  prompt: string,
  options: PaintOptions,
  environment: Environment,
  findTarget = makeTarget,
): Promise<TaskRequest> {
  const baseUrl = requireService(environment);
  const words = prompt.trim();
  if (words === '') {
    throw invalid('The prompt is empty.');
  }
  const model = options.model ?? environment.model;
  if (model === undefined) {
    throw invalid('No model is set. Use --model or LIMNER_MODEL.');
  }
  const callStyle = options.callStyle === 'auto' ? 'async' : options.callStyle;
  const { size, quality, n } = options;
  if (n > maxImages) {
    throw invalid(`--n takes at most ${maxImages}.`);
  }
  if (options.twoGrounds && n > 1) {
    throw invalid('--two-grounds makes one image at a time.');
  }
  const finish = finishFor(options);
  const price = priceOf(
    { model, ...(size !== undefined && { size }), ...(quality !== undefined && { quality }) },
    environment,
  );
  const request: TaskRequest = {
    kind: options.image ? 'edit' : 'generate',
    prompt: words,
    model,
    family: isNative(callStyle) ? 'native' : 'image',
    callStyle,
    ...(size !== undefined && { size }),
    ...(quality !== undefined && { quality }),
    n,
    ...(options.image && (await readInputs(options.image, options.mask))),
    ...(finish && { finish }),
    ...(options.embedPrompt && { embedPrompt: true }),
    ...(price && { price }),
    baseUrl,
    // Last, so that no folder is created for a request that is refused.
    target: { ...(await findTarget(options.folder)), fileName: options.name },
  };
  return options.twoGrounds
    ? onTwoGrounds(request, { callStyle: isNative(callStyle) ? 'async' : callStyle })
    : request;
}

/**
 * Returns what is made of the images before they are files.
 *
 * @throws LimnerError `invalid_request` for options that cannot be had together
 */
function finishFor({
  name,
  fileQuality = 90,
  fit = 'off',
  transparent,
  twoGrounds,
  ...wishes
}: PaintOptions): Finish | undefined {
  const foreign = foreignExtension(name);
  if (foreign !== undefined) {
    throw invalid(`Limner saves PNG, JPEG, and WebP files, but --name asks for ${foreign}.`);
  }
  if (fit !== 'off' && wishes.size === undefined) {
    throw invalid('Use --fit with --size.');
  }
  const format = askedFormat(name)?.format;
  const finish = finishIfAsked({
    ...wishes,
    fit,
    cutout: twoGrounds ? { by: 'grounds' } : transparent && { by: 'key' },
    encoding: format && withQuality(format, fileQuality),
  });
  const problem = finish && finishProblem(finish);
  if (problem !== undefined) {
    throw invalid(problem);
  }
  return finish;
}

/**
 * Creates a folder and checks that it is writable.
 *
 * @throws LimnerError `invalid_request`
 */
export async function makeTarget(path: string): Promise<Pick<SaveTarget, 'folder' | 'root'>> {
  const folder = resolve(path);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new LimnerError('invalid_request', `The folder ${folder} isn't writable: ${reasonOf(error)}.`, {
      billing: 'no',
      cause: error,
    });
  }
  const uri = pathToFileURL(folder).href;
  return { folder: uri, root: uri };
}

async function readInputs(
  paths: readonly string[],
  maskPath: string | undefined,
): Promise<Pick<TaskRequest, 'images' | 'imageField' | 'mask'>> {
  const images = await Promise.all(paths.map(async (path) => describeInput(resolve(path))));
  const mask = maskPath === undefined ? undefined : await describeInput(resolve(maskPath), undefined, 'mask');
  const [first] = images;
  if (mask && first) {
    await requireSameSize(first, mask);
  }
  return { images, imageField: images.length > 1 ? 'image[]' : 'image', ...(mask && { mask }) };
}

async function requireSameSize(image: TaskInput, mask: TaskInput): Promise<void> {
  const [imageSize, maskSize] = await Promise.all([dimensionsOf(image), dimensionsOf(mask)]);
  if (imageSize !== maskSize) {
    throw invalid(
      `The mask must be the same size as the image: ${mask.path} is ${maskSize}, but ${image.path} is ${imageSize}.`,
    );
  }
}

async function dimensionsOf({ path }: TaskInput): Promise<string> {
  const file = await open(path, 'r');
  try {
    const dimensions = await readDimensions(file);
    if (!dimensions) {
      throw invalid(`The file ${path} is damaged: it doesn't contain its dimensions.`);
    }
    return `${dimensions.width}x${dimensions.height}`;
  } finally {
    await file.close();
  }
}

function invalid(message: string): Error {
  return new LimnerError('invalid_request', message, { billing: 'no' });
}

function reasonOf(error: unknown): string {
  switch (fileTrouble(error)) {
    case 'denied':
      return 'permission denied';
    case 'readOnly':
      return 'the disk is read-only';
    case 'gone':
      return "a folder can't be created there";
    case 'exists':
    case 'notFolder':
      return 'a file with that name exists';
    default:
      return isSystemError(error) ? error.code : String(error);
  }
}
