import { type FileTrouble, fileTrouble, isSystemError, type SystemError } from './fileErrors.ts';
import { type Billing, isLimnerError, LimnerError } from './limnerError.ts';
import { messageOf } from './messageOf.ts';

const words: Partial<Record<FileTrouble, string>> = {
  full: 'The disk is full.',
  denied: "The folder isn't writable.",
  readOnly: "The folder isn't writable.",
  gone: 'The folder no longer exists.',
  notFolder: 'The folder no longer exists.',
  exists: 'A file with the name of the folder exists.',
  busy: 'Another program is using the file.',
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
