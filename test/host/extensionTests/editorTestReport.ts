import * as v from 'valibot';

/** Environment variable: the file that the tests inside an extension host write their results to at their end. */
export const reportVariable = 'LIMNER_TEST_REPORT';

/** Environment variable: what each line of the tests begins with, to tell it from what the editor writes. */
export const linePrefixVariable = 'LIMNER_TEST_LINE_PREFIX';

/** How the tests inside an extension host went. A run without a report did not get to its end. */
export type EditorTestReport = v.InferOutput<typeof editorTestReportSchema>;

export const editorTestReportSchema = v.object({
  /** Version of the editor. */
  vscode: v.string(),
  tests: v.array(
    v.object({
      /** With the names of the suites it is in. */
      name: v.string(),
      outcome: v.picklist(['passed', 'failed']),
      /** What was thrown, where it failed. */
      error: v.exactOptional(v.string()),
    }),
  ),
});
