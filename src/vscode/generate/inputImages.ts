import { link, open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as english from '../../common/english.ts';
import { copyFile } from '../../common/heldFiles.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { newInputPath } from '../../engine/files/inputFolder.ts';
import type { Damage } from '../../images/formats/damage.ts';
import type { Dimensions } from '../../images/formats/dimensions.ts';
import { readUprightSize } from '../../images/formats/animation.ts';
import type { TaskInput } from '../../engine/task/task.ts';
import { describeInput, isDamagedInput, type InputRole } from '../../engine/files/taskInput.ts';
import { portableName } from '../../engine/task/fileNames.ts';
import { largestInput, requireSize } from '../../common/regularFile.ts';
import { requireConfirmation, type WorkspaceFolders } from '../ask/confirm.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import * as commands from '../window/commandIds.ts';
import type { ErrorAction } from '../window/offers.ts';
import { refuse } from '../ask/refusal.ts';
import { passedFiles, resolveLocation } from './paintArguments.ts';
import { type ErrorCode, isLimnerError, messageOf } from '../../common/limnerError.ts';
import { sizeText } from '../../common/text.ts';
import { activeImage, hasExtension } from '../ask/pictures.ts';
import { inEnglish } from '../../engine/messages/language.ts';

/** Returns a new path for an input file or a mask of a task. It is kept as long as the task, which may be run again. */
export async function newInputFile(engine: EngineHost, name: string): Promise<vscode.Uri> {
  const { store } = await engine.get();
  return vscode.Uri.file(await newInputPath(engine.home.fsPath, () => store.inputPaths(), name));
}

/** Keeps a file for a task, whatever becomes of the original. @returns its path */
export async function keepForTask(engine: EngineHost, path: string): Promise<string> {
  const { fsPath } = await newInputFile(engine, basename(path));
  await link(path, fsPath).catch(async () => copyFile(path, fsPath));
  return fsPath;
}

export interface InputImage {
  /** The user's own file, which the result is saved beside; undefined for a pasted image. */
  original: vscode.Uri | undefined;
  name: string;
  input: TaskInput;
  /** In pixels; undefined when the file does not say. */
  dimensions: Dimensions | undefined;
}

/** Extensions of the images that an edit takes. */
const extensions = ['png', 'jpg', 'jpeg', 'webp'];
/** Services take input images up to about this size, in pixels. */
const maxPixels = 50_000_000;

export interface ReadOptions {
  newCopy?: (name: string) => Promise<vscode.Uri>;
  /** Path of a copy that is read instead of the file. */
  copy?: string;
  role?: InputRole;
}

/**
 * Reads a file that is to be edited: it must exist, and be an image by its contents. One that is not on disk is copied
 * there.
 *
 * @param options `newCopy` makes that place, which is kept for tasks if it is not given
 * @throws LimnerError `invalid_request` when it cannot be read, `unsupported_image` when it isn't an image or
 * is damaged
 */
export async function readImage(
  engine: EngineHost,
  uri: vscode.Uri,
  { newCopy = async (name) => newInputFile(engine, name), copy, role = 'image' }: ReadOptions = {},
): Promise<InputImage> {
  const name = basename(uri.path);
  const stat = await statOf(uri);
  if (!stat) {
    throw refuseImage(
      'invalid_request',
      english.t("{0} wasn't found. It may have been moved or deleted.", name),
    );
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    throw refuseImage('unsupported_image', english.t('{0} is a folder, not an image.', name));
  }
  try {
    requireSize(stat.size, largestInput);
    const own = uri.scheme === 'file' ? uri.fsPath : undefined;
    const path = copy ?? own ?? (await copyToDisk(uri, await newCopy(portableName(name, maxCopyName))));
    const input = await describeInput(path, uri.toString(), role);
    return { original: uri, name, input, dimensions: await dimensionsOf(path) };
  } catch (error) {
    if (isDamagedInput(error)) {
      throw refuseImage(
        'unsupported_image',
        role === 'mask'
          ? english.t(
              'The mask {0} is damaged: {1}. Save it again in an image editor, or choose another mask.',
              name,
              inEnglish(() => damageText(error.damage)),
            )
          : english.t(
              '{0} is damaged: {1}. Nothing was sent. Open it in an image editor and save it again, or choose another image.',
              name,
              inEnglish(() => damageText(error.damage)),
            ),
      );
    }
    throw isLimnerError(error) && error.code === 'unsupported_image'
      ? refuseImage('unsupported_image', notAnImage(name))
      : refuseImage('invalid_request', english.t("Couldn't read {0}: {1}", name, messageOf(error)));
  }
}

/** Longest name of a copy, in UTF-8 bytes. */
const maxCopyName = 60;

/**
 * Warns of images that are so large that a service may reject them, before anything is sent.
 *
 * @throws vscode.CancellationError when the user declines
 */
export async function warnOfLargeImages(images: readonly InputImage[]): Promise<void> {
  const large = images.find(isVeryLarge);
  if (!large) {
    return;
  }
  await requireConfirmation(
    l10n.t('{0} is very large: {1}.', plainText(large.name), inputSizeText(large)),
    l10n.t('Edit Anyway'),
    l10n.t('Sending it takes a while, and the service may reject it. A smaller copy may be enough.'),
  );
}

/** Asks which images to edit; undefined when the user dismissed it. */
export async function pickImages(
  title = l10n.t('Edit Image'),
  openLabel = l10n.t('Edit'),
): Promise<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    title,
    openLabel,
    canSelectMany: true,
    filters: { [l10n.t('Images')]: extensions },
  });
}

