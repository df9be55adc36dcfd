import { readlinkSync } from 'node:fs';
import fs, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { devNull } from 'node:os';

/** What a disk is asked to do; with the path where it goes by one. */
export type DiskOperation =
  | 'link'
  | 'mkdir'
  | 'open'
  | 'readdir'
  | 'realpath'
  | 'rename'
  | 'unlink'
  | 'write'
  | 'writeFile'
  | 'sync'
  | 'datasync';

export interface DiskFault {
  operation: DiskOperation;
  /** Of the operating system, such as `ENOSPC`; or `short`, of `write`: only some of the bytes are taken. */
  code: string;
  /** Which paths it is about. */
  on: (path: string) => boolean;
  /** How many times; for ever unless given. */
  times?: number;
}

type Method = (...parameters: unknown[]) => Promise<unknown>;

/** Paths of open files, as far as they were opened since a fault began. */
const paths = new WeakMap<object, string>();

/** Returns a path by its names, where it begins with a folder that is open. */
export function namedPath(path: string): string {
  const [, handle, rest = ''] = /^(\/proc\/self\/fd\/\d+)(.*)$/u.exec(path) ?? [];
  return handle === undefined ? path : readlinkSync(handle) + rest;
}

/** A fault that lasts until it is ended. */
export interface DiskFailure {
  end(): void;
  /** How often it happened. */
  count(): number;
}

/** Makes the disk fail for everyone in this process, at the file system calls of Node themselves. */
export async function failDisk({ operation, code, on, times = Infinity }: DiskFault): Promise<DiskFailure> {
  let count = 0;
  const happens = (path: unknown): boolean => {
    if (count >= times || typeof path !== 'string' || !on(namedPath(path))) {
      return false;
    }
    count++;
    return true;
  };
  const undo: (() => void)[] = [];
  const replace = (holder: object, name: string, make: (original: Method) => Method): void => {
    const original: unknown = Reflect.get(holder, name);
    if (typeof original !== 'function') {
      throw new Error(`There is no ${name}.`);
    }
    const call: Method = async function (this: unknown, ...parameters) {
      const result: unknown = Reflect.apply(original, this, parameters);
      return result;
    };
    Reflect.set(holder, name, make(call));
    undo.push(() => Reflect.set(holder, name, original));
  };
  if (operation === 'write' || operation === 'sync' || operation === 'datasync') {
    const handle = await open(devNull);
    const prototype: unknown = Object.getPrototypeOf(handle);
    await handle.close();
    if (typeof prototype !== 'object' || prototype === null) {
      throw new Error('A file handle has no prototype.');
    }
    replace(fs, 'open', (original) => async (path, ...rest) => {
      const opened = await original(path, ...rest);
      if (typeof opened === 'object' && opened !== null) {
        paths.set(opened, namedPath(String(path)));
      }
      return opened;
    });
    replace(
      prototype,
      operation,
      (original) =>
        async function (this: object, ...parameters) {
          if (!happens(paths.get(this))) {
            return Reflect.apply(original, this, parameters);
          }
          const [bytes] = parameters;
          if (code === 'short' && bytes instanceof Uint8Array) {
            return Reflect.apply(original, this, [bytes.subarray(0, Math.ceil(bytes.length / 3))]);
          }
          throw systemError(code, operation);
        },
    );
  } else {
    replace(fs, operation, (original) => async (...parameters) => {
      // The last path is the one that is made.
      const path = parameters
        .filter((parameter) => typeof parameter === 'string')
        .at(operation === 'open' ? 0 : -1);
      if (!happens(path)) {
        return original(...parameters);
      }
      throw systemError(code, operation);
    });
  }
  syncBuiltinESMExports();
  return {
    end: () => {
      for (const step of undo) {
        step();
      }
      syncBuiltinESMExports();
    },
    count: () => count,
  };
}

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: injected, ${syscall}`), { code, syscall });
}
