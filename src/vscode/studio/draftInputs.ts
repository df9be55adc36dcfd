import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { StudioInput } from '../../studio/protocol/state.ts';
import {
  keepForTask,
  newInputFile,
  dimensionsOf,
  type InputImage,
  isVeryLarge,
  notAnImage,
  readImage,
  inputSizeText,
} from '../generate/inputImages.ts';
import type { PaintOrder } from '../generate/paintRequest.ts';
import { refuse } from '../ask/refusal.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { isGone } from '../../common/fileErrors.ts';
import { isSame, statOf, isOwn } from '../window/files.ts';
import { RecentEdits } from '../taskList/edits.ts';
import { type DraftFile, type KeptInput, type FileVersion, hasChanged } from './draftFile.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import type { StudioImages } from './studioImages.ts';
import { fileUri, isSameFile } from '../../common/fileUris.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { slug } from '../../engine/task/fileNames.ts';
import { readOrientation } from '../../images/formats/animation.ts';
import { trimOf } from '../../images/formats/finishWishes.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { describeInput } from '../../engine/files/taskInput.ts';
import { told } from '../../engine/messages/told.ts';

/** Input images of the draft: rotated upright, shown, and sent. */
export class DraftInputs {
  readonly #engine: EngineHost;
  readonly #draft: DraftFile;
  readonly #images: StudioImages;

  constructor(engine: EngineHost, draft: DraftFile, images: StudioImages) {
    this.#engine = engine;
    this.#draft = draft;
    this.#images = images;
  }

  /**
   * Adds files as input images of the draft.
   *
   * @throws LimnerError for the first that isn't an image; then none is added
   */
  async takeFiles(uris: readonly vscode.Uri[]): Promise<StudioInput[]> {
    const inputs = await Promise.all(uris.map(async (uri) => this.#keptFile(uri)));
    await this.#draft.addInputs(inputs);
    return Promise.all(inputs.map(async (input) => this.shown(input)));
  }

  async takeFile(uri: vscode.Uri): Promise<StudioInput> {
    return this.#take(await this.#keptFile(uri));
  }

  /** Adds an image that was pasted, or dropped without its path. The draft keeps its bytes. */
  async takeBytes(name: string, bytes: Uint8Array): Promise<StudioInput> {
    const stem = slug(basename(name, extname(name))) || 'image';
    const format = sniffImage(bytes);
    if (!format) {
      throw noImage(name);
    }
    const path = await this.#draft.keepFile('inputs', `${stem}.${format.extension}`, bytes);
    const image = await this.#read(vscode.Uri.file(path));
    return this.#take(await this.kept({ ...image, name }));
  }

  async reload(id: string): Promise<StudioInput> {
    const kept = this.#draft.inputs.get(id);
    const original = kept && originalOf(kept);
    if (!original) {
      throw refuse('invalid_request', l10n.t('The input image was deleted or moved.'));
    }
    return this.takeFile(original);
  }

  get originals(): vscode.Uri[] {
    const { draft, inputs } = this.#draft;
    return draft.inputs.flatMap((id) => {
      const kept = inputs.get(id);
      return (kept && originalOf(kept)) ?? [];
    });
  }

  /** Returns the draft's inputs for the studio. @param others IDs of further inputs */
  async used(others: readonly string[] = []): Promise<StudioInput[]> {
    const { draft, inputs } = this.#draft;
    const used = [...new Set([...draft.inputs, ...others])].flatMap((id) => inputs.get(id) ?? []);
    return Promise.all(used.map(async (input) => this.shown(input)));
  }

  async #take(input: KeptInput): Promise<StudioInput> {
    await this.#draft.addInputs([input]);
    return this.shown(input);
  }

  /** Returns the record of a file, with its current state. */
  async #keptFile(uri: vscode.Uri): Promise<KeptInput> {
    // Taken before reading, so that no change in between is missed.
    const stat = await statOf(uri);
    const image = await this.#read(uri);
    const { sha256 } = image.input;
    return {
      ...(await this.kept(image)),
      original: { ...(stat && { mtime: stat.mtime, size: stat.size }), sha256 },
    };
  }

