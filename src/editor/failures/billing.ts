import * as vscode from 'vscode';
import type { Billing } from '../../common/limnerError.ts';
import type { Task } from '../../tasks/task.ts';

let isFreeService = (_baseUrl: string): boolean => false;

/** Sets which services are free; called once, at activation. */
export function setFreeServices(isFree: (baseUrl: string) => boolean): void {
  isFreeService = isFree;
}

/** Whether a task costs nothing, whatever becomes of it. */
export function isFree({ request }: Task): boolean {
  return isFreeService(request.baseUrl);
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
