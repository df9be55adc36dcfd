import * as l10n from '@vscode/l10n';
import { inEnglish } from '../../engine/messages/language.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { FinishWishes } from '../../images/formats/finishWishes.ts';
import { pathOfUri, fileUri } from '../../common/fileUris.ts';
import {
  type MaskedInputs,
  type MaskProblem,
  maskProblemCode,
  maskMisfit,
  sentMask,
} from '../../engine/operations/sentMask.ts';
import { access, constants } from 'node:fs/promises';
import { type CallStyleSetting, isNative } from '../../common/requestValues.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { newInputPath } from '../../engine/files/inputFolder.ts';
import type { SaveTarget, TaskInput, TaskRequest } from '../../engine/task/task.ts';
import type { Environment } from '../setup/environment.ts';
import { callStyleMeant, modelMeant } from '../setup/models.ts';
import { priceOf } from '../setup/money.ts';
import { requireService } from '../setup/requireService.ts';
import { type FoundStyle, findStyle } from '../setup/styles.ts';
import { wholePath } from '../setup/wholePath.ts';
import { fileTrouble, isSystemError } from '../../common/fileErrors.ts';
import { maskNotes, maskProblemText } from '../../engine/messages/maskText.ts';
import { orderProblemText } from '../../engine/messages/orderText.ts';
import {
  editCallOf,
  type Engine,
  firstRequest,
  inFormat,
  mostInputs,
  type Order,
  partOf,
  sentStyle,
  unusableStyle,
  styled,
} from '../../engine/run/engine.ts';
import { makeFolder } from '../../common/folders.ts';
import { unusableName } from '../../engine/files/targetFolder.ts';
import { describeInput, type InputRole } from '../../engine/files/taskInput.ts';

/** Says that a fit needs a size. */
export function fitWithSize(): string {
  return l10n.t('Use {0} with {1}.', '--fit', '--size');
}

/** Options that decide whether a background is removed, and a cutout kept. */
interface CutoutWish {
  transparent?: true | undefined;
  twoGrounds?: true | undefined;
  anyway?: true | undefined;
}

/** @throws LimnerError `invalid_request` for options that the chosen fit or the background make no use of */
export function requireUse({
  fit,
  focus,
  fill,
  transparent,
  twoGrounds,
  anyway,
}: FinishWishes & CutoutWish): void {
  if (anyway && !transparent && !twoGrounds) {
    throw invalid(() => l10n.t('Use {0} with {1}.', '--anyway', '--transparent'));
  }
  if (focus && fit !== 'crop') {
    throw invalid(() => l10n.t('Use {0} with {1}.', '--focus', '--fit crop'));
  }
  if (fill !== undefined && fit !== 'pad') {
    throw invalid(() => l10n.t('Use {0} with {1}.', '--fill', '--fit pad'));
  }
}

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
  anyway?: true;
  quality?: string;
  n: number;
  callStyle: CallStyleSetting;
  image?: readonly InputSource[];
  mask?: InputSource;
  folder: string;
  name: string;
  /** Name of a style of the project, or path of its file. */
  style?: string;
  overBudget?: true;
  /** In milliseconds. */
  wait?: number;
  json?: true;
  verbose?: true;
  /** Path of a set, or `-`. */
  set?: string;
  /** Names of images of the set that are made although their files exist. */
  again?: readonly string[];
}

/** An order from the command line or an agent; the environment fills in missing parts. */
export interface Wanted extends Pick<Order, 'prompt' | 'n' | 'fileName'> {
  background?: 'transparent' | undefined;
  twoGrounds?: boolean | undefined;
  keepAnyway?: boolean | undefined;
  model?: string | undefined;
  callStyle?: CallStyleSetting;
  size?: string | undefined;
  quality?: string | undefined;
  wishes?: Order['wishes'];
  fileQuality?: number | undefined;
  embedPrompt?: boolean | undefined;
  /** Undefined for a new image. */
  images?: readonly InputSource[] | undefined;
  mask?: InputSource | undefined;
  style?: FoundStyle | undefined;
}

/**
 * Returns the request of a command line.
 *
 * @param tell called with what a user should know about it, in sentences
 * @throws LimnerError `no_service`, `no_key`, `invalid_request`, `unsupported_image`
 */
export async function readRequest(
  prompt: string,
  { transparent, anyway, image, folder, name, fit, focus, fill, trim, multiples, ...options }: PaintOptions,
  environment: Environment,
  tell?: (note: string) => void,
): Promise<TaskRequest> {
  const style = await findStyle(options.style ?? (image ? '' : environment.style));
  const usual = style?.fit ?? (style?.size === undefined ? 'off' : 'crop');
  if ((fit ?? 'off') !== 'off' && (options.size ?? style?.size) === undefined) {
    throw invalid(fitWithSize);
  }
  requireUse({ fit: fit ?? usual, focus, fill, transparent, anyway, twoGrounds: options.twoGrounds });
  const wanted = {
    ...options,
    prompt,
    ...(transparent && { background: 'transparent' as const }),
    ...(anyway && { keepAnyway: true }),
    wishes: { fit, focus, fill, trim, multiples },
    images: image,
    fileName: name,
    style,
  };
  return buildRequest(wanted, environment, async () => makeTarget(folder), tell);
}

