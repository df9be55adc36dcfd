/** Changes that nobody can notice, or that no test of their room is to notice. */
export interface Accepted {
  file: string;
  /** The line on which they begin, without its indentation. */
  line: string;
  /** What stands there, and what would: `< -> <=`. */
  changes: readonly string[];
  reason: string;
}
