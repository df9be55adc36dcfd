import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';

/**
 * A program that opens each new file below a folder for a while, as virus scanners, indexers and backups do. It lets others
 * read and write the file meanwhile, but neither move nor delete it: files are opened by SQLite, which Node lets share more.
 */
export class Scanner {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /**
   * @param folders below which it looks
   * @param hold how long it looks at a file, in milliseconds
   */
  static async start(folders: readonly string[], hold: number): Promise<Scanner> {
    const scanner = new Scanner(fork(import.meta.filename, [String(hold), ...folders]));
    await once(scanner.#process, 'message');
    return scanner;
  }

  /** Ends it, and returns the paths of the files that it has held. */
  async end(): Promise<string[]> {
    this.#process.send('end');
    const [held] = v.parse(v.tuple([v.array(v.string())]), await once(this.#process, 'message'));
    return held;
  }
}

if (process.argv[1] === import.meta.filename) {
  scan(Number(process.argv[2]), process.argv.slice(3));
}

function scan(hold: number, folders: readonly string[]): void {
  const seen = new Set<string>();
  const held: string[] = [];
  const timer = setInterval(() => {
    for (const path of folders.flatMap(filesBelow).filter((file) => !seen.has(file))) {
      seen.add(path);
      look(path);
    }
  }, 1);
  process.once('message', () => {
    clearInterval(timer);
    process.send?.(held, () => process.disconnect());
  });
  process.send?.('started');

  function look(path: string): void {
    try {
      const file = new DatabaseSync(path, { readOnly: true });
      held.push(path);
      setTimeout(() => file.close(), hold);
    } catch {
      // It is gone already.
    }
  }
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    // A folder in it is gone already.
    return [];
  }
}
