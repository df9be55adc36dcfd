import type { Clock } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import type { Transport } from '../../service/http/transport.ts';
import type { KeyRing } from './keyRing.ts';
import type { SaveTarget } from './task.ts';

/** Settings, read anew at each use. */
export interface EngineSettings {
  maxConcurrentTasks: number;
  /** How long a synchronous response may take to begin, in milliseconds. */
  requestTimeout: number;
  historyLimit: number;
  /** How long a finished task is kept, in milliseconds; `Infinity` to keep all. */
  historyAge: number;
  /** Hosts that may serve results from a private address. */
  resultHosts: readonly string[];
  /** Origins, besides loopback, that the user allowed over plain HTTP. */
  plainHttpOrigins: readonly string[];
  /** The budget as a user wrote it, checked by `readBudget`. */
  budget: unknown;
}

export const defaultSettings: EngineSettings = {
  maxConcurrentTasks: 4,
  requestTimeout: 900_000,
  historyLimit: 5000,
  historyAge: Infinity,
  resultHosts: [],
  plainHttpOrigins: [],
  budget: {},
};

/** The transports for each use: every POST, every poll, every download of a result. */
export interface Transports {
  posts: Transport;
  polls: Transport;
  downloads: Transport;
}

/** Publishes finished bytes without ever overwriting a file. */
export interface Publisher {
  /**
   * @param stagedPath path of the finished bytes, which stay there
   *
   * @param name file name with extension; `-2`, `-3` … is added while it is taken
   * @param key names the image in a temporary file name, the same in every attempt
   * @returns URI string of the new file
   * @throws LimnerError `save_failed`
   */
  publish(stagedPath: string, target: SaveTarget, name: string, key: string): Promise<string>;

  /**
   * Finds an image that an interrupted run may have published: a file with these bytes and this name, or the name with
   * `-2`, `-3` …. Without this method, a crash at that very moment may publish an image twice.
   *
   * @param sha256 of the bytes, in hex
   * @returns URI string of the file; undefined if it doesn't exist
   */
  find?(target: SaveTarget, name: string, sha256: string): Promise<string | undefined>;
}

/** A message about the engine itself for the user. */
export interface Notice {
  /** The task list, damaged or from a newer Limner, was replaced by a new one. */
  code: 'database_corrupt' | 'database_newer';
  file: string;
  /** How many tasks of a damaged list were readable and are in the new one. */
  tasks?: number;
}

export interface EngineOptions {
  /** Folder on disk that holds `limner.db`, `incoming/`, and `inbox/`. */
  home: string;
  transports: Transports;
  keys: KeyRing;
  settings(): EngineSettings;
  log: Log;
  clock?: Clock;
  /** Takes over only tasks that were sent to this origin; all if absent. */
  origin?: string;
  /** No user can resolve errors: tasks that need a user soon end, and can be resumed. */
  isUnattended?: true;
  /**
   * Returns the publisher for a target that is not on disk; undefined while this window can't write there, for instance
   * because it does not have the target's workspace open.
   */
  publisher?(target: SaveTarget): Promise<Publisher | undefined>;
  /**
   * Resolves while this window can work. A window whose user disconnected lives on for hours, but every question stays
   * open, even the one for the key. Its tasks go to another window.
   */
  present?: () => Promise<unknown>;
  notice?(notice: Notice): void;
}
