import { access, constants } from 'node:fs/promises';
import { type CallStyleSetting, isNative } from '../../common/callStyle.ts';
import type { Engine } from '../../engine.ts';
import type { CutoutWay } from '../../images/formats/cutout.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import { newInputPath } from '../../tasks/files/inputFolder.ts';
import type { SaveTarget, TaskInput, TaskRequest } from '../../tasks/task.ts';
import type { Environment } from '../setup/environment.ts';
import { callStyleMeant, modelMeant } from '../setup/models.ts';
import { priceOf } from '../setup/money.ts';
import { requireService } from '../setup/requireService.ts';
import { wholePath } from '../setup/wholePath.ts';
import { fileTrouble, isSystemError } from '../../common/fileErrors.ts';
import { fileUri } from '../../common/disk/fileUris.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { type Finish, finishProblem } from '../../images/formats/finish.ts';
import {
  finishIfAsked,
  type FinishWishes,
  wishesProblem,
  withQuality,
} from '../../images/formats/finishWishes.ts';
import { maskNotes, maskProblemText } from './maskTexts.ts';
import { requireUse } from './requireUse.ts';
import { askedFormat, foreignExtension } from '../../tasks/files/fileNames.ts';
import { onTwoGrounds } from '../../tasks/files/onTwoGrounds.ts';
import { maxImages } from '../../tasks/store/taskRow.ts';
import { editCallOf, excessOf, modelPart, mostInputs, wayOf } from '../../tasks/requests/modelRules.ts';
import { type MaskedInputs, maskMisfit, type MaskProblem, sentMask } from '../../tasks/requests/sentMask.ts';
import { makeFolder } from '../../common/disk/folders.ts';
import { unusableName } from '../../tasks/files/targetFolder.ts';
import { describeInput, type InputRole } from '../../tasks/files/taskInput.ts';

/** Path of a file that is sent, or of a copy of one. */
export type InputSource = string | { path: string; uri: string };

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
  image?: readonly InputSource[];
  mask?: InputSource;
  folder: string;
  name: string;
  overBudget?: true;
  /** In milliseconds. */
  wait?: number;
  json?: true;
  verbose?: true;
}

/**
 * Returns the request of a command line, with everything checked that can be checked before it costs anything. Its mask
 * is still the person's file.
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
  const { image: images = [], transparent, twoGrounds, size = '', quality = '', n } = options;
  const { id, entry } = modelMeant(options.model, environment, baseUrl);
  const model = { ...(entry ?? unlisted(id, images.length)), ...familyOf(options) };
  const callStyle = callStyleMeant(options.callStyle, environment);
  checkLimits(model, { n, inputs: images.length, hasMask: options.mask !== undefined });
  const way = wayOf({ ...(transparent && { background: 'transparent' }), twoGrounds, model });
  if (way === 'grounds' && n > 1) {
    throw invalid('On two backgrounds, images are made one at a time.');
  }
  const kind = options.image ? 'edit' : 'generate';
  const finish = finishFor(options, way);
  const part = modelPart({ model, kind, callStyle, size, quality, way, finish });
  const price = priceOf(part, environment, model.price);
  const request: TaskRequest = {
    kind,
    prompt: words,
    ...part,
    n,
    ...(options.image && (await readInputs(options.image, options.mask, id))),
    ...(finish && { finish }),
    ...(options.embedPrompt && { embedPrompt: true }),
    ...(price && { price }),
    baseUrl,
    // Last, so that no folder is created for a request that is refused.
    target: { ...(await findTarget(options.folder)), fileName: options.name },
  };
  return way === 'grounds' ? onTwoGrounds(request, editCallOf(entry ?? unlisted(id, 1), callStyle)) : request;
}

/**
 * Returns a request with its first image and its mask as they are sent, and what a person should know about them.
 *
 * @param isPreview whether the files are only checked
 * @throws LimnerError `invalid_request` for a mask that marks nothing, `unsupported_image` for files that cannot be used
 */
