import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import type Mocha from 'mocha';
import { version } from 'vscode';
import { linePrefixVariable, reportVariable } from '../host/editorTestReport.ts';
import type { EditorTestReport } from '../host/editorTestReport.ts';

/**
 * Runs the tests beside this file. VS Code calls it inside the extension host.
 *
 * @throws Error when a test failed or there was none.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  Mocha.reporters.Base.consoleLog = writeLine;
  const mocha = new Mocha({ timeout: 30_000, color: false, forbidOnly: true, failZero: true });
  for (const file of globSync('**/*.test.js', { cwd: __dirname })) {
    mocha.addFile(join(__dirname, file));
  }
  await mocha.loadFilesAsync();
  const report = await finish(mocha);
  writeReport(report);
  if (report.failed > 0) {
    throw new Error(`${report.failed} tests failed.`);
  }
}

function finish(mocha: Mocha): Promise<EditorTestReport> {
  return new Promise((resolve) => {
    const runner = mocha.run((failed) =>
      resolve({ vscode: version, passed: runner.stats?.passes ?? 0, failed }),
    );
  });
}

function writeLine(...parts: unknown[]): void {
  const prefix = process.env[linePrefixVariable] ?? '';
  console.log(format(...parts).replaceAll(/^/gm, prefix));
}

function writeReport(report: EditorTestReport): void {
  const file = process.env[reportVariable];
  if (file !== undefined) {
    writeFileSync(file, JSON.stringify(report));
  }
}
