import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as commands from '../../../../src/vscode/window/commandIds.ts';
import { remarks } from '../../../../src/cli/output/report.ts';
import { formatError as describeForTerminal } from '../../../../src/cli/output/taskFormat.ts';
import { isRunning } from '../../../../src/common/taskStatus.ts';
import { availableActions } from '../../../../src/engine/operations/availableActions.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { aRequest, aTask } from '../../../support/engine/taskBuilders.ts';
import { type Failure, failures } from '../../../support/engine/failures.ts';
import { loadEditorWords } from './vscodeWords.ts';
import type { ErrorRecord } from '../../../../src/common/limnerError.ts';

const { describeError, taskDetails, taskDescription, run } = await loadEditorWords();

/** One failure in all the words that people read of it. */
interface Told {
  failure: Failure;
  /** A notification, or a card of the studio. */
  message: string;
  /** The commands of its buttons, in their order. */
  buttons: string[];
  /** What a row tells under the pointer. */
  tooltip: string | undefined;
  /** What the command line says, once nothing moves the task any more. */
  terminal: string | undefined;
}

function tell(failure: Failure): Told {
  const { error, task } = failure;
  const { message, actions } = describeError(error, task);
  run.length = 0;
  for (const action of actions) {
    void action.run();
  }
  return {
    failure,
    message,
    buttons: [...run],
    tooltip: task && taskDetails(task),
    terminal: !task ? describeForTerminal(error) : isRunning(task) ? undefined : remarks(task).join('\n'),
  };
}

const told = Object.values(failures).flat().map(tell);

/** All that is said of one failure, wherever. */
function wordsOf({ message, tooltip = '', terminal = '' }: Told): string {
  return [message, tooltip, terminal].join('\n');
}

function rule(name: string, check: (told: Told) => void): void {
  it(name, () => {
    for (const each of told) {
      try {
        check(each);
      } catch (error) {
        const { failure, message, buttons, terminal } = each;
        const { name, error: record } = failure;
        throw new Error([`${record.code}, ${name}`, message, buttons.join(', '), terminal].join('\n'), {
          cause: error,
        });
      }
    }
  });
}

const isFree = (action: string): boolean => ['saveAgain', 'fetchAgain', 'resume'].includes(action);
const free = new Set<string>([commands.taskSaveAgain, commands.taskFetchAgain, commands.taskResume]);

/** Whether an action brings the image without paying again. */
function isOffered(task: Task | undefined): boolean {
  return task !== undefined && task.status !== 'needs_key' && availableActions(task).some(isFree);
}

function mayBePaid({ error: { billing } }: Failure): boolean {
  return billing === 'maybe' || billing === 'yes';
}

/** Whether some of its images are files, so that the error is about the others. */
function isPartly({ task, error: { phase } }: Failure): boolean {
  return phase === 'submit' && (task?.results.some(({ state }) => state === 'saved') ?? false);
}

