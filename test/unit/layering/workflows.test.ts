import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from 'js-yaml';
import * as v from 'valibot';
import packageJson from '../../../package.json' with { type: 'json' };
import { filesLike, projectFolder } from '../../support/folders.ts';

const step = v.object({
  name: v.optional(v.string()),
  if: v.optional(v.string(), ''),
  run: v.optional(v.string(), ''),
  shell: v.optional(v.string(), ''),
  uses: v.optional(v.string(), ''),
});
const workflow = v.object({
  jobs: v.record(
    v.string(),
    v.object({
      'runs-on': v.string(),
      strategy: v.optional(v.object({ matrix: v.object({ os: v.optional(v.array(v.string()), []) }) })),
      steps: v.array(step),
    }),
  ),
});
type Step = v.InferOutput<typeof step>;

const scripts = new Map(Object.entries(packageJson.scripts));
/** What npm does by itself. */
const npmCommands = new Set(['ci', 'exec', 'install', 'run']);
/** What neither the shell of npm's scripts on Windows nor PowerShell understands as a shell of Linux does. */
const posixOnly: readonly RegExp[] = [
  /(?:^|&&|\|\||;)\s*\w+=/mu,
  /\$\(|\$\w|\$\{(?!\{)|`/u,
  /'/u,
  /(?:^|&&|\|\||;|\|)\s*(?:export|source|\.|rm|cp|mv|mkdir|cat|chmod|grep|sed|test|\[|sudo|xvfb-run|sh|bash)\s/mu,
  /\.sh\b|\/dev\/|\\$/mu,
];

const isPosixOnly = (commands: string): boolean => posixOnly.some((pattern) => pattern.test(commands));

/** Returns the scripts of package.json that commands run, also by other scripts. */
function scriptsOf(commands: string, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of commands.matchAll(/\bnpm (?:run (?:--silent )?)?([\w:-]+)/gu)) {
    const script = scripts.get(name);
    if (script !== undefined || !npmCommands.has(name)) {
      found.add(name);
      scriptsOf(script ?? '', found);
    }
  }
  return found;
}

/** Returns what commands name and that doesn't exist. */
function missingIn(commands: string): string[] {
  const files = [...commands.matchAll(/(?<![\w@/.:-])(?:\.\/)?\.?[\w-]+(?:\/[\w.-]+)+(?![\w*/])/gu)].map(
    ([file]) => file,
  );
  return [
    ...[...scriptsOf(commands)].filter((name) => !scripts.has(name)),
    ...files.filter((file) => !existsSync(join(projectFolder, file))),
  ];
}

/** Whether a step runs on Windows, where its job does: only conditions that say so keep it away. */
function runsOnWindows({ if: condition }: Step): boolean {
  const [, operator, os] = /^runner\.os (==|!=) '(\w+)'$/u.exec(condition) ?? [];
  return operator === undefined || (operator === '==') === (os === 'Windows');
}

test('tells what only a shell of Linux understands', () => {
  for (const commands of [
    'LIMNER_X=1 node a.ts',
    'npm ci && CI=1 npm test',
    'export A=1',
    'echo $HOME',
    'echo $(pwd)',
    "node --test 'test/*.ts'",
    'rm -rf dist',
    'npm ci && mkdir -p out',
    './build.sh',
    'npm ci \\\n  --silent',
    'npm test > /dev/null',
    'bash .ci/run',
  ]) {
    assert.ok(isPosixOnly(commands), commands);
  }
  for (const commands of ['npm ci && npm run test:unit', 'node --test test/*.ts', 'echo ${{ matrix.os }}']) {
    assert.ok(!isPosixOnly(commands), commands);
  }
});

test('tells what a command names that is not there', () => {
  assert.deepEqual(
    missingIn(
      'npm ci && npm run none && npm test && bash .ci/none && node ./scripts/none.ts && node test/run.ts',
    ),
    ['none', '.ci/none', './scripts/none.ts'],
  );
});

for (const file of filesLike('.github/workflows/*.yml')) {
  test(`all that ${file} runs exists, and is understood where it runs`, () => {
    const { jobs } = v.parse(workflow, load(readFileSync(join(projectFolder, file), 'utf8')));
    for (const { 'runs-on': runner, strategy, steps } of Object.values(jobs)) {
      const isWindows = [runner, ...(strategy?.matrix.os ?? [])].some((os) => os.startsWith('windows'));
      for (const one of steps) {
        assert.deepEqual(missingIn(one.run), [], one.run);
        assert.ok(!one.uses.startsWith('.') || existsSync(join(projectFolder, one.uses)), one.uses);
        if (isWindows && one.run !== '' && one.shell !== 'bash' && runsOnWindows(one)) {
          assert.ok(!isPosixOnly(one.run), one.run);
        }
      }
    }
  });
}

test('every script of npm is understood by the shell of Windows, and runs files that exist', () => {
  for (const [name, script] of scripts) {
    assert.ok(!isPosixOnly(script), `${name}: ${script}`);
    assert.deepEqual(missingIn(script), [], name);
  }
});
