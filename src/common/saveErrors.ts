import { fileTrouble, isSystemError, type SystemError } from './fileErrors.ts';
import { type Billing, isLimnerError, LimnerError } from './limnerError.ts';
import { messageOf } from './messageOf.ts';

function wordsFor(error: SystemError): string {
  switch (fileTrouble(error)) {
    case 'full':
      return 'The disk is full.';
    case 'denied':
    case 'readOnly':
      return "The folder isn't writable.";
    case 'gone':
    case 'notFolder':
      return 'The folder no longer exists.';
    case 'exists':
      return 'A file with the name of the folder exists.';
    case 'busy':
      return 'Another program is using the file.';
    case 'nameTooLong':
      return 'The file name is too long for this disk.';
    case 'unavailable':
    case undefined:
      return `A disk error occurred (${error.code}).`;
  }
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
