import { relative } from 'node:path';
import { inspect } from 'node:util';
import type { TestEvent } from 'node:test/reporters';
import { projectFolder } from '../support/folders.ts';
import type { TestResult } from './testResults.ts';

/**
 * A reporter for `node --test` that writes one line of JSON for each test and each file. A test comes with the source
 * that declares it, which may be of `test/host/`: its file is the one that ends next.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  /** Of each file, the names of the suites and the test that began last, by their depth. */
  const names = new Map<string, string[]>();
  let tests: TestResult[] = [];
  for await (const event of events) {
    const result = resultOf(event, names);
    if (result) {
      tests.push(result);
    }
    if (result && (result.kind === 'file' || result.name === result.file)) {
      for (const test of tests) {
        yield `${JSON.stringify({ ...test, file: result.file })}\n`;
      }
      tests = [];
    }
  }
  // A process that died after a failed test leaves its file without an end.
  for (const test of tests) {
    yield `${JSON.stringify(test)}\n`;
  }
}

function resultOf(event: TestEvent, names: Map<string, string[]>): TestResult | undefined {
  switch (event.type) {
    case 'test:start': {
      const { file = '', nesting, name } = event.data;
      names.set(file, [...(names.get(file) ?? []).slice(0, nesting), name]);
      return undefined;
    }
    case 'test:pass':
    case 'test:fail': {
      const { file = '', nesting, name, details, skip, todo } = event.data;
      if (
        details.type === 'suite' &&
        (event.type === 'test:pass' || isOfSubtests(event.data.details.error))
      ) {
        return undefined;
      }
      const isSkipped = skip !== undefined || todo !== undefined;
      return {
        kind: 'test',
        file: relative(projectFolder, file),
        name: [...(names.get(file) ?? []).slice(0, nesting), name].join(' › '),
        outcome: isSkipped ? 'skipped' : event.type === 'test:pass' ? 'passed' : 'failed',
        ...(event.type === 'test:fail' && { error: textOf(event.data.details.error) }),
      };
    }
    case 'test:summary': {
      const { file, duration_ms: duration } = event.data;
      return file === undefined ? undefined : { kind: 'file', file: relative(projectFolder, file), duration };
    }
    default:
      return undefined;
  }
}

/** Whether a suite failed for no reason of its own. */
function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

function textOf(error: Error): string {
  const { cause } = error;
  if ('signal' in error && typeof error.signal === 'string') {
    return `The process was ended by ${error.signal}.`;
  }
  return cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause ?? error.message);
}
