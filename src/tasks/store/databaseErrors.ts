import { asSaveError } from '../../common/fileErrors.ts';
import { messageOf } from '../../common/messageOf.ts';

/** Primary SQLite result code of an error, when it is one (https://sqlite.org/rescode.html). */
function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

export function isDatabaseError(error: unknown): boolean {
  return sqliteCode(error) !== undefined;
}

/** Whether another connection holds the lock: a retry may work. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 5 || code === 6;
}

/** Whether the file is damaged or isn't a database; a number that is too large for this program is damage, too. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 11 || code === 26 || isOutOfRange(error);
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

/** Whether a part of the file cannot be read, and others perhaps can. */
export function isUnreadable(error: unknown): boolean {
  return isCorrupt(error) || sqliteCode(error) === 10;
}

/** Returns why the task list could not be read or written, in a sentence. */
export function databaseTrouble(error: unknown): string {
  switch (sqliteCode(error)) {
    case undefined:
      return asSaveError(error).message;
    case 3:
    case 8:
    case 14:
    case 23:
      return "The file or its folder isn't writable.";
    case 5:
    case 6:
      return 'Another program is using the file.';
    case 11:
    case 26:
      return 'The file is damaged.';
    case 13:
      return 'The disk is full.';
    default:
      return `A disk error occurred (${messageOf(error)}).`;
  }
}
