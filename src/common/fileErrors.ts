import { statSync } from 'node:fs';
import * as english from './english.ts';
import { type Billing, isLimnerError, LimnerError, messageOf } from './limnerError.ts';

export interface SystemError extends Error {
  code: string;
  /** The call that failed, such as `rename`. */
  syscall?: string;
  dest?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

export type FileTrouble =
  | 'full'
  | 'denied'
  | 'readOnly'
  | 'gone'
  | 'notFolder'
  | 'isFolder'
  | 'exists'
  | 'busy'
  | 'protected'
  | 'nameTooLong'
  | 'unavailable';

/** Reasons by the error codes of Node.js and of VS Code's file systems. */
const troubles = new Map<string, FileTrouble>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['NoPermissions', 'denied'],
  ['EROFS', 'readOnly'],
  ['ENOTDIR', 'notFolder'],
  ['FileNotADirectory', 'notFolder'],
  ['EISDIR', 'isFolder'],
  ['FileIsADirectory', 'isFolder'],
  ['EEXIST', 'exists'],
  ['FileExists', 'exists'],
  ['EBUSY', 'busy'],
  ['ENAMETOOLONG', 'nameTooLong'],
  ['Unavailable', 'unavailable'],
]);

export function isGone(error: unknown): boolean {
  return isSystemError(error) && (error.code === 'ENOENT' || error.code === 'FileNotFound');
}

/** Codes that Windows reports for a file that another program has open, and for a folder with such a file in it. */
const refusals = new Set(['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY']);
/** System calls that Windows refuses for such a file, as Node.js names them. */
const refused = new Set(['rename', 'unlink', 'rm', 'rmdir', 'copyfile']);

/** Whether Windows refuses to change a file, perhaps only while another program has it open. */
export function isHeld(error: unknown): boolean {
  return isRefusal(error) && !isProtected(error);
}

function isRefusal(error: unknown): error is SystemError {
  return (
    process.platform === 'win32' && isSystemError(error) && (refusals.has(error.code) || isEditors(error))
  );
}

/** Whether an error is such a refusal as VS Code reports it. Some of its errors have no code. */
function isEditors({ code, message }: SystemError): boolean {
  return code === 'NoPermissions' || (code === 'Unknown' && /\bE(?:BUSY|PERM|ACCES)\b/u.test(message));
}

/** Whether the file to be replaced is read-only. Windows reports this with the same code. */
function isProtected({ dest = '' }: SystemError): boolean {
  try {
    const found = statSync(dest);
    return found.isFile() && (found.mode & 0o222) === 0;
  } catch {
    return false;
  }
}

/** Returns the meaning of a file system error; undefined for other errors. */
export function fileTrouble(error: unknown): FileTrouble | undefined {
  if (!isSystemError(error)) {
    return undefined;
  }
  if (isRefusal(error) && isProtected(error)) {
    return 'protected';
  }
  if (isGone(error)) {
    return 'gone';
  }
  return wasWaitedFor(error) ? 'busy' : troubles.get(error.code);
}

/** Whether `src/common/heldFiles.ts` has already waited because of an error. It doesn't wait to open a file. */
export function wasWaitedFor(error: unknown): boolean {
  return isRefusal(error) && !isProtected(error) && (refused.has(error.syscall ?? '') || isEditors(error));
}

const words: Partial<Record<FileTrouble, string>> = {
  full: english.t('The disk is full.'),
  denied: english.t("The folder isn't writable."),
  readOnly: english.t("The folder isn't writable."),
  gone: english.t('The folder no longer exists.'),
  notFolder: english.t('The folder no longer exists.'),
  exists: english.t('A file with the name of the folder exists.'),
  busy: english.t('Another program is using the file.'),
  protected: english.t('The file is read-only.'),
  nameTooLong: english.t('The file name is too long for this disk.'),
};

function wordsFor(error: SystemError): string {
  const trouble = fileTrouble(error);
  return (trouble && words[trouble]) ?? english.t('A disk error occurred ({0}).', error.code);
}

/** Returns a `save_failed` error. By default, the image that couldn't be saved was paid for. */
export function saveFailed(message: string, billing: Billing = 'yes', cause?: unknown): LimnerError {
  return new LimnerError('save_failed', message, { phase: 'save', billing, cause });
}

/** Returns any error of saving as a `LimnerError`, with a readable message for errors of the operating system. */
export function asSaveError(error: unknown, billing: Billing = 'yes'): LimnerError {
  if (isLimnerError(error)) {
    return error;
  }
  return saveFailed(isSystemError(error) ? wordsFor(error) : messageOf(error), billing, error);
}
