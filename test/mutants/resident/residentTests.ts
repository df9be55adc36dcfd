import type { ChildProcess } from 'node:child_process';
import type { Answer, Question } from './program.ts';

/** Runs after which the process has loaded so much that a new one is faster. */
const maxRuns = 300;
/** How long a test file may take when nothing is changed, in milliseconds. */
const patience = 60_000;

/** Test files in a process that stays, which run many times as fast as each in a process of its own. */
export class ResidentTests {
  readonly #start: () => ChildProcess;
  readonly #end: (child: ChildProcess) => void;
  #child: ChildProcess | undefined;
  #runs = 0;
  /** How long those test files take that have passed in this process without a change, in milliseconds. */
  readonly #durations = new Map<string, number>();
  /** Test files that fail here although nothing is changed. */
  readonly #unfit = new Set<string>();

  /**
   * @param start starts `program.ts` in the folder of the project
   * @param end ends it, and all that it started
   */
  constructor(start: () => ChildProcess, end: (child: ChildProcess) => void) {
    this.#start = start;
    this.#end = end;
  }

  /**
   * Runs a test file with another text in place of a file. A failure counts if the test passes without the change, in
   * this process or, when it ended or fell silent, in a new one.
   *
   * @returns nothing if the test file can't be run here
   */
  async run(
    test: string,
    change: NonNullable<Question['change']>,
  ): Promise<{ passed: boolean; duration: number } | undefined> {
    const started = performance.now();
    const done = (passed: boolean): { passed: boolean; duration: number } => ({
      passed,
      duration: performance.now() - started,
    });
    for (let attempt = 0; attempt < 2; attempt++) {
      const usual = await this.#usual(test);
      if (usual === undefined) {
        return undefined;
      }
      const isNew = this.#runs === 1;
      const limit = 5000 + 3 * usual;
      const answer = await this.#ask({ test, change }, limit);
      if (answer && answer.failure === undefined) {
        return done(true);
      }
      const again = answer && (await this.#ask({ test, only: answer.failure }, limit));
      const passesWithout = answer ? again !== undefined && again.failure === undefined : isNew;
      if (answer === undefined || !passesWithout) {
        this.end();
      }
      if (passesWithout) {
        return done(false);
      }
    }
    return undefined;
  }

  /** Ends the process; the next run starts a new one. */
  end(): void {
    if (this.#child) {
      this.#end(this.#child);
    }
    this.#child = undefined;
    this.#durations.clear();
    this.#runs = 0;
  }

  /** Returns how long a test file takes that passes when nothing is changed, in milliseconds. */
  async #usual(test: string): Promise<number | undefined> {
    if (this.#runs > maxRuns) {
      this.end();
    }
    while (!this.#durations.has(test) && !this.#unfit.has(test)) {
      const isNew = this.#child === undefined;
      this.#child ??= this.#begin();
      const started = performance.now();
      const answer = await this.#ask({ test }, patience);
      if (answer && answer.failure === undefined) {
        this.#durations.set(test, performance.now() - started);
      } else {
        this.end();
        if (isNew) {
          this.#unfit.add(test);
        }
      }
    }
    return this.#unfit.has(test) ? undefined : this.#durations.get(test);
  }

  #begin(): ChildProcess {
    const child = this.#start();
    child.once('exit', () => {
      if (child === this.#child) {
        this.end();
      }
    });
    return child;
  }

  /** @returns nothing when the process has ended, or says nothing for so many milliseconds */
  async #ask(question: Question, limit: number): Promise<Answer | undefined> {
    const child = this.#child;
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const giveUp = (): void => resolve(undefined);
    const timer = setTimeout(giveUp, limit);
    child?.once('message', resolve).once('exit', giveUp);
    child?.send(question, (error) => error && giveUp());
    this.#runs++;
    const answer = child && (await promise);
    clearTimeout(timer);
    child?.off('message', resolve).off('exit', giveUp);
    return answer;
  }
}
