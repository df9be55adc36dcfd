import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { Transport } from '../service/http/transport.ts';
import type { KeyRing } from './keyRing.ts';
import type { SaveTarget } from './task.ts';

/** Settings, read each time they matter. */
export interface EngineSettings {
  maxConcurrentTasks: number;
  /** How long a synchronous answer may take to begin, in milliseconds. */
  requestTimeout: number;
  historyLimit: number;
  /** How long a finished task is kept, in milliseconds; `Infinity` to keep all. */
  historyAge: number;
  /** Hosts that results may come from although their address is private. */
  resultHosts: readonly string[];
  /** Origins other than loopback that the person allowed to be called over plain http. */
  plainHttpOrigins: readonly string[];
  /** What may be spent, as a person wrote it; `readBudget` says what that may be. */
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

/** The transports by use: every POST, every poll, every download of a result. */
export interface Transports {
  posts: Transport;
  polls: Transport;
  downloads: Transport;
}

/** Puts finished bytes under a final name without ever overwriting. */
export interface Publisher {
  /**
   * @param stagedPath path of the finished bytes, left where they are
   * @param name file name with extension; `-2`, `-3` … is added while it is taken
   * @param key names the image in a temporary file name, the same in every attempt
   * @returns URI string of the new file
   * @throws LimnerError `save_failed`
   */
  publish(stagedPath: string, target: SaveTarget, name: string, key: string): Promise<string>;

  /**
   * Finds an image that an earlier run may have published before it was cut off: a file of this name, or of it with
   * `-2`, `-3` …, with these bytes. Without it, a crash at that very moment may publish an image twice.
   *
   * @param sha256 of the bytes, in hex
   * @returns URI string of the file, undefined when it doesn't exist
   */
  find?(target: SaveTarget, name: string, sha256: string): Promise<string | undefined>;
}

/** A message about the engine itself for the person. */
export interface Notice {
  /** The task list, damaged or from a newer Limner, was replaced by a new one. */
  code: 'database_corrupt' | 'database_newer';
  file: string;
  /** How many tasks of a damaged one could be read and are in the new one. */
  tasks?: number;
}

export interface EngineOptions {
  /** Folder on disk that holds `limner.db`, `incoming/` and `inbox/`. */
  home: string;
  transports: Transports;
  keys: KeyRing;
  settings(): EngineSettings;
  log: Log;
  clock?: Clock;
  /** Only tasks that were sent to this origin are taken over from others; without it, all. */
  origin?: string;
  /** Nobody sits by who could change what lets nothing through: tasks that meet that soon end, and can be resumed. */
  isUnattended?: true;
  /**
   * Publisher for a target that is not on disk; undefined while this window cannot write there,
   * for instance because the target's workspace is not open in it.
   */
  publisher?(target: SaveTarget): Promise<Publisher | undefined>;
  /**
   * Resolves while this window can work. One that lost its person lives on for hours without an answer to any question,
   * even for the key: its tasks go to another window.
   */
  present?: () => Promise<unknown>;
  notice?(notice: Notice): void;
}
