import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import * as vscode from 'vscode';
import type { Damage } from '../../images/damage/damage.ts';
import type { Dimensions } from '../../images/formats/dimensions.ts';
import { readUprightSize } from '../../images/formats/orientation.ts';
import type { TaskInput } from '../../tasks/task.ts';
import { describeInput, isDamagedInput, type InputRole } from '../../tasks/files/taskInput.ts';
import { portableName } from '../../tasks/files/fileNames.ts';
import { newInputFile } from './inputFolder.ts';
import { largestInput, requireSize } from '../../common/disk/regularFile.ts';
import { requireConfirmation } from '../questions/confirm.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import * as commands from '../commandIds.ts';
import type { ErrorAction } from '../failures/errorText.ts';
import { refuse } from '../questions/refusal.ts';
import { activeFile, type WorkspaceFolders } from '../questions/workspaceFolders.ts';
import { passedFiles, resolveLocation } from './paintArguments.ts';
import { type ErrorCode, isLimnerError } from '../../common/limnerError.ts';
import { messageOf } from '../../common/messageOf.ts';

export interface InputImage {
  /** The person's own file, which the result is saved beside; undefined for a pasted image. */
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
      vscode.l10n.t("{0} wasn't found. It may have been moved or deleted.", name),
    );
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    throw refuseImage('unsupported_image', vscode.l10n.t('{0} is a folder, not an image.', name));
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
        vscode.l10n.t(
          '{0} is damaged: {1}. Nothing was sent. Open it in an image editor and save it again, or choose another image.',
          name,
          damageText(error.damage),
        ),
      );
    }
    throw isLimnerError(error) && error.code === 'unsupported_image'
      ? refuseImage('unsupported_image', notAnImage(name))
      : refuseImage('invalid_request', vscode.l10n.t("Couldn't read {0}: {1}", name, messageOf(error)));
  }
}

/** Longest name of a copy, in UTF-8 bytes. */
const maxCopyName = 60;

/**
 * Warns of images that are so large that a service may reject them, before anything is sent.
 *
 * @throws vscode.CancellationError when the person declines
 */
export async function warnOfLargeImages(images: readonly InputImage[]): Promise<void> {
  const large = images.find(isVeryLarge);
  if (!large) {
    return;
  }
  await requireConfirmation(
    vscode.l10n.t('{0} is very large: {1}.', plainText(large.name), sizeText(large)),
    vscode.l10n.t('Edit Anyway'),
    vscode.l10n.t('Sending it takes a while, and the service may reject it. A smaller copy may be enough.'),
  );
}

/** Asks which images to edit; undefined when the person dismissed it. */
export async function pickImages(
  title = vscode.l10n.t('Edit Image'),
  openLabel = vscode.l10n.t('Edit'),
): Promise<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    title,
    openLabel,
    canSelectMany: true,
    filters: { [vscode.l10n.t('Images')]: extensions },
  });
}

/**
 * Returns the images that a menu or a program passed to a command, else the one in the active tab, else those that the
 * person picks.
 *
 * @throws LimnerError `unsupported_image` for a file that has no name of an image
 * @throws vscode.CancellationError when the person picks none
 */
export async function imagesMeant(
  folders: WorkspaceFolders,
  first: unknown,
  second: unknown,
): Promise<[vscode.Uri, ...vscode.Uri[]]> {
  const root = await folders.current(false);
  const passed = passedFiles(first, second).map((file) => resolveLocation(file, root));
  const active = activeFile();
  const meant = passed.length > 0 ? passed : active && looksLikeImage(active) ? [active] : undefined;
  const files = meant ?? (await pickImages(vscode.l10n.t('Choose Images'), vscode.l10n.t('Choose'))) ?? [];
  const other = files.find((file) => !looksLikeImage(file));
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
    return vscode.l10n.t("The contents of {0} aren't a PNG, JPEG, or WebP image.", name);
  }
  return ['svg', 'gif', 'avif', 'bmp', 'tif', 'tiff', 'heic', 'ico'].includes(extension)
    ? vscode.l10n.t(
        "Limner can't use {0} images. Save {1} as a PNG in an image editor, and add that.",
        extension.toUpperCase(),
        name,
      )
    : vscode.l10n.t("{0} isn't an image Limner can use (PNG, JPEG, or WebP).", name);
}

/** Whether a file has the name of an image. */
export function looksLikeImage(uri: vscode.Uri): boolean {
  return new RegExp(`\\.(?:${extensions.join('|')})$`, 'i').test(uri.path);
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
  return refuse(code, message, [chooseImage(vscode.l10n.t('Choose Another Image…'))]);
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

export function sizeText({ input, dimensions }: Pick<InputImage, 'input' | 'dimensions'>): string {
  const megabytes = vscode.l10n.t('{0} MB', Math.max(1, Math.round(input.size / 1024 / 1024)));
  return dimensions ? `${dimensions.width} × ${dimensions.height}, ${megabytes}` : megabytes;
}

/** Says what is wrong with an image file, to follow "The file is damaged: ". */
function damageText({ what, chunk, offset }: Damage): string {
  switch (what) {
    case 'format':
      return vscode.l10n.t("it isn't a PNG, JPEG, or WebP image");
    case 'checksum':
      return vscode.l10n.t('the checksum of chunk {0} at byte {1} is wrong', chunk, offset);
    case 'truncated':
      return vscode.l10n.t("it's truncated in or right after {0} at byte {1}", chunk, offset);
    case 'order':
      return vscode.l10n.t('{0} at byte {1} is out of place', chunk, offset);
    case 'missing':
      return vscode.l10n.t('{0} is missing before byte {1}', chunk, offset);
    case 'contents':
      return vscode.l10n.t('the contents of {0} at byte {1} are invalid', chunk, offset);
    case 'unknown':
      return vscode.l10n.t("{0} at byte {1} isn't a valid chunk in this format", chunk, offset);
    case 'pixels':
      return vscode.l10n.t("the pixel data starting with {0} at byte {1} can't be read", chunk, offset);
  }
}
