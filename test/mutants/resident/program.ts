/**
 * A process that runs test files again and again, each time with the source as it is told. What doesn't import the changed
 * file stays loaded: starting a process and loading everything takes longer than most tests.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { firstFailure } from './harness.ts';

/** What to run: a test file, or one test of it, of the source as it is or with another text in place of a file. */
export interface Question {
  test: string;
  only?: string | undefined;
  change?: { file: string; source: string };
}

/** The path of the test that failed, if any did. */
export interface Answer {
  failure?: string;
}

const projectUrl = pathToFileURL(join(process.cwd(), '/')).href;
const harnessUrl = new URL('harness.ts', import.meta.url).href;
/** Who imports each file, by URLs. */
const importers = new Map<string, Set<string>>();
/** The source of each file in JavaScript, by its URL. */
const sources = new Map<string, string>();
/** Files that are loaded anew in this run. */
let renewed = new Set<string>();
let changed: { url: string; source: string } | undefined;
let runs = 0;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'node:test') {
      return { url: harnessUrl, shortCircuit: true };
    }
    const resolved = nextResolve(specifier, context);
    const url = withoutRun(resolved.url);
    if (!isOurs(url)) {
      return resolved;
    }
    const before = importers.get(url) ?? new Set();
    importers.set(url, before.add(withoutRun(context.parentURL ?? '')));
    return { ...resolved, url: renewed.has(url) ? `${url}?run=${runs}` : url };
  },
  load(url, context, nextLoad) {
    const file = withoutRun(url);
    if (!isOurs(file)) {
      return nextLoad(url, context);
    }
    if (changed?.url === file) {
      return { format: 'module', source: stripTypeScriptTypes(changed.source), shortCircuit: true };
    }
    const source = sources.get(file) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(file), 'utf8'));
    sources.set(file, source);
    return { format: 'module', source, shortCircuit: true };
  },
});

process.on('message', (question: Question) => void run(question).then((answer) => process.send?.(answer)));

async function run({ test, only, change }: Question): Promise<Answer> {
  runs++;
  changed = change && { url: urlOf(change.file), source: change.source };
  renewed = new Set([urlOf(test), ...(changed ? [changed.url] : [])]);
  for (const url of renewed) {
    for (const importer of importers.get(url) ?? []) {
      renewed.add(importer);
    }
  }
  const failure = await firstFailure(async () => import(urlOf(test)), only);
  return failure === undefined ? {} : { failure };
}

function isOurs(url: string): boolean {
  return url.startsWith(projectUrl) && url.endsWith('.ts');
}

function urlOf(path: string): string {
  return new URL(path, projectUrl).href;
}

function withoutRun(url: string): string {
  return url.replace(/\?run=\d+$/u, '');
}
