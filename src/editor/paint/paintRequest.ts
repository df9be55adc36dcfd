import { parse } from 'node:path';
import * as vscode from 'vscode';
import { readMaskFile } from '../../images/damage/repairMaskFile.ts';
import type { CutoutWay } from '../../images/formats/cutout.ts';
import { finishProblem } from '../../images/formats/finish.ts';
import { finishIfAsked, nearestSize, withQuality } from '../../images/formats/finishWishes.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import { askedFormat, foreignExtension } from '../../tasks/files/fileNames.ts';
import { onTwoGrounds } from '../../tasks/files/onTwoGrounds.ts';
import { describeInput } from '../../tasks/files/taskInput.ts';
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
    checkInputs(order);
    const defaults = images ? { size: '', quality: '', n: 1 } : this.#services.settings.forNewImages;
    const size = order.size ?? defaults.size;
    const quality = order.quality ?? defaults.quality;
    const isTwice = wayOf(order) === 'grounds';
    const n = order.n ?? (isTwice ? 1 : Math.min(defaults.n, model.maxCount ?? Infinity));
    checkCount(model, n);
    const takesSize = model.family === 'image';
    const target = await this.#services.targets.resolve({
      folder: order.folder,
      fileName: order.fileName,
      original: images?.[0]?.original,
      asks: order.asks,
    });
    const finishing = this.#finishing(order, size, target);
    const { sizes = [] } = model;
    const known = sizes.length === 0 && order.isSizeOfDocument ? usualSizes : sizes;
    const asked = finishing.finish?.size ? nearestSize(size, known) : size;
    const request = this.#services.models.priced({
      kind,
      prompt,
      model: model.id,
      family: model.family,
      callStyle: this.#services.models.callStyle(model, kind, order.callStyle),
      ...(takesSize && asked !== '' && { size: asked }),
      ...(takesSize && quality !== '' && { quality }),
      n,
      ...withExtra(order),
      ...(images && {
        images: images.map(({ input }) => input),
        imageField: model.inputs?.field ?? 'image',
      }),
      ...(order.mask && {
        mask: await maskInput(this.#services.engine, model, order.mask),
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
    const finish = finishIfAsked({
      cutout: by && { by },
      ...order,
      size,
      fit: order.fit ?? usual.fit,
      fill: order.fill ?? usual.fill,
      encoding: format && withQuality(format, order.fileQuality ?? usual.fileQuality),
    });
    const problem = finish && finishProblem(finish);
    if (problem !== undefined) {
      throw refuse('invalid_request', problem);
    }
    return {
      ...(finish && { finish }),
      ...((order.embedPrompt ?? usual.embedPrompt) && { embedPrompt: true }),
    };
  }
}

/** Returns how the background is made transparent, if it is to be. */
export function wayOf({
  background,
  twoGrounds,
  model,
}: Pick<Order, 'background' | 'twoGrounds' | 'model'>): CutoutWay | undefined {
  if (!background && !twoGrounds) {
    return undefined;
  }
  return twoGrounds === undefined ? (model.transparent?.by ?? 'key') : twoGrounds ? 'grounds' : 'key';
}

/** Returns what the model's entry adds to a request, also for a transparent background. */
function withExtra(order: Order): Pick<TaskRequest, 'extra'> {
  const { extra, transparent } = order.model;
  const all = { ...extra, ...(wayOf(order) === transparent?.by && transparent?.extra) };
  return Object.keys(all).length > 0 ? { extra: all } : {};
}

/** Returns the number of input images that one edit with this model takes. */
export function maxInputsOf(model: ModelEntry): number {
  return model.inputs?.max ?? 1;
}

function checkCount(model: ModelEntry, n: number): void {
  const { maxCount } = model;
  if (maxCount !== undefined && n > maxCount) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t(
        '{0} makes at most {1} images in one run. If it supports more, set "maxCount" in its "limner.models" entry.',
        modelName(model),
        maxCount,
      ),
    );
  }
  if (n > maxImages) {
    throw refuse('invalid_request', vscode.l10n.t('One run makes at most {0} images.', maxImages));
  }
}

function checkInputs({ model, images = [], mask }: Order): void {
  if (images.length > maxInputsOf(model)) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t(
        '{0} takes at most {1} input images. If it supports more, set "inputs" in its "limner.models" entry.',
        modelName(model),
        maxInputsOf(model),
      ),
    );
  }
  const [first] = images;
  if (!mask || !first) {
    return;
  }
  if (model.mask === 'none') {
    throw refuse('invalid_request', vscode.l10n.t("{0} doesn't support masks.", modelName(model)));
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

/**
 * Returns the mask as it is sent: converted to the convention of the model's entry, or as it is where the entry names
 * none.
 *
 * @throws LimnerError `unsupported_image` when it cannot be read
 */
async function maskInput(engine: EngineHost, model: ModelEntry, mask: InputImage): Promise<TaskInput> {
  if (model.mask !== 'alpha' && model.mask !== 'white') {
    return mask.input;
  }
  const codecs = await (await engine.get()).codecs();
  const bytes = await codecs.convertMask(await readMaskFile(mask.input.path), model.mask).catch(() => {
    throw refuse(
      'unsupported_image',
      vscode.l10n.t('The mask {0} is damaged or too large to read.', mask.name),
    );
  });
  const file = await newInputFile(engine, `${parse(mask.name).name}.png`);
  await vscode.workspace.fs.writeFile(file, bytes);
  return describeInput(file.fsPath, mask.input.uri);
}
