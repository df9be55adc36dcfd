/** Prints what was measured, and for the budgets whether they are met. */
export class Report {
  #missed = 0;

  title(text: string): void {
    console.log(`\n${text}`);
  }

  line(text: string): void {
    console.log(`  ${text}`);
  }

  /** Prints a value without a budget. */
  note(what: string, value: number, unit: string): void {
    console.log(`           ${what} ${value.toFixed(2)}${unit}`);
  }

  /** Prints a value beside its budget. */
  judge(what: string, value: number, limit: number, unit: string): void {
    const met = value <= limit;
    this.#missed += met ? 0 : 1;
    console.log(
      `    ${met ? 'met   ' : 'MISSED'} ${what} ${value.toFixed(2)}${unit}, at most ${limit}${unit}`,
    );
  }

  /** Says whether every budget is met; the process fails unless all are. */
  end(): void {
    process.exitCode = this.#missed === 0 ? 0 : 1;
    console.log(this.#missed === 0 ? '\nEvery budget is met.' : `\n${this.#missed} budgets are missed.`);
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
