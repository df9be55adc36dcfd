import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { format } from 'node:util';
import type Mocha from 'mocha';
import { version } from 'vscode';
import {
  linePrefixVariable,
  reportVariable,
  type EditorTestReport,
} from '../host/extensionTests/editorTestReport.ts';

/**
 * Runs the tests beside this file. VS Code calls it inside the extension host.
 *
 * @throws Error when a test failed or there was none.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  Mocha.reporters.Base.consoleLog = writeLine;
  // A test makes several images in turn, on a machine that is busy with other things.
  const mocha = new Mocha({ timeout: 120_000, color: false, forbidOnly: true, failZero: true });
  for (const file of globSync('**/*.test.js', { cwd: __dirname })) {
    mocha.addFile(join(__dirname, file));
  }
  await mocha.loadFilesAsync();
  const report = await finish(mocha);
  writeReport(report);
  const failed = report.tests.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) {
    throw new Error(`${failed} tests failed.`);
  }
}

function finish(mocha: Mocha): Promise<EditorTestReport> {
  return new Promise((resolve) => {
    const tests: EditorTestReport['tests'] = [];
    mocha
      .run(() => resolve({ vscode: version, tests }))
      .on('pass', (test) => tests.push({ ...factsOf(test), outcome: 'passed' }))
      .on('fail', (test, error: Error) =>
        tests.push({ ...factsOf(test), outcome: 'failed', error: error.stack ?? error.message }),
      );
  });
}

function factsOf(test: Mocha.Test): { name: string; file: string; duration: number } {
  return {
    name: test.titlePath().join(' › '),
    file: basename(test.file ?? '').replace(/\.js$/u, '.ts'),
    duration: test.duration ?? 0,
  };
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
