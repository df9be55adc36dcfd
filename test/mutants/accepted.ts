/** A change that nobody can notice, or that no test of its room is to notice. */
export interface Accepted {
  file: string;
  /** The line on which it begins, without its indentation. */
  line: string;
  /** What stands there, and what would. */
  from: string;
  to: string;
  reason: string;
}

/** Changes that are not made. */
export const accepted: readonly Accepted[] = [];