/**
 * Returns the request of an order, with everything checked that can be checked before it costs anything. Its mask is still
 * the user's file.
 *
 * @param findTarget makes a folder ready, and returns where it is
 * @param tell as in `readRequest`
 * @throws LimnerError `no_service`, `no_key`, `invalid_request`, `unsupported_image`
 */
export async function buildRequest(
  { wishes = {}, fileQuality = 90, images, mask, style, ...given }: Wanted,
  environment: Environment,
  findTarget: () => Promise<Pick<SaveTarget, 'folder' | 'root'>>,
  tell?: (note: string) => void,
): Promise<TaskRequest> {
  const {
    size = '',
    quality = '',
    fit = 'off',
    ...wanted
  } = styled({ ...given, fit: wishes.fit }, style, { size: mask !== undefined });
  const baseUrl = requireService(environment);
  const { id, entry } = modelMeant(wanted.model, environment, baseUrl);
  const callStyle = callStyleMeant(wanted.callStyle ?? 'auto', environment);
  const model = {
    ...(entry ?? unlisted(id, (images?.length ?? 0) + (style?.files.length ?? 0))),
    // Native calls, where an option asks for them, are those of the second family.
    ...(isNative(wanted.callStyle ?? 'auto') && { family: 'native' as const }),
  };
  const files = await Promise.all((style?.files ?? []).map(async (file) => readInput(file, 'image'))).catch(
    (error: unknown) => {
      throw unusableStyle(style?.name ?? '', error);
    },
  );
  const sent = style && sentStyle(style, files, { model, inputs: images?.length ?? 0 });
  if (sent?.note !== undefined) {
    tell?.(sent.note);
  }
  const fileName = inFormat(wanted.fileName, style?.format);
  const order = {
    ...wanted,
    fileName,
    model,
    callStyle,
    size,
    quality,
    wishes: { ...wishes, fit },
    fileQuality,
    ...(sent && { style: sent.style }),
    embedPrompt: wanted.embedPrompt === true,
    ...(images && (await readInputs(images, mask, id))),
  };
  const made = partOf(order);
  if ('problem' in made) {
    const { problem } = made;
    throw invalid(() => orderProblemText(problem, id, 'LIMNER_MODELS'));
  }
  const { part } = made;
  const price = priceOf(part, environment, model.price);
  // Last, so that no folder is created for a request that is refused.
  const target = { ...(await findTarget()), fileName };
  const request = { ...part, ...(price && { price }), baseUrl, target };
  return firstRequest(request, () => editCallOf(entry ?? unlisted(id, 1), callStyle));
}

/**
 * Returns a request with its first image and its mask as they are sent, and what a user should know about them.
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
    notes: maskNotes(sent, { image: image.name, mask: mask.name }),
  };
}

function refusedMask(problem: MaskProblem, inputs: MaskedInputs, model: string): Error {
  const names = { image: pathOfUri(inputs.image.uri), mask: pathOfUri(inputs.mask.uri) };
  const message = inEnglish(() => maskProblemText(problem, names, { model, models: 'LIMNER_MODELS' }));
  return new LimnerError(maskProblemCode(problem), message, { billing: 'no' });
}

/** Returns a model that no entry describes: it is taken for one that can do what it is asked for. */
function unlisted(id: string, inputs: number): ModelEntry {
  return { id, family: 'image', inputs: { max: mostInputs, field: inputs > 1 ? 'image[]' : 'image' } };
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
    throw invalid(() =>
      l10n.t(
        'The folder {0} can\'t be used: Windows can\'t use "{1}" as the name of a folder.',
        folder,
        name,
      ),
    );
  }
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const message = inEnglish(() => unwritableText(folder, error));
    throw new LimnerError('invalid_request', message, { billing: 'no', cause: error });
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

function invalid(why: () => string): Error {
  return new LimnerError('invalid_request', inEnglish(why), { billing: 'no' });
}

function unwritableText(folder: string, error: unknown): string {
  switch (fileTrouble(error)) {
    case 'denied':
      return l10n.t("The folder {0} isn't writable: permission denied.", folder);
    case 'readOnly':
      return l10n.t("The folder {0} isn't writable: the disk is read-only.", folder);
    case 'gone':
      return l10n.t("The folder {0} isn't writable: a folder can't be created there.", folder);
    case 'exists':
    case 'notFolder':
      return l10n.t("The folder {0} isn't writable: a file with that name exists.", folder);
    default:
      return l10n.t(
        "The folder {0} isn't writable: {1}.",
        folder,
        isSystemError(error) ? error.code : String(error),
      );
  }
}
