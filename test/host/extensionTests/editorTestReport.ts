import * as v from 'valibot';

/** Environment variable: the file for the results of the tests inside an extension host. */
export const reportVariable = 'LIMNER_TEST_REPORT';

/** Environment variable: the prefix of each line of the tests, to tell it from the editor's. */
export const linePrefixVariable = 'LIMNER_TEST_LINE_PREFIX';

/** The results of the tests inside an extension host. A run without a report did not get to its end. */
export type EditorTestReport = v.InferOutput<typeof editorTestReportSchema>;

export const editorTestReportSchema = v.object({
  /** Version of the editor. */
  vscode: v.string(),
  tests: v.array(
    v.object({
      /** With the names of the suites it is in. */
      name: v.string(),
      /** Name of its file, without the folder. */
      file: v.string(),
      /** In milliseconds. */
      duration: v.number(),
      outcome: v.picklist(['passed', 'failed']),
      /** The error, if it failed. */
      error: v.exactOptional(v.string()),
    }),
  ),
});
