import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { refusalText, taskText } from '../../../../src/agents/tools/replyText.ts';
import { remarks } from '../../../../src/cli/output/report.ts';
import { formatError } from '../../../../src/cli/output/taskFormat.ts';
import { isRunning } from '../../../../src/common/taskStatus.ts';
import { type Failure, failures } from '../../../support/engine/failures.ts';
import { loadEditorWords } from './vscodeWords.ts';

const { describeError } = await loadEditorWords();
const cases = Object.values(failures).flat();

/**
 * Compares all that a door says of each failure with its golden file, so that every changed text is one line to review.
 * `node --test --test-update-snapshots` with this file writes them anew.
 */
function compare(t: TestContext, door: string, say: (failure: Failure) => readonly string[]): void {
  const text = cases
    .map((failure) => [`## ${failure.error.code}, ${failure.name}`, ...say(failure)].join('\n'))
    .join('\n\n')
    .replaceAll(/\b1hf7yat0\w+/gu, 'taskId');
  t.assert.fileSnapshot(text, join(dirname(import.meta.filename), 'golden', `${door}.txt`), {
    serializers: [String],
  });
}

test('the window says of each failure what its golden file says', (t: TestContext) => {
  compare(t, 'window', ({ error, task }) => {
    const { message, actions } = describeError(error, task);
    return [message, ...actions.map(({ title }) => `[${title}]`)];
  });
});

test('the command line says of each failure what its golden file says', (t: TestContext) => {
  compare(t, 'commandLine', ({ error, task }) =>
    !task ? [formatError(error)] : isRunning(task) ? [] : remarks(task),
  );
});

test('agents are told of each failure what their golden file says', (t: TestContext) => {
  compare(t, 'agents', ({ error, task }) =>
    task ? [taskText(task, { nameOf: (uri) => uri })] : [refusalText({ billing: 'no', ...error })],
  );
});
