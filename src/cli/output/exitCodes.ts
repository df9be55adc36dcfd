/** Exit codes, as `limner --help` lists them; of several tasks the highest one counts. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unknown: 3,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