/**
 * Returns the images that a menu or a program passed to a command, else the one in the active tab, else those that the
 * user picks.
 *
 * @throws LimnerError `unsupported_image` for a file that has no name of an image
 * @throws vscode.CancellationError when the user picks none
 */
export async function imagesMeant(
  folders: WorkspaceFolders,
  first: unknown,
  second: unknown,
): Promise<[vscode.Uri, ...vscode.Uri[]]> {
  const root = await folders.current(false);
  const passed = passedFiles(first, second).map((file) => resolveLocation(file, root));
  const meant = passed.length > 0 ? passed : activeInput();
  const texts = [l10n.t('Choose Images'), l10n.t('Choose')] as const;
  const files = meant.length > 0 ? meant : ((await pickImages(...texts)) ?? []);
  const other = files.find((file) => !hasExtension(file, extensions));
  if (other) {
    throw refuse('unsupported_image', notAnImage(nameOf(other)));
  }
  const [one, ...others] = files;
  if (!one) {
    throw new vscode.CancellationError();
  }
  return [one, ...others];
}

/** Says that a file is not an image that can be edited. */
export function notAnImage(name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  if (extensions.includes(extension)) {
    return english.t("The contents of {0} aren't a PNG, JPEG, or WebP image.", name);
  }
  return ['svg', 'gif', 'avif', 'bmp', 'tif', 'tiff', 'heic', 'ico'].includes(extension)
    ? english.t(
        "Limner can't use {0} images. Save {1} as a PNG in an image editor, and add that.",
        extension.toUpperCase(),
        name,
      )
    : english.t("{0} isn't an image Limner can use (PNG, JPEG, or WebP).", name);
}

/** Returns the file in the active tab if it has the name of an image that can be edited. */
export function activeInput(): vscode.Uri[] {
  return activeImage(extensions);
}

/** Asks for images and edits them. */
export function chooseImage(title: string): ErrorAction {
  return {
    title,
    run: async () => {
      const picked = await pickImages();
      if (picked) {
        await vscode.commands.executeCommand(commands.edit, picked[0], picked);
      }
    },
  };
}

/** Refuses an image, with a button for choosing another one. */
function refuseImage(code: ErrorCode, message: string): Error {
  return refuse(code, message, [chooseImage(l10n.t('Choose Another Image…'))]);
}

/** Reads an image's dimensions as it is seen; undefined when the file does not say. */
export async function dimensionsOf(path: string): Promise<Dimensions | undefined> {
  const file = await open(path, 'r');
  try {
    return await readUprightSize(file);
  } finally {
    await file.close();
  }
}

async function copyToDisk(uri: vscode.Uri, copy: vscode.Uri): Promise<string> {
  await vscode.workspace.fs.copy(uri, copy);
  return copy.fsPath;
}

/** Whether a service may reject it for its size. */
export function isVeryLarge({ dimensions }: Pick<InputImage, 'dimensions'>): boolean {
  return (dimensions ? dimensions.width * dimensions.height : 0) > maxPixels;
}

export function inputSizeText({ input, dimensions }: Pick<InputImage, 'input' | 'dimensions'>): string {
  const megabytes = l10n.t('{0} MB', Math.max(1, Math.round(input.size / 1024 / 1024)));
  return dimensions ? `${sizeText(dimensions)}, ${megabytes}` : megabytes;
}

/** Returns the damage of an image file in words, to follow "The file is damaged: ". */
function damageText({ what, chunk, offset }: Damage): string {
  switch (what) {
    case 'format':
      return l10n.t("it isn't a PNG, JPEG, or WebP image");
    case 'checksum':
      return l10n.t('the checksum of chunk {0} at byte {1} is wrong', chunk, offset);
    case 'truncated':
      return l10n.t("it's truncated in or right after {0} at byte {1}", chunk, offset);
    case 'order':
      return l10n.t('{0} at byte {1} is out of place', chunk, offset);
    case 'missing':
      return l10n.t('{0} is missing before byte {1}', chunk, offset);
    case 'contents':
      return l10n.t('the contents of {0} at byte {1} are invalid', chunk, offset);
    case 'unknown':
      return l10n.t("{0} at byte {1} isn't a valid chunk in this format", chunk, offset);
    case 'pixels':
      return l10n.t("the pixel data starting with {0} at byte {1} can't be read", chunk, offset);
  }
}
