import * as english from '../../common/english.ts';
import type { Run } from './run.ts';

/**
 * Decides about a task whose window is gone. An unsent task waits for the user. A task that was sent but has no ID
 * becomes unknown, but its complete images are saved. Every other task continues.
 */
export async function recoverSubmission(run: Run): Promise<void> {
  const { staging, clock } = run.context;
  const task = run.task();
  if (!task) {
    return;
  }
  if (task.status === 'waiting') {
    await run.record({ type: 'hold' });
    return;
  }
  const isCall = task.status === 'submitting' || task.status === 'in_progress';
  if (!isCall || task.remoteId !== undefined) {
    return;
  }
  const at = clock.now();
  const error = {
    code: 'outcome_unknown' as const,
    message: english.t(
      'Limner was closed before the service responded; the request may have reached the service.',
    ),
    phase: 'submit' as const,
    billing: 'maybe' as const,
  };
  const arrived = await staging.stagedFiles(task.id);
  if (arrived.size === 0) {
    await run.record({ type: 'lost', at, error });
    return;
  }
  await run.record({
    type: 'answered',
    at,
    results: Array.from(arrived, ([index, file]) => ({ index, state: 'staged', ...file })),
    incomplete: { ...error, message: english.t('Limner was closed before the response was complete.') },
  });
}