export async function withSentMask(
  request: TaskRequest,
  { store, codecs }: Pick<Engine, 'store' | 'codecs'>,
  environment: Environment,
  { isPreview = false } = {},
): Promise<{ request: TaskRequest; notes: string[] }> {
  const { images: [image, ...others] = [], mask, model, baseUrl } = request;
  if (!image || !mask) {
    return { request, notes: [] };
  }
  const inputs = { image, mask };
  const { entry = {} } = modelMeant(model, environment, baseUrl);
  const newPath = async (name: string): Promise<string> =>
    newInputPath(environment.home, () => store.inputPaths(), name);
  const sent = await sentMask(inputs, entry, { codecs, ...(!isPreview && { newPath }) });
  if ('problem' in sent) {
    throw refusedMask(sent.problem, inputs, model);
  }
  return {
    request: { ...request, images: [sent.image, ...others], mask: sent.mask },
    notes: maskNotes(sent, inputs),
  };
}

function refusedMask(problem: MaskProblem, inputs: MaskedInputs, model: string): Error {
  const isUnusable = problem.is === 'unreadable' || problem.is === 'unturnable';
  const message = maskProblemText(problem, inputs, model);
  return isUnusable ? new LimnerError('unsupported_image', message, { billing: 'no' }) : invalid(message);
}

/** Returns a model that no entry describes: it is taken for one that can do what it is asked for. */
function unlisted(id: string, inputs: number): ModelEntry {
  return { id, family: 'image', inputs: { max: mostInputs, field: inputs > 1 ? 'image[]' : 'image' } };
}

/** Native calls, where an option asks for them, are those of the second family. */
function familyOf({ callStyle }: PaintOptions): Partial<Pick<ModelEntry, 'family'>> {
  return isNative(callStyle) ? { family: 'native' } : {};
}

/** @throws LimnerError `invalid_request` for what the entry of a model says that it cannot do */
function checkLimits(model: ModelEntry, order: Parameters<typeof excessOf>[1]): void {
  const excess = excessOf(model, order);
  switch (excess?.of) {
    case 'inputs':
      throw invalid(
        `${model.id} takes at most ${excess.most} input images. If it supports more, set "inputs" in its entry in LIMNER_MODELS.`,
      );
    case 'mask':
      throw invalid(`${model.id} doesn't support masks.`);
    case 'count':
      throw invalid(
        `${model.id} makes at most ${excess.most} images in one run. If it supports more, set "maxCount" in its entry in LIMNER_MODELS.`,
      );
    case undefined:
      break;
  }
  if (order.n > maxImages) {
    throw invalid(`--n takes at most ${maxImages}.`);
  }
}

/**
 * Returns what is made of the images before they are files.
 *
 * @param by how the background is made transparent
 * @throws LimnerError `invalid_request` for options that cannot be had together
 */
function finishFor(
  { name, fileQuality: quality = 90, fit = 'off', ...wishes }: PaintOptions,
  by: CutoutWay | undefined,
): Finish | undefined {
  const foreign = foreignExtension(name);
  if (foreign !== undefined) {
    throw invalid(`Limner saves PNG, JPEG, and WebP files, but --name asks for ${foreign}.`);
  }
  if (fit !== 'off' && wishes.size === undefined) {
    throw invalid('Use --fit with --size.');
  }
  requireUse({ ...wishes, fit });
  const format = askedFormat(name)?.format;
  const finish = finishIfAsked({
    ...wishes,
    fit,
    cutout: by && { by },
    encoding: format && withQuality(format, quality),
  });
  const problem = wishesProblem({ ...wishes, quality }) ?? (finish && finishProblem(finish));
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
  const folder = wholePath(path);
  const name = unusableName(folder);
  if (name !== undefined) {
    throw invalid(`The folder ${folder} can't be used: Windows can't use "${name}" as the name of a folder.`);
  }
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new LimnerError('invalid_request', `The folder ${folder} isn't writable: ${reasonOf(error)}.`, {
      billing: 'no',
      cause: error,
    });
  }
  const uri = fileUri(folder);
  return { folder: uri, root: uri };
}

async function readInputs(
  sources: readonly InputSource[],
  maskSource: InputSource | undefined,
  model: string,
): Promise<Pick<TaskRequest, 'images' | 'mask'>> {
  const images = await Promise.all(sources.map(async (source) => readInput(source, 'image')));
  const mask = maskSource === undefined ? undefined : await readInput(maskSource, 'mask');
  const [image] = images;
  const problem = mask && image && (await maskMisfit({ image, mask }));
  if (problem) {
    throw refusedMask(problem, { image, mask }, model);
  }
  return { images, ...(mask && { mask }) };
}

async function readInput(source: InputSource, role: InputRole): Promise<TaskInput> {
  return typeof source === 'string'
    ? describeInput(wholePath(source), undefined, role)
    : describeInput(source.path, source.uri, role);
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
