import * as vscode from 'vscode';
import { isLimnerError } from '../../common/limnerError.ts';
import { finishProblem } from '../../images/formats/finish.ts';
import { finishIfAsked, wishesProblem, withQuality } from '../../images/formats/finishWishes.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import { askedFormat, foreignExtension } from '../../tasks/files/fileNames.ts';
import { onTwoGrounds } from '../../tasks/files/onTwoGrounds.ts';
import { excessOf, modelPart, wayOf } from '../../tasks/requests/modelRules.ts';
import { sentMask } from '../../tasks/requests/sentMask.ts';
import { maxImages } from '../../tasks/store/taskRow.ts';
import type { SaveTarget, TaskInput, TaskRequest } from '../../tasks/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import { activeFile, type WorkspaceFolders } from '../questions/workspaceFolders.ts';
import { newInputFile } from './inputFolder.ts';
import { chooseImage, type InputImage, looksLikeImage, readImage } from './inputImages.ts';
import { modelName, type Models } from './models.ts';
import { type PaintArguments, resolveLocation } from './paintArguments.ts';
import { BadSettings } from '../questions/badSettings.ts';
import { refuse } from '../questions/refusal.ts';
import type { SaveTargets } from './saveTarget.ts';
import type { ServiceConnection } from './serviceConnection.ts';

/** The order of a person, once everything has been asked. */
export interface Order extends Pick<
  PaintArguments,
  'size' | 'quality' | 'n' | 'callStyle' | 'folder' | 'fileName' | keyof Finishing
> {
  prompt: string;
  model: ModelEntry;
  /** At least one, for an edit. */
  images?: readonly InputImage[] | undefined;
  mask?: InputImage | undefined;
  /** Whether the mask stays as it is for now: to convert it makes a file. */
  isPreview?: boolean;
  /** Whether the original's pixels are restored outside the mask. */
  keepOutside?: boolean;
  /** Whether a document needs the size, rather than a person who knows the model's. */
  isSizeOfDocument?: boolean;
  /** Whether the person may be asked which workspace folder is meant. */
  asks: boolean;
}

/** Those of a model whose entry lists none: most services have them. */
export const usualSizes = ['1024x1024', '1536x1024', '1024x1536'];

/** How images are finished; what is missing is in the settings. */
type Finishing = Pick<
  PaintArguments,
  | 'background'
  | 'twoGrounds'
  | 'fit'
  | 'fill'
  | 'focus'
  | 'trim'
  | 'multiples'
  | 'fileQuality'
  | 'embedPrompt'
>;

/** A file that is to be edited, or an image that is read already. */
export type ImageSource = vscode.Uri | string | InputImage;

export interface RequestServices {
  engine: EngineHost;
  service: ServiceConnection;
  settings: Settings;
  models: Models;
  folders: WorkspaceFolders;
  targets: SaveTargets;
}

export class PaintRequests {
  readonly #services: RequestServices;
  readonly #badSettings: BadSettings;

  constructor(services: RequestServices) {
    this.#services = services;
    this.#badSettings = new BadSettings(services.settings, services.models);
  }

  /** Reads the images that were named, unless they are read already; else the one in the active tab. */
  async images(sources: readonly ImageSource[]): Promise<readonly InputImage[]> {
    const active = activeFile();
    const meant = sources.length > 0 ? sources : active && looksLikeImage(active) ? [active] : [];
    if (meant.length === 0) {
      throw refuse('invalid_request', vscode.l10n.t('No image is open. Open one, or choose one now.'), [
        chooseImage(vscode.l10n.t('Choose an Image…')),
      ]);
    }
    const root = await this.#services.folders.current(false);
    return Promise.all(
      meant.map(async (source) =>
        typeof source === 'object' && 'input' in source
          ? source
          : readImage(this.#services.engine, resolveLocation(source, root)),
      ),
    );
  }

  async mask({ mask }: PaintArguments): Promise<InputImage | undefined> {
    return mask === undefined
      ? undefined
      : readImage(this.#services.engine, resolveLocation(mask, await this.#services.folders.current(false)), {
          role: 'mask',
        });
  }

