import type { Output } from '../../../src/cli/output/output.ts';

/** Collects what a command prints, line by line. */
export class Collected implements Output {
  readonly json: boolean;
  readonly columns: number | undefined;
  readonly isBroken = false;
  readonly results: string[] = [];
  readonly said: string[] = [];

  /** @param columns width of a terminal */
  constructor(json = false, columns?: number) {
    this.json = json;
    this.columns = columns;
  }

  result(line: string): void {
    this.results.push(line);
  }

  say(line: string): void {
    this.said.push(line);
  }

  detail(): void {
    // Nobody asked for details.
  }

  progress(): void {
    // What is under way is not a result.
  }

  endProgress(): void {
    // Nothing is shown.
  }
}