void describe('the words for a failure', () => {
  rule('are whole sentences, none of them twice', ({ message, terminal = '.' }) => {
    for (const text of [message, ...terminal.split('\n')]) {
      assert.match(text, /[.!?]$/u);
      assert.doesNotMatch(text, /undefined|null|\.\.|[:;,] ?\.|: *$| {2}|\. \(HTTP/u);
      const sentences = text.split(/(?<=[.!?:]) /u);
      assert.deepEqual(sentences, [...new Set(sentences)]);
    }
  });

  rule('say that something is kept only where it is', (each) => {
    const results = each.failure.task?.results ?? [];
    if (/\bkept\b|\bdata is in\b/iu.test(wordsOf(each))) {
      assert.ok(results.some(({ state, stagedPath }) => state !== 'saved' && stagedPath !== undefined));
    }
  });

  rule('say where the bytes are, wherever they are', (each) => {
    for (const { state, stagedPath } of each.failure.task?.results ?? []) {
      if (state !== 'saved' && stagedPath !== undefined) {
        assert.match(each.message, /The (?:image|received) data is kept in \/home/u);
        assert.ok(each.terminal?.includes(stagedPath));
      }
    }
  });

  rule('give the whole address of an image that its host refuses', ({ failure, message, terminal }) => {
    const [{ url = '' } = {}] = failure.task?.results ?? [];
    if (failure.error.code === 'protocol' && failure.error.phase === 'download') {
      assert.ok(message.includes(url));
      assert.ok(terminal === undefined || terminal.includes(url));
    }
  });

  rule('say what was billed as far as that is known, in the window and in the terminal', (each) => {
    const { failure, message, terminal } = each;
    const { billing } = failure.error;
    for (const text of terminal === undefined ? [message] : [message, terminal]) {
      const said = {
        no: /\bNot billed\.|were not billed\./u.test(text),
        maybe: /may (?:have been|still be) billed\./iu.test(text),
        yes: /\bBilled[.;]/u.test(text),
        refunded: /\bRefunded\./u.test(text),
      };
      const expected = isPartly(failure)
        ? { no: billing === 'no', maybe: billing !== 'no', yes: false, refunded: false }
        : {
            no: billing === 'no',
            maybe: billing === 'maybe' || failure.task?.status === 'needs_key',
            yes: billing === 'yes',
            refunded: billing === 'refunded',
          };
      assert.deepEqual(said, expected, text);
    }
  });

  rule('say that the service refused, rejected or answered only where it was asked and did', (each) => {
    const { sent, status, service } = each.failure.error;
    const isAnswered = sent !== false && (status !== undefined || service !== undefined);
    if (/service (?:rejected|reports|couldn't (?:create|look))/u.test(wordsOf(each))) {
      assert.ok(isAnswered);
    }
  });

  rule(
    'say that a connection broke only where one did, and that none came about where it did not',
    (each) => {
      const { code, sent } = each.failure.error;
      const words = wordsOf(each);
      if (/connection .*(?:broke|closed)/iu.test(words)) {
        assert.deepEqual([code, sent], ['network', true]);
      }
      if (/couldn't reach|unreachable/iu.test(words)) {
        assert.equal(sent, false);
      }
    },
  );

  rule('call no image gone that an action may still bring', (each) => {
    if (isOffered(each.failure.task)) {
      assert.doesNotMatch(wordsOf(each), /\bgone\b|data is missing|any ?more|no longer|expired\./u);
    }
  });

  rule('offer what is free first, and what is paid for not beside it', ({ failure, buttons }) => {
    const offered = buttons.filter((command) => free.has(command));
    assert.equal(offered.length, isOffered(failure.task) ? 1 : 0);
    if (offered.length > 0) {
      assert.equal(buttons[0], offered[0]);
      assert.ok(!buttons.includes(commands.taskRunAgain));
    }
  });

  rule('offer only what the row of the task offers', ({ failure: { task }, buttons }) => {
    const possible: readonly string[] = task ? availableActions(task) : [];
    for (const command of buttons.filter((button) => button.startsWith('limner.task.'))) {
      const offered = command === commands.taskRunWithChanges ? commands.taskRunAgain : command;
      assert.ok(possible.includes(offered.replace('limner.task.', '')), command);
    }
  });

  rule('say that running again is paid for again, where it may be for the second time', (each) => {
    const { failure, message, tooltip } = each;
    if (failure.task && availableActions(failure.task).includes('runAgain') && mayBePaid(failure)) {
      assert.match(message, /is billed again\./u);
      assert.ok(tooltip?.includes('is billed again.'));
    }
  });

  rule('name what a person presses or types', (each) => {
    const { failure, message, terminal } = each;
    const { task, error } = failure;
    if (terminal === undefined) {
      return;
    }
    if (isOffered(task)) {
      assert.match(message, /"(?:Save|Fetch) Again"|"Resume"|Allow the host/u);
      const isForeign = error.code === 'result_refused' && error.refusedHost === undefined;
      assert.ok(isForeign || new RegExp(`"limner tasks --resume(?: ${task?.id})?"`, 'u').test(terminal));
    }
    if (error.refusedHost !== undefined) {
      assert.ok(terminal.includes(`add ${error.refusedHost} to LIMNER_RESULT_HOSTS`));
    }
    if (error.code === 'no_key' || error.code === 'unauthorized') {
      assert.ok(isOffered(task) || terminal.includes('LIMNER_API_KEY'));
      assert.ok(each.buttons.includes(commands.setApiKey));
    }
    if (error.code === 'content_rejected' && task && !isOffered(task)) {
      assert.deepEqual(each.buttons, [commands.taskRunWithChanges, commands.showLog]);
    }
    if (task?.status === 'needs_key') {
      assert.deepEqual(each.buttons, [commands.setApiKey]);
      assert.ok(terminal.includes(`to the values for ${task.origin}, then run "limner tasks --resume"`));
    }
    if (task?.status === 'unknown') {
      assert.match(
        `${message}\n${terminal}`,
        /account at the service before .*\n.*account at the service before /u,
      );
    }
  });

  const answers = new Map<string, string>([
    ['task_not_found', 'unknown to the service'],
    ['unauthorized', 'API key rejected'],
    ['invalid_request', 'request rejected'],
  ]);

  rule(
    'say of what goes on by itself that it does, and why it waits',
    ({ failure: { task, error }, message }) => {
      if (task?.retryAt === undefined) {
        return;
      }
      assert.match(message, /Limner retries automatically\.$/u);
      const isUnanswered = error.code === 'network' || error.code === 'timeout';
      const isBusy = error.code === 'queue_full' || error.code === 'rate_limited';
      const answer = isBusy ? 'service is busy' : (answers.get(error.code) ?? 'service error');
      const silence = error.sent === false ? "can't reach the service" : 'no response from the service';
      const unsaved =
        error.status === 401
          ? 'the image host refuses access, and results are fetched without the API key'
          : 'image not available yet';
      const why = task.status === 'saving' ? unsaved : isUnanswered ? silence : answer;
      const [, waits, time] = /^(.*), retrying at (.*)$/u.exec(taskDescription(task, task.retryAt - 1)) ?? [];
      assert.deepEqual([waits, time?.length], [why, '02:22:40'.length]);
      assert.equal(taskDescription(task, task.retryAt), `${why}, retrying`);
      assert.ok(availableActions(task).includes('tryNow'));
    },
  );

  rule('say in the row why a task failed, wherever that is known', ({ failure: { task, error } }) => {
    if (
      task?.status === 'failed' &&
      !['protocol', 'outcome_unknown', 'task_query_failed'].includes(error.code)
    ) {
      assert.match(taskDescription(task), /^(?!failed)[^·]{5,40} · \d\d:\d\d$/u);
    }
  });

  rule('are all under the pointer, each once', ({ failure: { task }, tooltip, message }) => {
    if (task) {
      assert.equal(tooltip?.split(message).length, 2);
    }
  });

  it('say once of each task of a free service that it is free, unless it was rejected, and nothing of a bill', () => {
    for (const task of [aTask(), ...told.flatMap(({ failure }) => failure.task ?? [])]) {
      const tooltip = taskDetails({ ...task, request: { ...task.request, free: true } });
      const ofImages = new Map(task.results.flatMap(({ error }) => (error ? [[error.message, error]] : [])));
      const errors = ofImages.size > 0 ? [...ofImages.values()] : [task.error ?? { billing: 'yes' }];
      const costly = errors.filter(({ billing }) => billing !== 'no' && billing !== 'refunded');
      assert.equal(tooltip.split('Free (demo)').length - 1, costly.length, tooltip);
      assert.doesNotMatch(tooltip, /billed|refunded/iu);
    }
  });
});

const { showTaskFailure, shown } = await loadEditorWords();

const quota: ErrorRecord = { code: 'quota_exceeded', message: 'No credit.', billing: 'no' };
const failed: ErrorRecord = { code: 'image_generation_failed', message: 'No.', billing: 'refunded' };

/** Shows it without waiting for a user. @returns the messages that it added */
function show(error: ErrorRecord, prompt: string, createdAt = 0): string[] {
  const before = shown.length;
  void showTaskFailure(error, aTask({ request: aRequest({ prompt }), status: 'failed', createdAt, error }));
  return shown.slice(before);
}

void describe('the message about a failed task', () => {
  it('begins with its prompt, however long that is', () => {
    assert.match(show(failed, 'A red fox')[0] ?? '', /^"A red fox": The service couldn't create the image/u);
    assert.match(
      show(failed, 'A lighthouse\n'.repeat(9))[0] ?? '',
      /^"A lighthouse A lighthouse .{0,20}…": /u,
    );
  });

  it('is one for all tasks that a cause befalls, and another one for what is started later', () => {
    assert.equal(show(quota, 'One').length, 1);
    assert.equal(show(quota, 'Two').length, 0);
    assert.equal(show({ ...quota, billing: 'maybe' }, 'Two').length, 1);
    assert.equal(show(failed, 'Two').length, 1);
    assert.equal(show(quota, 'Three', Date.now() + 1000).length, 1);
  });
});