  /**
   * Builds the whole request from the order and the settings, and checks everything that can be checked before it costs
   * anything. Size, quality and count of the settings are for new images, not for edits.
   *
   * @param baseUrl of a service that is ready
   * @throws LimnerError `invalid_request`, `save_failed`
   * @throws vscode.CancellationError when the person dismissed a question
   */
  async build(baseUrl: string, order: Order): Promise<TaskRequest> {
    const { model, images } = order;
    const prompt = order.prompt.trim();
    const kind = images ? 'edit' : 'generate';
    if (prompt === '') {
      throw refuse('invalid_request', vscode.l10n.t('The prompt is empty.'));
    }
    const defaults = images ? { size: '', quality: '', n: 1 } : this.#services.settings.forNewImages;
    const size = order.size ?? defaults.size;
    const quality = order.quality ?? defaults.quality;
    const way = wayOf(order);
    const isTwice = way === 'grounds';
    const n = order.n ?? (isTwice ? 1 : Math.min(defaults.n, model.maxCount ?? Infinity));
    checkLimits(model, { n, inputs: images?.length ?? 0, hasMask: order.mask !== undefined });
    checkMaskSize(order);
    const target = await this.#services.targets.resolve({
      folder: order.folder,
      fileName: order.fileName,
      original: images?.[0]?.original,
      asks: order.asks,
    });
    const finishing = this.#finishing(order, size, target);
    const callStyle = order.callStyle ?? this.#services.settings.callStyle;
    const sized = order.isSizeOfDocument && !model.sizes?.length ? { ...model, sizes: usualSizes } : model;
    const request = this.#services.models.priced({
      kind,
      prompt,
      ...modelPart({ model: sized, kind, callStyle, size, quality, way, finish: finishing.finish }),
      n,
      ...(images && { images: images.map(({ input }) => input) }),
      ...(order.mask && {
        mask: order.isPreview ? order.mask.input : await maskInput(this.#services.engine, model, order.mask),
        ...(order.keepOutside && { keepOutside: true }),
      }),
      ...finishing,
      baseUrl,
      target,
    });
    await this.#badSettings.tell(order.asks);
    return isTwice ? onTwoGrounds(request, this.#services.models.editCall(model, order.callStyle)) : request;
  }

  /** Returns what is made of the images before they are saved, as the order or else the settings say. */
  #finishing(
    order: Order,
    size: string,
    { folder, fileName }: SaveTarget,
  ): Pick<TaskRequest, 'finish' | 'embedPrompt'> {
    const usual = this.#services.settings.finishing(vscode.Uri.parse(folder, true));
    const foreign = foreignExtension(fileName);
    if (foreign !== undefined) {
      throw refuse(
        'invalid_request',
        vscode.l10n.t('Limner saves PNG, JPEG, and WebP files, but the file name asks for {0}.', foreign),
      );
    }
    const format = askedFormat(fileName)?.format;
    const by = wayOf(order);
    const quality = order.fileQuality ?? usual.fileQuality;
    // Around a subject with a transparent background, a usual color would be there again. JPEG has nothing else.
    const isSeenThrough = by && usual.fill.startsWith('#') && format !== 'jpeg';
    const usualFill = isSeenThrough ? 'transparent' : usual.fill;
    const wishes = { ...order, size, fit: order.fit ?? usual.fit, fill: order.fill ?? usualFill };
    const finish = finishIfAsked({
      cutout: by && { by },
      ...wishes,
      encoding: format && withQuality(format, quality),
    });
    const problem = wishesProblem({ ...wishes, quality }) ?? (finish && finishProblem(finish));
    if (problem !== undefined) {
      throw refuse('invalid_request', problem);
    }
    return {
      ...(finish && { finish }),
      ...((order.embedPrompt ?? usual.embedPrompt) && { embedPrompt: true }),
    };
  }
}

/** @throws LimnerError `invalid_request` for what the entry of a model says that it cannot do */
function checkLimits(model: ModelEntry, order: Parameters<typeof excessOf>[1]): void {
  const excess = excessOf(model, order);
  switch (excess?.of) {
    case 'inputs':
      throw refuse(
        'invalid_request',
        vscode.l10n.t(
          '{0} takes at most {1} input images. If it supports more, set "inputs" in its "limner.models" entry.',
          modelName(model),
          excess.most,
        ),
      );
    case 'mask':
      throw refuse('invalid_request', vscode.l10n.t("{0} doesn't support masks.", modelName(model)));
    case 'count':
      throw refuse(
        'invalid_request',
        vscode.l10n.t(
          '{0} makes at most {1} images in one run. If it supports more, set "maxCount" in its "limner.models" entry.',
          modelName(model),
          excess.most,
        ),
      );
    case undefined:
      break;
  }
  if (order.n > maxImages) {
    throw refuse('invalid_request', vscode.l10n.t('One run makes at most {0} images.', maxImages));
  }
}

function checkMaskSize({ images: [first] = [], mask }: Order): void {
  if (!mask || !first) {
    return;
  }
  const [maskSize, imageSize] = [sizeOf(mask), sizeOf(first)];
  if (maskSize !== imageSize) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t(
        'The mask must be the same size as the image: {0} is {1}, but {2} is {3}.',
        mask.name,
        maskSize,
        first.name,
        imageSize,
      ),
    );
  }
}

function sizeOf({ dimensions }: InputImage): string {
  return dimensions ? `${dimensions.width}x${dimensions.height}` : '?';
}

/** Returns the mask as it is sent. @throws LimnerError `unsupported_image` when it cannot be read */
async function maskInput(
  engine: EngineHost,
  model: ModelEntry,
  { name, input }: InputImage,
): Promise<TaskInput> {
  const services = {
    codecs: async () => (await engine.get()).codecs(),
    newPath: async (file: string) => (await newInputFile(engine, file)).fsPath,
  };
  return sentMask({ ...input, name }, model, services).catch((error: unknown) => {
    throw isLimnerError(error) && error.code === 'unsupported_image'
      ? refuse(error.code, vscode.l10n.t('The mask {0} is damaged or too large to read.', name))
      : error;
  });
}
