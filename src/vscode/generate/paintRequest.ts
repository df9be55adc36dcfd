import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { usualSizes } from '../../common/requestValues.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { askedFormat } from '../../engine/task/fileNames.ts';
import { inEnglish } from '../../engine/messages/language.ts';
import { orderProblemText } from '../../engine/messages/orderText.ts';
import { wayOf } from '../../engine/operations/modelRules.ts';
import { firstRequest, type Order, partOf } from '../../engine/operations/order.ts';
import { type MaskedInputs, maskProblemCode, sentMask } from '../../engine/operations/sentMask.ts';
import type { InputRole } from '../../engine/files/taskInput.ts';
import type { SaveTarget, TaskRequest } from '../../engine/task/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { Settings } from '../window/settings.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';
import { activeInput, newInputFile, chooseImage, type InputImage, readImage } from './inputImages.ts';
import { maskNotes, maskProblemText } from '../../engine/messages/maskText.ts';
import { told } from '../../engine/messages/told.ts';
import { modelName, type Models } from './models.ts';
import { type PaintArguments, resolveLocation } from './paintArguments.ts';
import { inFormat, sentStyle, type SentStyle } from '../../engine/operations/style.ts';
import { type ChosenStyle, refusedStyle } from '../ask/styles.ts';
import { BadSettings } from '../ask/badSettings.ts';
import { refuse } from '../ask/refusal.ts';
import { plainText } from '../window/plainText.ts';
import type { SaveTargets } from './saveTarget.ts';

/** Marks a request with what needs its image: a document, a social card, or several images that are made together. */
export type Purpose = Pick<TaskRequest, 'reference' | 'socialCard' | 'batch'>;

/** A run, once everything has been asked. */
export interface PaintOrder extends Omit<PaintArguments, 'prompt' | 'model' | 'images' | 'mask' | 'style'> {
  prompt: string;
  model: ModelEntry;
  /** At least one, for an edit. */
  images?: readonly InputImage[] | undefined;
  mask?: InputImage | undefined;
  style?: ChosenStyle | undefined;
  /** Whether the files are only checked, and no converted mask or turned image is made. */
  isPreview?: boolean;
  /** Tells how the files are sent, where that may surprise: by default the user, in a message. */
  tell?: (note: string) => void;
  /** Whether the original's pixels are restored outside the mask. */
  keepOutside?: boolean;
  /** Whether a document needs the size, rather than a user who knows the model's. */
  isSizeOfDocument?: boolean;
  purpose?: Purpose | undefined;
  /** Whether the user may be asked which workspace folder is meant. */
  asks: boolean;
}

export const editDefaults: Settings['forNewImages'] = { size: '', quality: '', n: 1 };

/** Returns what holds where an order says nothing. The settings are for new images, not for edits. */
export function defaultsFor(settings: Settings, kind: TaskRequest['kind']): Settings['forNewImages'] {
  return kind === 'edit' ? editDefaults : settings.forNewImages;
}

/** Returns how many images a run makes that may be billed: each twice, if on two backgrounds. */
export function billedCount(order: CountedOrder, usual: number): number {
  return countOf(order, usual) * (wayOf(order) === 'grounds' ? 2 : 1);
}

type CountedOrder = Pick<PaintOrder, 'n' | 'model' | 'background' | 'twoGrounds'>;

function countOf(order: CountedOrder, usual: number): number {
  const { maxCount = Infinity } = order.model;
  return order.n ?? (wayOf(order) === 'grounds' ? 1 : Math.min(usual, maxCount));
}

function tellUser(note: string): void {
  void vscode.window.showInformationMessage(plainText(told(note)));
}

/** A file that is to be edited, or an image that is read already. */
export type ImageSource = vscode.Uri | string | InputImage;

export interface RequestServices {
  engine: EngineHost;
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

  /**
   * Refuses several images on two backgrounds.
   *
   * @throws LimnerError `invalid_request`
   */
  requireOneAtATime(given: PaintArguments): void {
    const { models } = this.#services;
    const model = models.implied(models.configured(), given.model);
    if (model && wayOf({ ...given, model }) === 'grounds' && (given.n ?? 1) > 1) {
      throw refuse(
        'invalid_request',
        orderProblemText({ of: 'twoBackgrounds' }, modelName(model), '"limner.models"'),
      );
    }
  }

  /**
   * Reads the images to edit, unless they are read already, and their mask.
   *
   * @param sources if empty, the image in the active tab; undefined for a new image, which has no mask
   * @throws LimnerError `invalid_request`, `unsupported_image`
   */
  async inputs(
    sources: readonly ImageSource[] | undefined,
    mask: PaintArguments['mask'],
  ): Promise<Pick<PaintOrder, 'images' | 'mask'>> {
    if (!sources) {
      return {};
    }
    const { engine, folders } = this.#services;
    const meant = sources.length > 0 ? sources : activeInput();
    if (meant.length === 0) {
      throw refuse('invalid_request', l10n.t('No image is open. Open one, or choose one now.'), [
        chooseImage(l10n.t('Choose an Image…')),
      ]);
    }
    const root = await folders.current(false);
    const read = async (source: vscode.Uri | string, role: InputRole): Promise<InputImage> =>
      readImage(engine, resolveLocation(source, root), { role });
    const images = await Promise.all(
      meant.map(async (source) =>
        typeof source === 'object' && 'input' in source ? source : read(source, 'image'),
      ),
    );
    return { images, ...(mask !== undefined && { mask: await read(mask, 'mask') }) };
  }

