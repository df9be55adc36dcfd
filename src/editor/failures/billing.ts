import * as vscode from 'vscode';
import type { Billing } from '../../common/limnerError.ts';
import type { Task } from '../../tasks/task.ts';

/** Whether a task costs nothing, whatever becomes of it. */
export function isFree({ request }: Task): boolean {
  return request.free === true;
}

/** Returns what something cost, in the one wording of it that people read. */
export function billingText(billing: Billing, task?: Task): string {
  if (task && isFree(task)) {
    return vscode.l10n.t('Free (demo)');
  }
  switch (billing) {
    case 'no':
      return vscode.l10n.t('Not billed');
    case 'refunded':
      return vscode.l10n.t('Refunded');
    case 'maybe':
      return vscode.l10n.t('May have been billed');
    case 'yes':
      return vscode.l10n.t('Billed');
  }
}
