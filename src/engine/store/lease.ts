import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from './database.ts';
import { isBusy } from './databaseErrors.ts';
import type { Disposable } from '../../common/clock.ts';
import { processLives } from '../files/processLives.ts';
import type { EngineOptions } from '../task/ports.ts';
import type { OpenOptions } from './openDatabase.ts';

/** A task that this window works on, and the number that proves it when its row is written. */
export interface Lease {
  id: string;
  fence: number;
}

/** Without `present`, the heartbeat never stops. */
export type LeaseOptions = Pick<OpenOptions, 'clock' | 'log'> & Pick<EngineOptions, 'present' | 'origin'>;

/** Takes over the tasks of windows that died. */
export interface OrphanWatch {
  wantsOrphans: () => boolean;
  onOrphans: (leases: readonly Lease[]) => void;
}

/** The time between two heartbeats, and between two checks of the others, in milliseconds. */
const interval = 3000;

/** Consecutive checks without a new heartbeat after which an owner counts as dead: 9 s, at worst 12 s. */
const deadAfter = 3;

/** Owners in this very process, whose process ID does not tell whether they live. */
const ownersHere = new Set<string>();

/**
 * Leases of tasks by windows. A heartbeat is a growing number, not a time, so clock changes and sleep make nobody dead.
 * A window that takes over a task raises its fencing number; if the old owner wakes, it can no longer write the row.
 */
export class Leases {
  readonly owner = `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
  readonly #database: Database;
  readonly #options: LeaseOptions;
  readonly #owned = new Map<string, number>();
  /** Last heartbeat of each other owner, and how often in a row it was the same. */
  readonly #seen = new Map<string, { beat: number; silent: number }>();
  #timer: Disposable | undefined;
  #closed = false;

  constructor(database: Database, options: LeaseOptions) {
    this.#database = database;
    this.#options = options;
    ownersHere.add(this.owner);
  }

  /** Returns the fencing number under which this window holds a task; undefined if it does not. */
  fenceOf(id: string): number | undefined {
    return this.#owned.get(id);
  }

  get owned(): Lease[] {
    return [...this.#owned].map(([id, fence]) => ({ id, fence }));
  }

  add(id: string, fence: number): void {
    this.#owned.set(id, fence);
  }

  /** Records inside the caller's transaction that this owner lives. */
  beat(): void {
    this.#database.run(
      `INSERT INTO owners (owner, host, pid, beat) VALUES (?, ?, ?, 1)
       ON CONFLICT (owner) DO UPDATE SET beat = beat + 1`,
      this.owner,
      hostname(),
      process.pid,
    );
  }

  /**
   * Makes this window the owner of a task, inside the caller's transaction. A lease that it already holds stays the
   * same.
   *
   * @returns the fencing number, valid once the transaction is committed
   */
  acquire(id: string): number {
    this.beat();
    return this.#database.number(
      `UPDATE tasks SET fence = fence + (owner IS NOT ?1), owner = ?1 WHERE id = ?2 RETURNING fence`,
      this.owner,
      id,
    );
  }

  /** Takes over every unfinished task whose owner is gone. */
  async claimOrphans(): Promise<Lease[]> {
    const { origin } = this.#options;
    const dead = this.#findDeadOwners();
    const own = origin === undefined ? '' : `AND instr(state, ?) > 0`;
    const orphan = `live = 1 AND (owner IS NULL OR owner IN (${dead.map(() => '?').join(', ')})) ${own}`;
    const values = [...dead, ...(origin === undefined ? [] : [`"origin":${JSON.stringify(origin)}`])];
    if (!this.#database.get(`SELECT 1 FROM tasks WHERE ${orphan}`, ...values)) {
      return [];
    }
    const claimed = await this.#database.transaction('full', 1000, () => {
      this.beat();
      const rows = this.#database.all(
        `UPDATE tasks SET owner = ?, fence = fence + 1 WHERE ${orphan} RETURNING id, fence`,
        this.owner,
        ...values,
      );
      for (const owner of dead) {
        this.#database.run('DELETE FROM owners WHERE owner = ?', owner);
      }
      return rows;
    });
    const leases = claimed.map(({ id, fence }) => ({ id: String(id), fence: Number(fence) }));
    for (const { id, fence } of leases) {
      this.#owned.set(id, fence);
    }
    return leases;
  }

  /** Forgets a lease: the task no longer needs a window, or another one has it. */
  delete(id: string): void {
    this.#owned.delete(id);
  }

  /** Starts the heartbeat and, while requested, the watch over other owners. */
  start(watch: OrphanWatch): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#tick(watch)
        .catch((error: unknown) => {
          if (this.#closed) {
            // The window closed while this waited for a lock.
            return;
          }
          const line = `Heartbeat failed: ${String(error)}`;
          // While another program holds the file, nobody can declare this window dead.
          this.#options.log[isBusy(error) ? 'debug' : 'warn'](line);
        })
        .finally(() => {
          if (!this.#closed) {
            this.start(watch);
          }
        });
    }, interval);
  }

  /**
   * Releases all leases, so that another window or the next start takes over at once. If that can't be written, others
   * soon notice that this process is gone.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.dispose();
    this.#owned.clear();
    ownersHere.delete(this.owner);
    try {
      await this.#database.transaction('normal', 1000, () => {
        this.#database.run('UPDATE tasks SET owner = NULL WHERE live = 1 AND owner = ?', this.owner);
        this.#database.run('DELETE FROM owners WHERE owner = ?', this.owner);
      });
    } catch (error) {
      this.#options.log.debug(`Couldn't release the leases: ${String(error)}`);
    }
  }

  async #tick({ wantsOrphans, onOrphans }: OrphanWatch): Promise<void> {
    // Beats even while others are silent: if nobody can write, silence means nothing.
    if (this.#owned.size > 0 || [...this.#seen.values()].some(({ silent }) => silent > 0)) {
      await this.#options.present?.();
      try {
        await this.#database.transaction('normal', 1000, () => this.beat());
      } catch (error) {
        this.#seen.clear();
        throw error;
      }
    }
    if (this.#closed || !wantsOrphans()) {
      return;
    }
    const leases = await this.claimOrphans();
    if (leases.length > 0) {
      onOrphans(leases);
    }
  }

  /** Checks every other owner of unfinished tasks and returns the dead ones. */
  #findDeadOwners(): string[] {
    const owners = this.#database.all(
      `SELECT DISTINCT tasks.owner AS owner, host, pid, beat
       FROM tasks LEFT JOIN owners ON owners.owner = tasks.owner
       WHERE live = 1 AND tasks.owner IS NOT NULL AND tasks.owner <> ?`,
      this.owner,
    );
    const names = new Set(owners.map(({ owner }) => owner));
    for (const known of this.#seen.keys()) {
      if (!names.has(known)) {
        this.#seen.delete(known);
      }
    }
    return owners.flatMap(({ owner, host, pid, beat }) =>
      typeof owner === 'string' && this.#isDead(owner, host, pid, beat) ? [owner] : [],
    );
  }

  #isDead(owner: string, host: unknown, pid: unknown, beat: unknown): boolean {
    if (typeof pid !== 'number' || typeof beat !== 'number') {
      return true;
    }
    if (host === hostname() && (pid === process.pid ? !ownersHere.has(owner) : !processLives(pid))) {
      return true;
    }
    const before = this.#seen.get(owner);
    const silent = before?.beat === beat ? before.silent + 1 : 0;
    this.#seen.set(owner, { beat, silent });
    return silent >= deadAfter;
  }
}
