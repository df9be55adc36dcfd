import * as english from '../../common/english.ts';
import { asSaveError } from '../../common/fileErrors.ts';
import { messageOf } from '../../common/limnerError.ts';

/** Returns the extended SQLite result code of an error, if it has one (https://sqlite.org/rescode.html). */
function extendedCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

/** Returns the primary SQLite result code of an error, if it has one. */
function sqliteCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

export function isDatabaseError(error: unknown): boolean {
  return sqliteCode(error) !== undefined;
}

/** Returns an error as SQLite throws it where another connection holds the lock: some statements only report it. */
export function busy(): Error {
  return Object.assign(new Error(english.t('Another process is reading the task list.')), { errcode: 5 });
}

/** Whether another connection holds the lock, or another program has a file of SQLite open: a retry may work. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 5 || code === 6 || isHeldJournal(error);
}

/**
 * Whether a retry may work. On Windows, it may after each refusal, since a virus scanner may have the file open: SQLite
 * then fails to read or to open it, or opens it only for reading.
 */
export function mayPass(error: unknown): boolean {
  return isBusy(error) || (process.platform === 'win32' && [8, 10, 14].includes(sqliteCode(error) ?? 0));
}

/** Whether Windows refuses to delete a journal, perhaps because a virus scanner has it open. */
function isHeldJournal(error: unknown): boolean {
  return process.platform === 'win32' && extendedCode(error) === 0x0a_0a;
}

/** Whether the file is damaged or isn't a database. A number that is too large for this program counts as damage. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 11 || code === 26 || isOutOfRange(error);
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

/** Whether a row holds a value that its column forbids. */
export function isRowDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 1 || code === 19;
}

/** Whether a part of the file can't be read, while others perhaps can. */
export function isUnreadable(error: unknown): boolean {
  return isCorrupt(error) || sqliteCode(error) === 10;
}

export function databaseTrouble(error: unknown): string {
  if (isBusy(error)) {
    return english.t('Another program is using the file.');
  }
  switch (sqliteCode(error)) {
    case undefined:
      return asSaveError(error).message;
    case 3:
    case 8:
    case 14:
    case 23:
      return english.t("The file or its folder isn't writable.");
    case 11:
    case 26:
      return english.t('The file is damaged.');
    case 13:
      return english.t('The disk is full.');
    default:
      return english.t('A disk error occurred ({0}).', `${messageOf(error)}, code ${extendedCode(error)}`);
  }
}
