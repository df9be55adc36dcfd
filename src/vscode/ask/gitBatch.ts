import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';

/** How long a process waits for the next question, in milliseconds. */
const patience = 3000;

/**
 * Reads objects of one repository by two processes of Git, however many objects there are: to begin a process for each
 * would take most of the time.
 */
export class GitBatch {
  readonly #names: Conversation;
  readonly #contents: Conversation;

  /** @param program Git */
  constructor(program: string, folder: string) {
    this.#names = new Conversation(program, ['cat-file', '--batch-check', '--follow-symlinks'], folder);
    this.#contents = new Conversation(program, ['cat-file', '--batch'], folder);
  }

  /**
   * Returns the name of the object that a tree has at a path, or behind the symbolic link there; undefined if Git can't
   * tell this way.
   */
  async find(tree: string, path: string): Promise<string | undefined> {
    // Git takes a question for each line.
    if (path.includes('\n')) {
      return undefined;
    }
    return this.#names.ask(`${tree}:${path}`, async (reply) => {
      const line = await reply.line();
      const [, more] = /^(?:symlink|dangling|loop|notdir) (\d+)$/u.exec(line) ?? [];
      if (more !== undefined) {
        await reply.bytes(Number(more) + 1, async () => {});
      }
      return /^([\da-f]{40,}) blob \d+$/u.exec(line)?.[1];
    });
  }

  /** Writes the bytes of an object, past the memory of this process, into a new file. @returns whether Git has them */
  async write(id: string, to: string): Promise<boolean> {
    return this.#contents.ask(id, async (reply) => {
      const [, size] = /^[\da-f]{40,} blob (\d+)$/u.exec(await reply.line()) ?? [];
      if (size === undefined) {
        return false;
      }
      let file: FileHandle | undefined;
      try {
        const opened = (file = await open(to, 'wx'));
        await reply.bytes(Number(size), async (bytes) => opened.writeFile(bytes));
        await reply.bytes(1, async () => {});
      } finally {
        await file?.close();
      }
      return true;
    });
  }
}

/** A process's answer to one question. */
interface Reply {
  line(): Promise<string>;
  bytes(count: number, take: (bytes: Buffer) => Promise<void>): Promise<void>;
}

/** A process that answers one question after the other. It begins when it is needed, and ends when nobody asks. */
class Conversation {
  readonly #program: string;
  readonly #words: readonly string[];
  readonly #folder: string;
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #chunks: AsyncIterator<Buffer> | undefined;
  /** Bytes since the last whole answer. */
  #rest: Buffer = Buffer.alloc(0);
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #ending: NodeJS.Timeout | undefined;

  constructor(program: string, words: readonly string[], folder: string) {
    this.#program = program;
    this.#words = words;
    this.#folder = folder;
  }

  /** @throws Error if the process fails */
  async ask<T>(question: string, read: (reply: Reply) => Promise<T>): Promise<T> {
    this.#asked++;
    clearTimeout(this.#ending);
    const answer = this.#last.then(async () => {
      const { stdin } = this.#begun();
      stdin.write(`${question}\n`);
      try {
        return await read(this);
      } catch (error) {
        // The rest of this answer would be taken for the next one.
        this.end();
        throw error;
      }
    });
    this.#last = answer.catch(() => {});
    try {
      return await answer;
    } finally {
      if (--this.#asked === 0) {
        this.#ending = setTimeout(() => this.end(), patience);
        this.#ending.unref();
      }
    }
  }

  async line(): Promise<string> {
    let end: number;
    while ((end = this.#rest.indexOf('\n')) === -1) {
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    }
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async bytes(count: number, take: (bytes: Buffer) => Promise<void>): Promise<void> {
    for (let left = count; left > 0;) {
      const some = this.#rest.length > 0 ? this.#rest : await this.#next();
      await take(some.subarray(0, left));
      this.#rest = some.subarray(left);
      left -= Math.min(left, some.length);
    }
  }

  end(): void {
    this.#child?.stdin.end();
    this.#child?.kill();
    this.#child = undefined;
    this.#rest = Buffer.alloc(0);
  }

  async #next(): Promise<Buffer> {
    const chunk = await this.#chunks?.next();
    if (!chunk || chunk.done === true) {
      throw new Error(`Git ended: ${this.#words.join(' ')}`);
    }
    return chunk.value;
  }

  #begun(): ChildProcessByStdio<Writable, Readable, null> {
    if (!this.#child) {
      const child = spawn(this.#program, this.#words, {
        cwd: this.#folder,
        // Where a clone is partial, Git fetches what is missing: nobody is there to answer it.
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsHide: true,
      });
      // Whoever reads learns of its end.
      child.on('error', () => {});
      child.stdin.on('error', () => {});
      this.#child = child;
      this.#chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    }
    return this.#child;
  }
}
