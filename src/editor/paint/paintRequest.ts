import * as vscode from 'vscode';
import { finishProblem } from '../../images/formats/finish.ts';
import { finishIfAsked, wishesProblem, withQuality } from '../../images/formats/finishWishes.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import { askedFormat, foreignExtension } from '../../tasks/files/fileNames.ts';
import { onTwoGrounds } from '../../tasks/files/onTwoGrounds.ts';
import { excessOf, modelPart, wayOf } from '../../tasks/requests/modelRules.ts';
import { type MaskedInputs, sentMask } from '../../tasks/requests/sentMask.ts';
import { maxImages } from '../../tasks/store/taskRow.ts';
import type { SaveTarget, TaskRequest } from '../../tasks/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import { activeFile, type WorkspaceFolders } from '../questions/workspaceFolders.ts';
import { newInputFile } from './inputFolder.ts';
import { chooseImage, type InputImage, looksLikeImage, readImage } from './inputImages.ts';
import { maskNotes, maskProblemText } from '../questions/maskTexts.ts';
import { modelName, type Models } from './models.ts';
import { type PaintArguments, resolveLocation } from './paintArguments.ts';
import { BadSettings } from '../questions/badSettings.ts';
import { refuse } from '../questions/refusal.ts';
import { plainText } from '../window/plainText.ts';
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
  /** Whether the files are only checked for now: to convert a mask or turn an image makes one. */
  isPreview?: boolean;
  /** Tells what should be known of how the files are sent: a person, in a message, unless it is given. */
  tell?: (note: string) => void;
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
    const { image, mask } = await this.#maskedInputs(order);
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
      ...(images && { images: images.map(({ input }, index) => (index === 0 && image ? image : input)) }),
      ...(mask && { mask, ...(order.keepOutside && { keepOutside: true }) }),
      ...finishing,
      baseUrl,
      target,
    });
    await this.#badSettings.tell(order.asks);
    return isTwice ? onTwoGrounds(request, this.#services.models.editCall(model, order.callStyle)) : request;
  }

  /**
   * Returns the first image and the mask as they are sent, and tells what a person should know about them.
   *
   * @throws LimnerError `invalid_request` for a mask that marks nothing, `unsupported_image` for files that cannot be used
   */
  async #maskedInputs({
    images: [first] = [],
    mask,
    model,
    isPreview = false,
    tell = (note) => void vscode.window.showInformationMessage(plainText(note)),
  }: Order): Promise<Partial<MaskedInputs>> {
    if (!first || !mask) {
      return {};
    }
    const { engine } = this.#services;
    const names = { image: first.name, mask: mask.name };
    const inputs = { image: first.input, mask: { ...mask.input, name: mask.name } };
    const sent = await sentMask(inputs, model, {
      codecs: async () => (await engine.get()).codecs(),
      ...(!isPreview && { newPath: async (file) => (await newInputFile(engine, file)).fsPath }),
    });
    if ('problem' in sent) {
      const { is } = sent.problem;
      const code = is === 'unreadable' || is === 'unturnable' ? 'unsupported_image' : 'invalid_request';
      throw refuse(code, maskProblemText(sent.problem, names, model.id));
    }
    if (!isPreview) {
      for (const note of maskNotes(sent, names)) {
        tell(note);
      }
    }
    return sent;
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
