import { globSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { readResults, resultsVariable, type TestResult } from '../floors/testResults.ts';
import { projectFolder } from '../support/folders.ts';
import { requireNode24 } from '../support/nodeVersion.ts';
import { left, leftTests, unitFiles } from './unitTests.ts';
import { openWindows, type Windows } from './wine.ts';

/*
 * The windows floor: the tests of this folder, or only the files that are named, and then those of the unit floor that
 * can run there, in the real `node.exe` of Windows, by Wine.
 */
requireNode24();
const results = 'out/results.ndjson';
const words = { passed: 'held', failed: 'NOT HELD', skipped: 'left out' };
const windows = await openWindows();
await copyProject(windows.project);
const named = process.argv.slice(2);
const cases =
  named.length > 0 ? named : globSync('test/windows/*.test.ts', { cwd: projectFolder }).toSorted();
tellCases(await runFiles(windows, cases));
if (named.length === 0) {
  tellParts(await runFiles(windows, await writeParts(windows.project)));
}

/** What `node.exe` needs of the project; Node 22 knows no `await using`, so it is taken out of the files that have it. */
async function copyProject(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'out'), { recursive: true });
  const entries = ['src', 'test', 'scripts', 'dist', 'l10n', 'media', 'skills', 'docs', '.vscodeignore'];
  for (const entry of [...entries, ...globSync('*.{json,md}', { cwd: projectFolder })]) {
    await cp(join(projectFolder, entry), join(folder, entry), { recursive: true });
  }
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  const modules = globSync('{src,test}/**/*.ts', { cwd: folder }).map((file) => join(folder, file));
  const texts = await Promise.all(modules.map(async (path) => readFile(path, 'utf8')));
  await build({
    entryPoints: modules.filter((_, index) => /\bawait using\b/u.test(texts[index] ?? '')),
    outdir: folder,
    outbase: folder,
    outExtension: { '.js': '.ts' },
    allowOverwrite: true,
    format: 'esm',
    target: 'node22',
    logLevel: 'warning',
  });
}

/** Writes a file for each part of the unit floor, which imports the files of the part. */
async function writeParts(folder: string): Promise<string[]> {
  return Promise.all(
    Object.entries(unitFiles()).map(async ([part, files]) => {
      const path = `out/${part}.test.mjs`;
      const lines = files.map((file) => `await import(${JSON.stringify(`../${file}`)});\n`);
      await writeFile(join(folder, path), lines.join(''));
      return path;
    }),
  );
}

/** Runs files of tests, prints what went wrong, and reports all to the surrounding run. */
async function runFiles({ project, run }: Windows, files: readonly string[]): Promise<TestResult[]> {
  await rm(join(project, results), { force: true });
  const { output } = await run([
    '--test',
    '--test-concurrency=2',
    '--test-timeout=900000',
    ...Object.keys(leftTests).map((name) => `--test-skip-pattern=${name}`),
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/floors/resultReporter.ts',
    `--test-reporter-destination=${results}`,
    ...files,
  ]);
  const reported = (await readResults(join(project, results))).map((result) =>
    Object.assign(result, { file: result.file.replaceAll('\\', '/') }),
  );
  const ended = new Set(reported.flatMap((result) => (result.kind === 'file' ? result.file : [])));
  const lost = files
    .filter((file) => !ended.has(file))
    .map((file): TestResult => ({
      kind: 'test',
      file,
      name: 'gets to its end',
      outcome: 'failed',
      error: 'The file reported no end.',
    }));
  const all = [...reported, ...lost];
  if (all.some(isFailure)) {
    process.exitCode = 1;
    console.log(output);
  }
  const file = process.env[resultsVariable];
  if (file !== undefined) {
    await appendFile(file, all.map((result) => `${JSON.stringify(result)}\n`).join(''));
  }
  return all;
}

function isFailure(result: TestResult): result is TestResult & { kind: 'test' } {
  return result.kind === 'test' && result.outcome === 'failed';
}

/** Prints a line for each case. */
function tellCases(results: readonly TestResult[]): void {
  console.log('\nCases in the real node.exe');
  for (const result of results) {
    if (result.kind === 'test') {
      console.log(`  ${words[result.outcome].padEnd(8)}  ${result.name}`);
    }
  }
}

/** Prints a line for each process of the unit floor, and what did not hold in it. */
function tellParts(results: readonly TestResult[]): void {
  const [files, tests] = [left, leftTests].map((table) => Object.keys(table).length);
  console.log(`\nUnit tests there, without ${files} files and ${tests} tests: unitTests.ts says why`);
  for (const [part, group] of Map.groupBy(results, ({ file }) => file)) {
    const count = (outcome: string): number =>
      group.filter((result) => result.kind === 'test' && result.outcome === outcome).length;
    console.log(
      `  ${part}: ${count('passed')} held, ${count('failed')} did not, ${count('skipped')} left out`,
    );
    for (const result of group.filter(isFailure)) {
      console.log(`    NOT HELD  ${result.name}`);
    }
  }
}