  async #read(uri: vscode.Uri): Promise<InputImage> {
    return readQuietly(this.#engine, uri, {
      newCopy: async (name) => vscode.Uri.file(await this.#draft.newFile('inputs', name)),
    });
  }

  /** Returns the draft's record of an image. A rotated image is kept as an upright copy. */
  async kept(image: InputImage): Promise<KeptInput> {
    const bytes = await readFile(image.input.path);
    const isTurned = (await readOrientation(bytes)) !== 1;
    const { input, dimensions } = isTurned ? await this.#uprightCopy(image, bytes) : image;
    if (!dimensions) {
      throw noImage(image.name);
    }
    return {
      ...input,
      // The same unchanged file is the same input.
      id: hashOf(`${input.uri} ${input.sha256}`).slice(0, 20),
      name: image.name,
      ...dimensions,
      notes: [
        ...(isVeryLarge({ dimensions })
          ? [l10n.t('Very large: {0}. The service may reject it.', inputSizeText({ input, dimensions }))]
          : []),
        ...(isTurned ? [l10n.t('Rotated to its EXIF orientation.')] : []),
      ],
    };
  }

  async #uprightCopy(
    { input: { uri, path } }: InputImage,
    bytes: Uint8Array,
  ): Promise<Pick<InputImage, 'input' | 'dimensions'>> {
    const codecs = await (await this.#engine.get()).codecs();
    const name = `${basename(path, extname(path))}.png`;
    const upright = await this.#draft.keepFile('inputs', name, await codecs.upright(bytes));
    return { input: await describeInput(upright, uri), dimensions: await dimensionsOf(upright) };
  }

  /**
   * Returns the draft's order, with its images in their current state.
   *
   * @param mask PNG of the first input's size, transparent where the image changes
   */
  async order(draft: Draft, mask: Uint8Array | undefined): Promise<Omit<PaintOrder, 'model'>> {
    const used = draft.inputs.flatMap((id) => this.#draft.inputs.get(id) ?? []);
    const images = await Promise.all(used.map(async (input) => this.#readAgain(input)));
    return {
      ...orderOf(draft),
      images: images.length > 0 ? images : undefined,
      mask: mask && (await this.#writeMask(mask)),
      keepOutside: draft.keepOutside,
      asks: false,
    };
  }

  /** Reads the current input. Bytes that only the draft keeps are also kept for the task. */
  async #readAgain(kept: KeptInput): Promise<InputImage> {
    const path = this.#draft.holds(kept.path) ? await keepForTask(this.#engine, kept.path) : kept.path;
    const image = await readQuietly(this.#engine, vscode.Uri.file(path));
    if (image.input.sha256 !== kept.sha256) {
      throw refuse(
        'invalid_request',
        l10n.t('{0} has changed since it was added. Reload it, or remove it.', kept.name),
      );
    }
    const original = originalOf(kept);
    return {
      ...image,
      original,
      name: kept.name,
      input: { ...image.input, ...(original && { uri: original.toString() }) },
    };
  }

  /** Writes the mask to a file that is kept with its task. */
  async #writeMask(mask: Uint8Array): Promise<InputImage> {
    const file = await newInputFile(this.#engine, 'mask.png');
    await writeFile(file.fsPath, mask);
    return readImage(this.#engine, file);
  }

  /** Returns an input image for the studio, without a URL if its file is missing. */
  async shown(input: KeptInput): Promise<StudioInput> {
    const { uri: _, sha256: __, original: ___, ...shown } = input;
    const original = originalOf(input);
    const onDisk = original && (await this.#changeOf(original, input));
    return {
      ...shown,
      ...(onDisk && { onDisk }),
      url: (await this.#images.url(vscode.Uri.file(input.path))) ?? '',
      path: original ? vscode.workspace.asRelativePath(original, false) : '',
    };
  }

  /** Compares the file with its state when it was added. */
  async #changeOf(
    file: vscode.Uri,
    { path, sha256, original }: KeptInput,
  ): Promise<StudioInput['onDisk'] | undefined> {
    const { fs } = vscode.workspace;
    const isItself = isSameFile(file.toString(), fileUri(path));
    // A copy doesn't reveal its source: it may have been rotated.
    const then: FileVersion | undefined = original ?? (isItself ? { sha256 } : undefined);
    try {
      const now = await fs.stat(file);
      const isChanged = then && (await hasChanged(then, now, async () => fs.readFile(file)));
      if (!isChanged) {
        return undefined;
      }
      return this.#isReplacedBy(file, hashOf(await fs.readFile(file))) ? 'replaced' : 'changed';
    } catch (error) {
      return isGone(error) ? 'deleted' : undefined;
    }
  }

  /** Whether an edit with these contents replaced a file. The edit may be deleted since. */
  #isReplacedBy(file: vscode.Uri, sha256: string): boolean {
    const store = this.#engine.opened?.store;
    return (
      store !== undefined &&
      new RecentEdits(store).replacing.some(
        ({ result, original }) => result.replacedOriginal?.sha256 === sha256 && isSame(original, file),
      )
    );
  }
}

/** Returns the draft's request without its images. */
export function orderOf(
  draft: Draft,
): Omit<PaintOrder, 'model' | 'images' | 'mask' | 'style' | 'keepOutside' | 'asks'> {
  return {
    prompt: draft.prompt,
    size: draft.size,
    fit: draft.fit,
    fill: draft.fill,
    focus: draft.focus,
    multiples: draft.multiples === '16' ? 16 : draft.multiples || undefined,
    background: draft.transparent ? 'transparent' : undefined,
    trim: draft.transparent && draft.trim !== '' ? trimOf(draft.trim) : undefined,
    quality: draft.quality,
    n: draft.count,
    callStyle: draft.callStyle === 'auto' ? undefined : draft.callStyle,
    folder: draft.folder || undefined,
    fileName: draft.fileName || undefined,
  };
}

/** Returns the file that the user chose, beside which the result is saved; undefined for pasted bytes. */
export function originalOf({ uri }: KeptInput): vscode.Uri | undefined {
  const original = vscode.Uri.parse(uri, true);
  return isOwn(original) ? undefined : original;
}

/** Reads an image as `readImage` does, without its buttons: the studio has its own. */
export async function readQuietly(...given: Parameters<typeof readImage>): Promise<InputImage> {
  try {
    return await readImage(...given);
  } catch (error) {
    throw isLimnerError(error) ? refuse(error.code, told(error.message)) : error;
  }
}

function noImage(name: string): Error {
  return refuse('unsupported_image', notAnImage(name));
}
