import { parse } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asSaveError } from '../../common/fileErrors.ts';
import { sizeText } from '../../common/text.ts';
import {
  askedFormat,
  foreignExtension,
  isFixedName,
  renderFileName,
  withoutExtension,
} from '../../engine/task/fileNames.ts';
import { told } from '../../engine/messages/told.ts';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import type { Codecs } from '../../images/finish/codecs.ts';
import type { Finish } from '../../images/formats/finish.ts';
import { withQuality } from '../../images/formats/finishWishes.ts';
import { sniffImage, sniffOther } from '../../images/formats/sniff.ts';
import { askFit } from '../actions/askFit.ts';
import { finishBytes } from '../actions/finishFile.ts';
import { askEncoding } from '../actions/finishFiles.ts';
import { toldBy } from '../actions/inspectImage.ts';
import { publishBytes } from '../actions/workspacePublisher.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';
import { pickImage, shownExtensions } from '../ask/pictures.ts';
import { refuse } from '../ask/refusal.ts';
import type { Documents } from '../documents/documents.ts';
import {
  askPick,
  askText,
  type Direction,
  type Step,
  type StepPosition,
  takeAnswer,
  walk,
} from '../generate/inputSteps.ts';
import { passedFiles, resolveLocation } from '../generate/paintArguments.ts';
import { folderName } from '../generate/questionTexts.ts';
import { folderWithoutWorkspace, pickFolder, type SaveTargets } from '../generate/saveTarget.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf } from '../window/files.ts';
import { commandAction, offer } from '../window/offers.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { insertInto, visibleEditor } from './insertImage.ts';
import { bytesOf, imageIn, type LeftImage } from './leftImages.ts';
import { askLeftImage, type LeftImageRow, rowsOfLeftImages } from './pickLeftImage.ts';

/** As of the commands that convert a file. */
const usualQuality = 90;

export interface AdditionServices {
  engine: EngineHost;
  folders: WorkspaceFolders;
  settings: Settings;
  targets: SaveTargets;
  documents: () => Promise<Documents>;
}

/**
 * `limner.addToProject`: copies an image that another agent or program left into the workspace, with a name, finished, and
 * named in the document as the user likes. The original stays.
 *
 * @throws LimnerError `unsupported_image` for what isn't an image or is damaged, `invalid_request` for what can't be read,
 *   `save_failed`; nothing was written
 * @throws vscode.CancellationError when the user dismissed a question
 */
export async function addToProject(
  services: AdditionServices,
  first: unknown,
  second: unknown,
): Promise<void> {
  const root = await services.folders.current(true);
  const folder = root
    ? vscode.Uri.joinPath(root, services.settings.folder(root))
    : await folderWithoutWorkspace();
  const passed = passedFiles(first, second).map((file) => imageIn(resolveLocation(file, root)));
  for (const image of passed.length > 0 ? passed : [undefined]) {
    await new Addition(services, folder, image).run();
  }
}

/** An image with what was found in it. */
interface ReadImage extends LeftImage {
  bytes: Uint8Array;
  extension: string;
  /** Whether Limner can change it. */
  isEditable: boolean;
  prompt?: string;
}

/** The questions about one image, and the copy that they lead to. */
class Addition {
  readonly #services: AdditionServices;
  readonly #title: string;
  readonly #given: LeftImage | undefined;
  readonly #editor = visibleEditor();
  #image: ReadImage | undefined;
  #folder: vscode.Uri;
  #name: string | undefined;
  #inserts = false;
  #finish: Finish | undefined;

  constructor(services: AdditionServices, folder: vscode.Uri, given: LeftImage | undefined) {
    this.#services = services;
    this.#folder = folder;
    this.#given = given;
    this.#title = given ? plainText(l10n.t('Add {0} to Project', given.name)) : l10n.t('Add to Project');
  }

