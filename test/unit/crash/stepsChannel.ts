/** How a test and the steps of a process it started know each other. */
export const stepsChannel = {
  /** Environment variable: `begin#n` for a process that kills itself before its nth step whose name begins so. */
  killVariable: 'LIMNER_CRASH_BEFORE',
  /** Environment variable: `none` for a file system without links. */
  linksVariable: 'LIMNER_CRASH_LINKS',
  /** File descriptor on which the process says its steps. */
  lines: 3,
} as const;
