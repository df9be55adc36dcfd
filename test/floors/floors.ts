import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { delimiter, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { undoAtExit } from '../support/cleanup.ts';
import { shareProgram } from '../support/cli/program.ts';
import { outFolder, projectFolder } from '../support/folders.ts';
import { needsLinux } from '../support/platform.ts';
import { drawPlace } from './place.ts';
import { Random } from '../support/random.ts';
import { readResults, resultsVariable, type TestResult } from './testResults.ts';

/** Tests of one kind, and how they are run. */
interface Floor {
  /** Returns its files, or glob patterns of them. */
  files: () => readonly string[];
  /** For `node --test`. */
  parameters: readonly string[];
  /** Runs the files instead of `node --test`. */
  program?: string;
  /** Environment variables. */
  env: NodeJS.ProcessEnv;
  /** Whether its files start `limner` as a process. */
  runsProgram?: boolean;
  /** What a machine must have for it, or it is left out there. */
  needs?: 'Linux' | 'Wine';
  /** Whether each run draws the time zone and the locale in which it happens. */
  anywhere?: boolean;
}

/** Files of other floors that draw at random, and draw more on the long one. */
const random = globSync('test/{unit,package}/**/*.test.ts', { cwd: projectFolder }).filter((file) =>
  /\bfuzzRuns\b/u.test(readFileSync(join(projectFolder, file), 'utf8')),
);
/** Returns the limits of files at a time, and of the time of a test or a suite in milliseconds: to end what hangs. */
const limits = (files: number, timeout: number): string[] => [
  `--test-concurrency=${files}`,
  `--test-timeout=${timeout}`,
];
/** Ends a file once its tests have, even if a window or process that did not start has left something running. */
const forceExit = '--test-force-exit';
/** Hundreds of processes start from the same sources. */
const compileCache = { NODE_COMPILE_CACHE: join(outFolder, 'compile-cache') };

/**
 * Parts of the unit floor whose tests share no state. The files of each run in one process, since most of them take less
 * time than a process takes to start.
 */
const shared = {
  agents: 'agents/tools/*',
  common: 'common/!(macNames)*',
  cliParts: 'cli/{commands,output}/*',
  demoEndpoints: 'demo/endpoints/*',
  demoFaults: 'demo/faults/*',
  demoHttp: 'demo/http/*',
  vscode: 'vscode/{*,{agents,ask,taskList}/*}',
  formats: 'images/formats/*',
  pictures: 'images/{codecs/{codeLengths,resize,sameColors},finish/{keyColor,thumbnails}}',
  project: '{bench,layering}/*',
  pages: 'pages/**/*',
  http: 'service/http/*',
  wire: 'service/wire/*',
  studio: 'studio/**/*',
  running:
    'engine/run/{budget,checkResults,cost,heldFiles,hostileImages,origins,poller,replacedInputs,resendPolicy,saveResults,watchRemoteTask,windowsTasks}',
  taskFiles: 'engine/{files,operations}/*',
  task: 'engine/task/*',
  taskStore: 'engine/store/*',
};

/** Returns the files of the unit floor: for each of those parts one that imports the part's, and all others. */
function unitFiles(): string[] {
  const folder = join(outFolder, 'unit');
  mkdirSync(folder, { recursive: true });
  const imported = new Set<string>();
  const importing = Object.entries(shared).map(([part, pattern]) => {
    const files = filesOf(pattern);
    const lines = files.map((file) => {
      imported.add(file);
      return `await import(${JSON.stringify(pathToFileURL(join(projectFolder, file)))});\n`;
    });
    const path = join(folder, `${part}.test.mjs`);
    writeFileSync(path, lines.join(''));
    return relative(projectFolder, path);
  });
  return [...importing, ...filesOf('**/*').filter((file) => !imported.has(file))];
}

function filesOf(pattern: string): string[] {
  return globSync(`test/unit/${pattern}.test.ts`, { cwd: projectFolder }).toSorted();
}

/** All floors, in the order in which they are run; the last three only when they are asked for. */
export const floors = {
  unit: {
    files: unitFiles,
    parameters: limits(4, 600_000),
    env: compileCache,
    anywhere: true,
    runsProgram: true,
  },
  editor: { files: () => [], parameters: [], program: 'test/editor/run.ts', env: {} },
  ui: {
    files: () => ['test/ui/**/*.test.ts'],
    parameters: [...limits(4, 900_000), forceExit],
    env: compileCache,
    needs: 'Linux',
  },
  package: {
    files: () => ['test/package/**/*.test.ts'],
    parameters: [...limits(1, 900_000), forceExit],
    env: {},
    needs: 'Linux',
  },
  long: {
    files: () => ['test/long/**/*.test.ts', ...random],
    parameters: [...limits(3, 1_800_000), forceExit],
    env: { ...compileCache, LIMNER_TEST_LONG: '1' },
    runsProgram: true,
    needs: 'Linux',
  },
  oldest: {
    files: () => globSync('test/editor/*.test.ts', { cwd: projectFolder }),
    parameters: [],
    program: 'test/editor/run.ts',
    env: { LIMNER_TEST_VSCODE: 'oldest' },
  },
  windows: { files: () => [], parameters: [], program: 'test/windows/run.ts', env: {}, needs: 'Wine' },
} satisfies Record<string, Floor>;

export type FloorName = keyof typeof floors;

/** Floors that run at the same time: one mostly works, the other mostly waits. */
const rounds: readonly (readonly FloorName[])[] = [
  ['unit', 'editor'],
  ['ui', 'package'],
  ['long', 'oldest'],
  ['windows'],
];

/** The outcome of running tests once. */
export interface Run {
  results: TestResult[];
  output: string;
  exitCode: number | null;
  /** In milliseconds. */
  duration: number;
}

/** Returns the name of a floor, if it is one. */
export function asFloor(name: string): FloorName | undefined {
  return Object.keys(floors).find((floor): floor is FloorName => floor === name);
}

/** Returns why this machine can't run a floor; undefined when it can. */
export function whyLeftOut(name: FloorName): string | undefined {
  const { needs }: Floor = floors[name];
  if (needs === 'Linux') {
    return process.platform === 'linux' ? undefined : needsLinux;
  }
  const folders = process.env['PATH']?.split(delimiter) ?? [];
  return needs === undefined || folders.some((folder) => existsSync(join(folder, 'wine')))
    ? undefined
    : "Wine isn't installed. docs/testing.md says how to install it.";
}

/** Returns some files of a floor, drawn at random. @param part of them, from 0 to 1 */
export function drawFiles(name: FloorName, part: number): string[] {
  const random = new Random(Math.trunc(Math.random() * 2 ** 31));
  const files = globSync([...floors[name].files()], { cwd: projectFolder });
  return files
    .map((file) => ({ file, place: random.below(2 ** 31) }))
    .toSorted((one, other) => one.place - other.place)
    .slice(0, Math.ceil(part * files.length))
    .map(({ file }) => file);
}

/** Returns the floor of a file, by its folder. */
export function floorOf(file: string): FloorName {
  const floor = asFloor(/(?:^|[/\\])test[/\\](\w+)[/\\]/u.exec(file)?.[1] ?? '');
  if (!floor) {
    throw new Error(`${file} is on no floor: it is not below test/${Object.keys(floors).join(', test/')}.`);
  }
  return floor;
}

/**
 * Runs floors, some of them at the same time.
 *
 * @param wanted the files of each, or none for all of it
 * @param env on top of this process's
 * @param begin is told of each floor before the first that it prints
 * @param print takes what is printed, one floor after the other
 * @param end is told what came of each
 */
export async function runFloors(
  wanted: ReadonlyMap<FloorName, readonly string[]>,
  {
    env = {},
    begin = () => {},
    print = () => {},
    end,
  }: {
    env?: NodeJS.ProcessEnv;
    begin?: (name: FloorName) => void;
    print?: (text: string) => void;
    end: (name: FloorName, run: Run) => void | Promise<void>;
  },
): Promise<void> {
  for (const round of rounds) {
    const started = round
      .filter((name) => wanted.has(name))
      .map((name) => {
        const turn = new Turn();
        return { name, turn, run: runFloor(name, wanted.get(name) ?? [], env, (text) => turn.print(text)) };
      });
    for (const { name, turn, run } of started) {
      begin(name);
      turn.begin(print);
      await end(name, await run);
    }
  }
}

/** Holds back the output of a floor until it is its turn. */
class Turn {
  #kept = '';
  #print: ((text: string) => void) | undefined;

  print(text: string): void {
    if (this.#print) {
      this.#print(text);
    } else {
      this.#kept += text;
    }
  }

  begin(print: (text: string) => void): void {
    print(this.#kept);
    this.#print = print;
  }
}

async function runFloor(
  name: FloorName,
  someFiles: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<Run> {
  const {
    parameters,
    program,
    env: ownEnv,
    anywhere = false,
    runsProgram = false,
    files: allFiles,
  }: Floor = floors[name];
  const files = someFiles.length > 0 ? someFiles : allFiles();
  const results = join(outFolder, 'results', `${name}.ndjson`);
  await rm(results, { force: true });
  await mkdir(join(outFolder, 'results'), { recursive: true });
  // Windows takes no path where a module is named.
  const reporter = new URL('resultReporter.ts', import.meta.url).href;
  const runner = [
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${results}`,
    ...parameters,
  ];
  const place = anywhere ? drawPlace() : undefined;
  let output = place ? `TZ=${place.TZ} LC_MESSAGES=${place.LC_MESSAGES}\n` : '';
  print(output);
  const started = performance.now();
  const child = spawn(process.execPath, [...(program === undefined ? runner : [program]), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...(runsProgram && shareProgram()),
      ...ownEnv,
      ...place,
      ...env,
      [resultsVariable]: results,
    },
  });
  // It ends its own processes.
  const forget = undoAtExit(() => child.kill());
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    print(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const exitCode = await promise;
  forget();
  const reported = await readResults(results);
  const lost = program === undefined ? lostFiles(files, reported) : [];
  return { results: [...reported, ...lost], output, exitCode, duration: performance.now() - started };
}

/** Returns a failure for each file that did not get to its end, or whose end was lost: its tests count for nothing. */
function lostFiles(files: readonly string[], results: readonly TestResult[]): TestResult[] {
  const ended = new Set(results.flatMap((result) => (result.kind === 'file' ? result.file : [])));
  return globSync([...files], { cwd: projectFolder })
    .map((file) => relative(projectFolder, resolve(projectFolder, file)))
    .filter((file) => !ended.has(file))
    .map((file) => ({
      kind: 'test',
      file,
      name: 'gets to its end',
      outcome: 'failed',
      error: 'The file reported no end.',
    }));
}
