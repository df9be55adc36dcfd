import { type Billing, isLimnerError, LimnerError } from './limnerError.ts';

/** An error of the operating system. */
export interface SystemError extends Error {
  code: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

function wordsFor(error: SystemError): string {
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'The folder cannot be written.';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'The folder is gone.';
    case 'EEXIST':
      return 'A file has the name of the folder.';
    case 'EBUSY':
      return 'Another program holds the file.';
    case 'ENAMETOOLONG':
      return 'The file name is too long for this disk.';
    default:
      return `The disk failed (${error.code}).`;
  }
}

/** A `save_failed`; what could not be saved was paid for, unless said otherwise. */
export function saveFailed(message: string, billing: Billing = 'yes', cause?: unknown): LimnerError {
  return new LimnerError('save_failed', message, { phase: 'save', billing, cause });
}

/** Whatever went wrong while saving, as a `LimnerError`: those of the operating system in words. */
export function asSaveError(error: unknown, billing: Billing = 'yes'): LimnerError {
  if (isLimnerError(error)) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return saveFailed(isSystemError(error) ? wordsFor(error) : message, billing, error);
}
