import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { EditorSession } from '../editor/editorSession.ts';
import { linePrefixVariable } from './editorTestReport.ts';

/*
 * Takes the arguments of the VS Code executable that matter to extension tests, runs them in a VS Code in a
 * headless browser, and ends with the exit code that VS Code gives:
 *
 *   launcher.ts --editor=oldest WORKSPACE --extensionDevelopmentPath=… --extensionTestsPath=…
 */
const linePrefix = '[test] ';
const fifteenMinutes = 900_000;

const { values, positionals } = parseArgs({ strict: false, allowPositionals: true });
const options = v.parse(
  v.object({
    editor: v.picklist(['oldest', 'newest']),
    extensionDevelopmentPath: v.string(),
    extensionTestsPath: v.string(),
    workspace: v.string(),
  }),
  { ...values, workspace: positionals[0] },
);

// It ends when its parent process has ended, in whichever way.
process.stdin.resume().once('end', () => process.exit(1));
process.stdin.unref();

const session = await EditorSession.start({
  version: options.editor,
  builtIn: 'git',
  smokeTestDriver: true,
  env: { [linePrefixVariable]: linePrefix },
});
try {
  const page = await session.newPage();
  const exitCode = listen(page);
  await page.goto(
    `${session.url(options.workspace)}&payload=${encodeURIComponent(JSON.stringify(payload()))}`,
  );
  process.exitCode = await exitCode;
} finally {
  await session.dispose();
}

/** Returns the payload with which the workbench runs tests. */
function payload(): [string, string][] {
  return [
    ['extensionDevelopmentPath', remote(options.extensionDevelopmentPath)],
    ['extensionTestsPath', remote(options.extensionTestsPath)],
  ];
}

function remote(path: string): string {
  return `vscode-remote://${session.authority}${path}`;
}

/** Relays what the tests write; resolves with the exit code. */
async function listen(page: Page): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    const text = String(args[0]);
    if (text.startsWith(linePrefix)) {
      console.log(text.replaceAll(linePrefix, ''));
    }
  });
  await page.exposeFunction('codeAutomationExit', resolve);
  page.on('crash', () => reject(new Error('The browser crashed.')));
  const limit = setTimeout(
    () => reject(new Error('The tests did not end within fifteen minutes.')),
    fifteenMinutes,
  );
  return promise.finally(() => clearTimeout(limit));
}
