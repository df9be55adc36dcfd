import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

/** Environment variable: the file that results are written to where no reporter of `node --test` does. */
export const resultsVariable = 'LIMNER_TEST_RESULTS';

/** The result of one test, or of one file of tests. */
export type TestResult = v.InferOutput<typeof testResultSchema>;

export const testResultSchema = v.variant('kind', [
  v.object({
    kind: v.literal('test'),
    file: v.string(),
    /** With the names of the suites it is in. */
    name: v.string(),
    outcome: v.picklist(['passed', 'failed', 'skipped']),
    /** The error, if it failed. */
    error: v.exactOptional(v.string()),
  }),
  v.object({
    kind: v.literal('file'),
    file: v.string(),
    /** In milliseconds. */
    duration: v.number(),
  }),
]);

/**
 * Reads results that were written a line each; the last one may have been cut off.
 *
 * @returns none when the file is not there: the run did not get so far
 */
export async function readResults(path: string): Promise<TestResult[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => v.parse(testResultSchema, JSON.parse(line)));
}
