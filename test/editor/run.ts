import { existsSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runTests, TestRunFailedError, type TestOptions } from '@vscode/test-electron';
import { bundleEditorTests } from '../host/extensionTests/bundleEditorTests.ts';
import {
  editorTestReportSchema,
  reportVariable,
  type EditorTestReport,
} from '../host/extensionTests/editorTestReport.ts';
import { editorVersions, type EditorVersion } from '../host/fetch/editorVersions.ts';
import { projectFolder } from '../support/folders.ts';
import { writeLauncherScript } from '../host/extensionTests/launcherScript.ts';
import { requireNode24 } from '../support/nodeVersion.ts';
import { readJson } from '../support/readJson.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { resultsVariable, type TestResult } from '../floors/testResults.ts';

/*
 * The floors `editor` and `oldest`: the tests of this folder, or only the files that are named, inside the extension host of
 * the newest VS Code, or of the oldest supported one with LIMNER_TEST_VSCODE=oldest. In a browser, or in the desktop build,
 * which is downloaded, with LIMNER_TEST_DESKTOP=1 and where VS Code for browsers doesn't run.
 */
requireNode24();
const desktop = process.env['LIMNER_TEST_DESKTOP'] === '1' || process.platform !== 'linux';
const noReport = {
  name: 'gets to its end',
  file: 'index.ts',
  duration: 0,
  outcome: 'failed',
  error: 'There is no report.',
} as const;
const testsPath = await bundleEditorTests(process.argv.slice(2));
await testIn(process.env['LIMNER_TEST_VSCODE'] === 'oldest' ? 'oldest' : 'newest');

async function testIn(version: EditorVersion): Promise<void> {
  const { exitCode, report, output } = await runIn(version);
  // An extension host that dies ends the run with exit code 0, but leaves no report.
  const tests = report?.tests ?? [noReport];
  const failed = tests.filter(({ outcome }) => outcome === 'failed').length;
  if (exitCode !== 0 || failed > 0) {
    process.exitCode = 1;
  }
  console.log(output);
  console.log(
    report
      ? `Editor tests in VS Code ${report.vscode}: ${tests.length - failed} passed, ${failed} failed\n`
      : `Editor tests in the ${version} VS Code: failed, they did not get to their end\n`,
  );
  const durations = new Map<string, number>();
  const results = tests.map(({ duration, ...test }) => {
    const file = `test/editor/${test.file} in the ${version} VS Code`;
    durations.set(file, (durations.get(file) ?? 0) + duration);
    return Object.assign(test, { kind: 'test', file } as const);
  });
  await writeResults([
    ...results,
    ...[...durations].map(([file, duration]) => ({ kind: 'file', file, duration }) as const),
  ]);
}

/** Adds results to those of the surrounding run, if there is one. */
async function writeResults(results: readonly TestResult[]): Promise<void> {
  const file = process.env[resultsVariable];
  if (file !== undefined) {
    await appendFile(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
  }
}

async function runIn(
  version: EditorVersion,
): Promise<{ exitCode: number; report: EditorTestReport | undefined; output: string }> {
  const { path, remove } = temporaryFolder('editor-tests');
  const workspace = join(path, 'workspace');
  const reportFile = join(path, 'report.json');
  await mkdir(workspace);
  const stdout = new PassThrough();
  const output = text(stdout);
  const exitCode = await runTests({
    ...(await whichEditor(version)),
    extensionDevelopmentPath: projectFolder,
    extensionTestsPath: testsPath,
    extensionTestsEnv: { [reportVariable]: reportFile },
    launchArgs: [
      workspace,
      `--user-data-dir=${join(path, 'user-data')}`,
      `--extensions-dir=${join(path, 'extensions')}`,
    ],
    stdout,
  }).catch(exitCodeOf);
  stdout.end();
  const report = existsSync(reportFile) ? await readJson(reportFile, editorTestReportSchema) : undefined;
  remove();
  return { exitCode, report, output: await output };
}

async function whichEditor(version: EditorVersion): Promise<Partial<TestOptions>> {
  if (!desktop) {
    return { vscodeExecutablePath: await writeLauncherScript(version) };
  }
  return { version: version === 'oldest' ? editorVersions.oldest.vscode : 'stable' };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof TestRunFailedError) {
    return error.code ?? 1;
  }
  throw error;
}
