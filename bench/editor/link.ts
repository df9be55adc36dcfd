/** The environment variable with the port of the bench, to which its extensions connect. */
export const portVariable = 'LIMNER_BENCH_PORT';

/** The environment variable with the ids of the extensions that the probe activates, separated by commas. */
export const activatedVariable = 'LIMNER_BENCH_ACTIVATED';

/** The environment variable with the path of the bundle of the engine. */
export const engineVariable = 'LIMNER_BENCH_ENGINE';

/** What the bench asks an extension of its own: a line of JSON. */
export interface Question {
  id: number;
  name: string;
  given: unknown[];
}

/** The answer, another line. */
export interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}
