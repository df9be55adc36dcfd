/*
 * Stands in for `@vscode/spdlog`, which is C++ and would need a compiler. Without it VS Code drops every line
 * that an extension writes to an output channel. Only what VS Code calls is here; files do not rotate.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'] as const;
type Level = (typeof levels)[number];

/** Appends to one file. */
export class Logger {
  readonly #file: string;
  #level: number = levels.indexOf('info');
  #formats = true;

  constructor(_type: string, _name: string, file: string) {
    this.#file = file;
  }

  trace(message: string): void {
    this.#write('trace', message);
  }

  debug(message: string): void {
    this.#write('debug', message);
  }

  info(message: string): void {
    this.#write('info', message);
  }

  warn(message: string): void {
    this.#write('warning', message);
  }

  error(message: string): void {
    this.#write('error', message);
  }

  critical(message: string): void {
    this.#write('critical', message);
  }

  getLevel(): number {
    return this.#level;
  }

  setLevel(level: number): void {
    this.#level = level;
  }

  /** Has messages written as they are. */
  clearFormatters(): void {
    this.#formats = false;
  }

  /** VS Code sets one pattern only: time, level, message. */
  setPattern(): void {
    this.#formats = true;
  }

  /** Nothing is buffered. */
  flush(): void {}

  drop(): void {
    this.#level = levels.indexOf('off');
  }

  #write(level: Level, message: string): void {
    if (levels.indexOf(level) < this.#level) {
      return;
    }
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.#file, this.#formats ? `${time} [${level}] ${message}\n` : message);
  }
}

/** Makes the logger of one file, and the folder of the file. */
export async function createAsyncRotatingLogger(name: string, file: string): Promise<Logger> {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating_async', name, file);
}

export const createRotatingLogger = createAsyncRotatingLogger;

/** Everything is flushed at once. */
export function setFlushOn(): void {}

/** Loggers have levels of their own. */
export function setLevel(): void {}
