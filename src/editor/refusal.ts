import * as vscode from 'vscode';
import type { EngineModule } from '../engine.ts';
import type { ErrorCode, LimnerError } from '../service/limnerError.ts';
import { describeError, showError } from './errorText.ts';
import type { Limner } from './limner.ts';
import { plainText } from './plainText.ts';

/** A button that mends what stood in the way. */
export interface Mending {
  title: string;
  run(): Thenable<unknown>;
}

/** Why Limner itself did not send something; its message is the one that people read. */
export interface Refusal extends LimnerError {
  readonly mending: readonly Mending[];
}

/** Makes a refusal; nothing was sent and nothing is billed. */
export function refuse(
  { LimnerError }: EngineModule,
  code: ErrorCode,
  message: string,
  mending: readonly Mending[] = [],
): Refusal {
  return Object.assign(new LimnerError(code, message, { billing: 'no', sent: false }), { mending });
}

/**
 * Shows why something failed with the buttons that mend it. A question that was dismissed and a task that the
 * person stopped are no failures.
 */
export async function reportFailure(limner: Limner, error: unknown, taskId?: string): Promise<void> {
  if (error instanceof vscode.CancellationError) {
    return;
  }
  if (isRefusal(error)) {
    const chosen = await vscode.window.showErrorMessage(
      plainText(error.message),
      ...error.mending.map(({ title }) => title),
    );
    await error.mending.find(({ title }) => title === chosen)?.run();
    return;
  }
  const { isLimnerError, LimnerError } = await limner.engine.module();
  const known = isLimnerError(error) ? error : new LimnerError('protocol', String(error), { cause: error });
  if (known.code !== 'stopped') {
    await showError(known.toRecord(), taskId);
  }
}

/**
 * What a caller is given for an error: one with a code, in the words that a person reads, since VS Code shows them
 * after a key binding. A question that was dismissed becomes such an error too.
 */
export async function asRejection(limner: Limner, error: unknown): Promise<unknown> {
  const engine = await limner.engine.module();
  if (error instanceof vscode.CancellationError) {
    return refuse(
      engine,
      'stopped',
      vscode.l10n.t('A question of Limner was dismissed, so nothing was sent.'),
    );
  }
  if (isRefusal(error) || !engine.isLimnerError(error)) {
    return error;
  }
  const record = error.toRecord();
  return new engine.LimnerError(error.code, describeError(record).message, { ...record, cause: error });
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'mending' in error;
}
