import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { CoveringTests } from './coveringTests.ts';

const executionSchema = v.object({
  passed: v.boolean(),
  /** In milliseconds, as is the longest time in which it prints nothing. */
  duration: v.number(),
  silence: v.number(),
  /** Whether it starts no other process or thread. */
  isAlone: v.boolean(),
  /** By the path of each source file, where the parts that it executes begin and end, in UTF-16 code units. */
  parts: v.record(v.string(), v.array(v.number())),
});

/** What a test file does when nothing is changed. */
export type Execution = v.InferOutput<typeof executionSchema>;

/** Whether what begins at a place of a file is executed. */
export function executes({ parts }: Execution, file: string, start: number): boolean {
  const passed = (parts[file] ?? []).filter((boundary) => boundary <= start).length;
  return passed % 2 === 1;
}

/** Keeps what test files do, also for later runs in which nothing of what they read has changed. */
export class Executions {
  readonly #folder: string;
  readonly #coveringTests: CoveringTests;
  readonly #known = new Map<string, Promise<Execution>>();

  /** @param folder where they are kept */
  constructor(folder: string, coveringTests: CoveringTests) {
    this.#folder = folder;
    this.#coveringTests = coveringTests;
  }

  /** Returns what a test file does, which is measured once. */
  get(test: string, measure: () => Promise<Execution>): Promise<Execution> {
    const known = this.#known.get(test) ?? this.#readOrMeasure(test, measure);
    this.#known.set(test, known);
    return known;
  }

  async #readOrMeasure(test: string, measure: () => Promise<Execution>): Promise<Execution> {
    const path = join(this.#folder, `${this.#coveringTests.hash(test)}.json`);
    const kept = existsSync(path) && v.safeParse(executionSchema, JSON.parse(readFileSync(path, 'utf8')));
    if (kept && kept.success) {
      return kept.output;
    }
    const execution = await measure();
    // What failed once may not fail the next time.
    if (execution.passed) {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(path, JSON.stringify(execution));
    }
    return execution;
  }
}

/** A report of V8, of one process or thread: an inner range comes after the one around it. */
const reportSchema = v.object({
  result: v.array(
    v.object({
      url: v.string(),
      functions: v.array(
        v.object({
          ranges: v.array(v.object({ startOffset: v.number(), endOffset: v.number(), count: v.number() })),
        }),
      ),
    }),
  ),
});

/** Returns the parts of the source that the processes and threads executed that left their reports in a folder. */
export function executedParts(reports: string, project: string): Execution['parts'] {
  const executed = new Map<string, Uint8Array>();
  for (const name of readdirSync(reports)) {
    const { result } = v.parse(reportSchema, JSON.parse(readFileSync(join(reports, name), 'utf8')));
    for (const { url, functions } of result) {
      const file = sourceOf(url, project);
      if (file === undefined) {
        continue;
      }
      const here = new Uint8Array(readFileSync(join(project, file), 'utf8').length);
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        here.fill(Math.min(count, 1), startOffset, endOffset);
      }
      const before = executed.get(file);
      executed.set(file, before ? before.map((value, index) => value | (here[index] ?? 0)) : here);
    }
  }
  return Object.fromEntries(Array.from(executed, ([file, flags]) => [file, boundaries(flags)]));
}

function sourceOf(url: string, project: string): string | undefined {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) {
    return undefined;
  }
  const file = relative(project, fileURLToPath(url)).replaceAll(sep, '/');
  return file.startsWith('src/') ? file : undefined;
}

function boundaries(flags: Uint8Array): number[] {
  return Array.from(flags.keys()).filter((index) => flags[index] !== (flags[index - 1] ?? 0));
}
