import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { outFolder } from './folders.ts';
import { readResults, resultsVariable, type TestResult } from './testResults.ts';

/** Tests of one kind, and how they are run. */
interface Floor {
  /** Glob patterns of its files; of the editor floor, which is one program, that program. */
  files: readonly string[];
  /** For `node --test`. */
  parameters: readonly string[];
}

const window = ['--test-timeout=180000', '--test-concurrency=2'];

/** All floors, in the order in which they are run. */
export const floors = {
  unit: { files: ['test/unit/**/*.test.ts'], parameters: ['--test-timeout=120000', '--test-concurrency=2'] },
  editor: { files: ['test/editor/run.ts'], parameters: [] },
  ui: { files: ['test/ui/**/*.test.ts'], parameters: window },
  package: { files: ['test/package/**/*.test.ts'], parameters: window },
} as const satisfies Record<string, Floor>;

export type FloorName = keyof typeof floors;

/** What came of running tests once. */
export interface Run {
  results: TestResult[];
  /** What they printed. */
  output: string;
  exitCode: number | null;
  /** In milliseconds. */
  duration: number;
}

/** The name of a floor, if it is one. */
export function asFloor(name: string): FloorName | undefined {
  return Object.keys(floors).find((floor): floor is FloorName => floor === name);
}

/** The floor that a file belongs to, by its folder. */
export function floorOf(file: string): FloorName {
  const floor = asFloor(/(?:^|[/\\])test[/\\](\w+)[/\\]/u.exec(file)?.[1] ?? '');
  if (!floor) {
    throw new Error(`${file} is on no floor: it is not below test/${Object.keys(floors).join(', test/')}.`);
  }
  return floor;
}

/**
 * Runs a floor, or some files of it.
 *
 * @param env on top of this process's
 * @param print takes what is printed, as it comes
 */
export async function runFloor(
  name: FloorName,
  {
    files = floors[name].files,
    env = {},
    print,
  }: { files?: readonly string[]; env?: NodeJS.ProcessEnv; print: (text: string) => void },
): Promise<Run> {
  const results = join(outFolder, 'results', `${name}.ndjson`);
  await rm(results, { force: true });
  await mkdir(join(outFolder, 'results'), { recursive: true });
  const reporter = join(import.meta.dirname, 'resultReporter.ts');
  const runner = [
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${results}`,
    ...floors[name].parameters,
  ];
  const started = performance.now();
  const child = spawn(process.execPath, [...(name === 'editor' ? [] : runner), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, [resultsVariable]: results },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    print(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const exitCode = await promise;
  return { results: await readResults(results), output, exitCode, duration: performance.now() - started };
}
