import { statSync } from 'node:fs';
import { type Billing, isLimnerError, LimnerError } from './limnerError.ts';
import { messageOf } from './messageOf.ts';

/** An error of the operating system. */
export interface SystemError extends Error {
  code: string;
  /** What was refused, such as `rename`. */
  syscall?: string;
  /** What was to be replaced. */
  dest?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** Why a file or folder can't be used. */
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

/** By the codes of Node.js and of file systems of the editor. */
const troubles = new Map<string, FileTrouble>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['NoPermissions', 'denied'],
  ['EROFS', 'readOnly'],
  ['ENOENT', 'gone'],
  ['FileNotFound', 'gone'],
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

/** What Windows says of a file that another program has open, also of a folder from which one isn't gone yet. */
const refusals = new Set(['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY']);
/** What Windows lets nobody do to such a file, as errors of Node.js name it. */
const refused = new Set(['rename', 'unlink', 'rm', 'rmdir', 'copyfile']);

/** Whether Windows refuses to do something to a file, perhaps only as long as another program has it open. */
export function isHeld(error: unknown): boolean {
  return isRefusal(error) && !isProtected(error);
}

function isRefusal(error: unknown): error is SystemError {
  return (
    process.platform === 'win32' && isSystemError(error) && (refusals.has(error.code) || isEditors(error))
  );
}

/** Whether it is such a refusal as the editor passes it on, for some of which it has no code. */
function isEditors({ code, message }: SystemError): boolean {
  return code === 'NoPermissions' || (code === 'Unknown' && /\bE(?:BUSY|PERM|ACCES)\b/u.test(message));
}

/** Whether a file that was to be replaced is read-only, which Windows refuses in the same words. */
function isProtected({ dest = '' }: SystemError): boolean {
  try {
    const found = statSync(dest);
    return found.isFile() && (found.mode & 0o222) === 0;
  } catch {
    return false;
  }
}

/** Returns what an error of a file system means; undefined when it is another one. */
export function fileTrouble(error: unknown): FileTrouble | undefined {
  if (!isSystemError(error)) {
    return undefined;
  }
  if (isRefusal(error) && isProtected(error)) {
    return 'protected';
  }
  return wasWaitedFor(error) ? 'busy' : troubles.get(error.code);
}

/** Whether an error is one that `src/common/disk/heldFiles.ts` has waited for: opening a file is not. */
export function wasWaitedFor(error: unknown): boolean {
  return isRefusal(error) && !isProtected(error) && (refused.has(error.syscall ?? '') || isEditors(error));
}

const words: Partial<Record<FileTrouble, string>> = {
  full: 'The disk is full.',
  denied: "The folder isn't writable.",
  readOnly: "The folder isn't writable.",
  gone: 'The folder no longer exists.',
  notFolder: 'The folder no longer exists.',
  exists: 'A file with the name of the folder exists.',
  busy: 'Another program is using the file.',
  protected: 'The file is read-only.',
  nameTooLong: 'The file name is too long for this disk.',
};

function wordsFor(error: SystemError): string {
  const trouble = fileTrouble(error);
  return (trouble && words[trouble]) ?? `A disk error occurred (${error.code}).`;
}

/** Returns a `save_failed`; what couldn't be saved was paid for, unless said otherwise. */
export function saveFailed(message: string, billing: Billing = 'yes', cause?: unknown): LimnerError {
  return new LimnerError('save_failed', message, { phase: 'save', billing, cause });
}

/** Returns any error of saving as a `LimnerError`, those of the operating system in words. */
export function asSaveError(error: unknown, billing: Billing = 'yes'): LimnerError {
  if (isLimnerError(error)) {
    return error;
  }
  return saveFailed(isSystemError(error) ? wordsFor(error) : messageOf(error), billing, error);
}