  /**
   * Builds the whole request from the order and the settings, and checks everything that can be checked before it costs
   * anything.
   *
   * @param baseUrl of a service that is ready
   * @throws LimnerError `invalid_request`, `save_failed`
   * @throws vscode.CancellationError when the user dismissed a question
   */
  async build(baseUrl: string, order: PaintOrder): Promise<TaskRequest> {
    const { model, images, mask } = order;
    const { settings, models, targets } = this.#services;
    const defaults = defaultsFor(settings, images ? 'edit' : 'generate');
    const free = await targets.resolve({
      folder: order.folder,
      fileName: order.fileName,
      original: images?.[0]?.original,
      asks: order.asks,
    });
    const target = {
      ...free,
      fileName: inFormat(free.fileName, order.style?.format, order.fileName === undefined),
    };
    const style = await this.#styleOf(order);
    const size = order.size ?? defaults.size;
    const made = partOf({
      ...order,
      model: order.isSizeOfDocument && !model.sizes?.length ? { ...model, sizes: usualSizes } : model,
      callStyle: order.callStyle ?? settings.callStyle,
      size,
      quality: order.quality ?? defaults.quality,
      n: countOf(order, defaults.n),
      ...this.#finishing(order, target),
      fileName: target.fileName,
      images: images?.map(({ input }) => input),
      mask: mask?.input,
      style,
    });
    if ('problem' in made) {
      throw refuse(
        'invalid_request',
        inEnglish(() => orderProblemText(made.problem, modelName(model), '"limner.models"')),
      );
    }
    const sent = await this.#maskedInputs(order);
    const { part } = made;
    const request = models.priced({
      ...part,
      ...(part.images && {
        images: part.images.map((input, index) => (index === 0 && sent.image ? sent.image : input)),
      }),
      ...(sent.mask && { mask: sent.mask, ...(order.keepOutside && { keepOutside: true }) }),
      baseUrl,
      target,
    });
    await this.#badSettings.tell(order.asks);
    return { ...firstRequest(request, () => models.editCall(model, order.callStyle)), ...order.purpose };
  }

  /**
   * Returns the first image and the mask as they are sent, and tells what the user should know about them.
   *
   * @throws LimnerError `invalid_request` for a mask that marks nothing, `unsupported_image` for files that cannot be used
   */
  async #maskedInputs({
    images: [first] = [],
    mask,
    model,
    isPreview = false,
    tell = tellUser,
  }: PaintOrder): Promise<Partial<MaskedInputs>> {
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
      throw refuse(
        maskProblemCode(sent.problem),
        inEnglish(() =>
          maskProblemText(sent.problem, names, {
            model: model.id,
            models: '"limner.models"',
            editor: l10n.t('Or open the image in the studio, and paint or load a mask there.'),
          }),
        ),
      );
    }
    if (!isPreview) {
      for (const note of inEnglish(() => maskNotes(sent, names))) {
        tell(note);
      }
    }
    return sent;
  }

  /** Returns what is sent of a style, and tells if not all of it is. @throws LimnerError as `inputs` */
  async #styleOf(order: PaintOrder): Promise<SentStyle | undefined> {
    const { style, model, images = [], isPreview, tell = tellUser } = order;
    if (!style) {
      return undefined;
    }
    const files = await Promise.all(
      style.files.map(async (file) =>
        file instanceof vscode.Uri ? (await readImage(this.#services.engine, file)).input : file,
      ),
    ).catch((error: unknown) => {
      throw refusedStyle(style, error);
    });
    const sent = sentStyle(style, files, { model, inputs: images.length });
    if (sent.note !== undefined && !isPreview) {
      tell(sent.note);
    }
    return sent.style;
  }

  /** Returns how the images are finished before they are saved, as the order or else the settings say. */
  #finishing(
    order: PaintOrder,
    { folder, fileName }: SaveTarget,
  ): Pick<Order, 'wishes' | 'fileQuality' | 'embedPrompt'> {
    const usual = this.#services.settings.finishing(vscode.Uri.parse(folder, true));
    // Around a subject with a transparent background, a usual color would be there again. JPEG has nothing else.
    const isSeenThrough =
      wayOf(order) && usual.fill.startsWith('#') && askedFormat(fileName)?.format !== 'jpeg';
    const usualFill = isSeenThrough ? 'transparent' : usual.fill;
    const { fit = usual.fit, fill = usualFill, focus, trim, multiples } = order;
    return {
      wishes: { fit, fill, focus, trim, multiples },
      fileQuality: order.fileQuality ?? usual.fileQuality,
      embedPrompt: order.embedPrompt ?? usual.embedPrompt,
    };
  }
}
