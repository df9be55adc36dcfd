/** An error of the operating system. */
export interface SystemError extends Error {
  code: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** Why a file or folder can't be used. */
export type FileTrouble =
  'full' | 'denied' | 'readOnly' | 'gone' | 'notFolder' | 'exists' | 'busy' | 'nameTooLong' | 'unavailable';

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
  ['EEXIST', 'exists'],
  ['FileExists', 'exists'],
  ['EBUSY', 'busy'],
  ['ENAMETOOLONG', 'nameTooLong'],
  ['Unavailable', 'unavailable'],
]);

/** Returns what an error of a file system means; undefined when it is another one. */
export function fileTrouble(error: unknown): FileTrouble | undefined {
  return isSystemError(error) ? troubles.get(error.code) : undefined;
}