  async run(): Promise<void> {
    if (this.#given) {
      await this.#take(this.#given);
    }
    const rows = this.#given ? [] : await rowsOfLeftImages();
    const pick: Step = async (place) => this.#askImage(rows, place);
    await walk(() => [
      ...(this.#given ? [] : [pick]),
      this.#askName,
      ...(this.#editor ? [this.#askInsertion] : []),
      ...(this.#image?.isEditable === false ? [] : [this.#askFinish]),
    ]);
    await this.#save();
  }

  async #take(image: LeftImage, signal?: AbortSignal): Promise<void> {
    const name = plainText(image.name);
    const bytes = await bytesOf(image, signal);
    const format = sniffImage(bytes);
    // The bytes may be handed over.
    const flaw = format && (await (await this.#codecs()).flawOf(bytes.slice()));
    if (flaw !== undefined) {
      throw refuse('unsupported_image', l10n.t('{0} is damaged: {1}. Nothing was added.', name, told(flaw)));
    }
    const { prompt } = (await toldBy(bytes)) ?? {};
    this.#image = {
      ...image,
      bytes,
      extension: (format ?? sniffOther(bytes))?.extension ?? '',
      isEditable: format !== undefined,
      ...(prompt !== undefined && { prompt }),
    };
    this.#name = undefined;
  }

  async #askImage(rows: readonly LeftImageRow[], place: StepPosition): Promise<Direction> {
    const { image } = await askLeftImage(this.#title, rows, this.#services.engine, place);
    const stop = new AbortController();
    const subscription = place.answered?.dismissed.onCancellationRequested(() => stop.abort());
    try {
      if (image) {
        await this.#take(image, stop.signal);
      } else {
        place.answered?.close();
        const texts = { title: this.#title, openLabel: l10n.t('Choose') };
        await this.#take(imageIn(await pickImage(texts, shownExtensions)));
      }
    } finally {
      subscription?.dispose();
    }
    return 'next';
  }

  readonly #askName = async (place: StepPosition): Promise<Direction> => {
    const image = this.#taken;
    const { targets } = this.#services;
    const target = await targets.intended({ folder: this.#folder, asks: false });
    const folder = { iconPath: new vscode.ThemeIcon('folder'), tooltip: l10n.t('Change Folder…') };
    const question = {
      title: this.#title,
      prompt: image.isEditable
        ? l10n.t('File name in {0}: the ending .png, .jpg, or .webp converts the image.', folderName(target))
        : l10n.t('File name in {0}', folderName(target)),
      value: this.#name ?? this.#proposedName(),
      buttons: [folder],
      invalid: (text: string) => problemOfName(text, image),
    };
    const reply = await askText(question, place);
    if (reply.kind !== 'back') {
      this.#name = reply.value.trim();
    }
    if (reply.kind === 'button') {
      place.answered?.close();
      this.#folder = (await pickFolder()) ?? this.#folder;
      return 'again';
    }
    return reply.kind === 'back' ? 'back' : 'next';
  };

  readonly #askInsertion = async (place: StepPosition): Promise<Direction> => {
    const name = plainText(nameOf((this.#editor?.document ?? { uri: this.#folder }).uri));
    const items = [
      { label: l10n.t('Insert into {0}', name), inserts: true },
      { label: l10n.t("Don't Insert"), inserts: false },
    ];
    const placeholder = l10n.t('Should the document show the image at the cursor?');
    return takeAnswer(await askPick({ title: this.#title, placeholder, items }, place), ({ inserts }) => {
      this.#inserts = inserts;
    });
  };

  readonly #askFinish = async (place: StepPosition): Promise<Direction> => {
    const { bytes, name } = this.#taken;
    const size = dimensionsFromPrefix(bytes);
    const fit = { label: l10n.t('Fit…'), ask: askFit };
    const convert = { label: l10n.t('Convert…'), ask: askEncoding };
    const items: (vscode.QuickPickItem & { ask?: typeof askFit })[] = [
      {
        label: l10n.t('As It Is'),
        ...(size.kind === 'known' && { description: l10n.t('{0} pixels', sizeText(size)) }),
      },
      fit,
      ...(this.#encoding ? [] : [convert]),
    ];
    const placeholder = l10n.t('Should the copy have another size or format?');
    const reply = await askPick({ title: this.#title, placeholder, items }, place);
    if (reply.kind !== 'answer') {
      return 'back';
    }
    place.answered?.close();
    this.#finish = await reply.value.ask?.(name);
    return 'next';
  };

  get #taken(): ReadImage {
    if (!this.#image) {
      throw new Error('No image was chosen.');
    }
    return this.#image;
  }

  /** The format that the typed name asks for, if the image has another one. */
  get #encoding(): Finish['encoding'] {
    const asked = askedFormat(this.#name ?? '')?.format;
    return asked === undefined || sniffImage(this.#taken.bytes)?.mediaType === `image/${asked}`
      ? undefined
      : withQuality(asked, usualQuality);
  }

  #proposedName(): string {
    const { name, prompt, at } = this.#taken;
    const stem = parse(name).name;
    const values = {
      prompt: prompt ?? stem,
      model: '',
      at: new Date(at ?? Date.now()),
      index: 1,
      name: stem,
      id: '',
    };
    return renderFileName(this.#services.settings.fileName(this.#folder), values);
  }

  async #save(): Promise<void> {
    const { bytes, extension, prompt, name } = this.#taken;
    const { engine, targets } = this.#services;
    const given = this.#name ?? '';
    const encoding = this.#encoding;
    const how = this.#finish ?? (encoding && {});
    const target = await targets.resolve({ folder: this.#folder, asks: true });
    const saved = how
      ? (await finishBytes(await this.#codecs(), name, bytes, { ...how, ...(encoding && { encoding }) }))
          .bytes
      : bytes;
    const format = sniffImage(saved);
    const asked = askedFormat(given);
    const ending =
      asked && format?.mediaType === `image/${asked.format}`
        ? asked.extension
        : `.${format?.extension ?? extension}`;
    const file = await publishBytes(
      engine.home,
      saved,
      vscode.Uri.parse(target.folder, true),
      `${stemOf(given, extension)}${ending}`,
    ).catch((error: unknown) => {
      throw asSaveError(error, 'no');
    });
    void offer(
      vscode.window.showInformationMessage,
      l10n.t('Saved {0}.', plainText(nameOf(file))),
      commandAction(l10n.t('Open'), 'vscode.open', file),
      commandAction(l10n.t('Reveal'), 'revealInExplorer', file),
    );
    const size = dimensionsFromPrefix(saved);
    if (this.#inserts && this.#editor) {
      const { document, viewColumn } = this.#editor;
      const reader = await this.#services.documents();
      const shown = {
        uri: file,
        alt: prompt ?? reader.altFor(file),
        ...(size.kind === 'known' && { width: size.width, height: size.height }),
      };
      // The user may have closed or left it meanwhile.
      await insertInto(await vscode.window.showTextDocument(document, viewColumn), [shown], reader);
    }
  }

  async #codecs(): Promise<Codecs> {
    return (await this.#services.engine.get()).codecs();
  }
}

/** Returns a typed name without the extension of an image. */
function stemOf(name: string, extension: string): string {
  const ending = `.${extension}`;
  return name.toLowerCase().endsWith(ending) ? name.slice(0, -ending.length) : withoutExtension(name);
}

/** Says why a name can't be that of a file, if it can't. */
function problemOfName(text: string, { extension, isEditable }: ReadImage): string | undefined {
  const name = text.trim();
  const stem = stemOf(name, extension);
  const other = foreignExtension(stem) ?? (isEditable ? undefined : askedFormat(stem)?.extension);
  if (other !== undefined) {
    return l10n.t("Limner can't convert this image to {0}.", other);
  }
  return isFixedName(stem) ? undefined : l10n.t('Enter a file name.');
}
