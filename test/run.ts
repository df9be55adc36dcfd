/**
 * All four floors of tests: `npm test`. Ends with one line, `N passed, N failed`; a floor that ends badly without
 * having counted a failure counts as one.
 */
import { spawn } from 'node:child_process';

const floors: Record<string, readonly string[]> = {
  unit: ['--test', '--test-timeout=120000', 'test/unit/**/*.test.ts'],
  editor: ['test/editor/run.ts'],
  ui: ['--test', '--test-timeout=180000', '--test-concurrency=1', 'test/ui/**/*.test.ts'],
  package: ['--test', '--test-timeout=180000', '--test-concurrency=1', 'test/package/**/*.test.ts'],
};

const asked = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const [floor, parameters] of Object.entries(floors)) {
  if (asked.length === 0 || asked.includes(floor)) {
    console.log(`\n== ${floor} floor`);
    const { output, exitCode } = await run(parameters);
    const failures = count(output, /^ℹ fail (\d+)$|\d+ passed, (\d+) failed$/gm);
    passed += count(output, /^ℹ pass (\d+)$|(\d+) passed, \d+ failed$/gm);
    failed += exitCode === 0 ? failures : Math.max(1, failures);
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function run(parameters: readonly string[]): Promise<{ output: string; exitCode: number | null }> {
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ output, exitCode }));
  });
}

function count(output: string, pattern: RegExp): number {
  let sum = 0;
  for (const [, first, second] of output.matchAll(pattern)) {
    sum += Number(first ?? second);
  }
  return sum;
}
