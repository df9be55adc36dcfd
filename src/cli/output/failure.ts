import * as l10n from '@vscode/l10n';
import * as english from '../../common/english.ts';
import { isLimnerError, type ErrorRecord } from '../../common/limnerError.ts';
import { exitCodes, type Output } from './output.ts';
import { formatError } from './taskFormat.ts';
import { jsonLine, printable } from './terminalText.ts';

/**
 * Reports why a command failed.
 *
 * @returns the exit code
 */
export async function fail(error: unknown, output: Output): Promise<number> {
  const record = await recordOf(error);
  if (record === undefined) {
    if (output.json) {
      output.result(jsonLine({ error: { code: 'internal', message: String(error) } }));
    }
    // A bug in Limner: the stack helps to fix it.
    output.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return exitCodes.failed;
  }
  if (output.json) {
    output.result(jsonLine({ error: record }));
  }
  output.say(l10n.t('error: {0}', printable(formatError(record))));
  if (record.code === 'over_budget') {
    return exitCodes.overBudget;
  }
  return isUsage(record) ? exitCodes.usage : exitCodes.failed;
}

async function recordOf(error: unknown): Promise<ErrorRecord | undefined> {
  if (isLimnerError(error)) {
    return error.toRecord();
  }
  const { databaseTrouble, isDatabaseError } = await import('../../engine/run/engine.ts');
  return isDatabaseError(error)
    ? {
        code: 'save_failed',
        message: english.t("The task list can't be used. {0}", databaseTrouble(error)),
      }
    : undefined;
}

function isUsage({ code }: ErrorRecord): boolean {
  return (
    code === 'invalid_request' || code === 'unsupported_image' || code === 'no_service' || code === 'no_key'
  );
}
