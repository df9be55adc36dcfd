import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { plainText } from '../window/plainText.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { PollTransport } from '../../service/http/pollTransport.ts';
import { queryTask } from '../../service/queryTask.ts';

/** What a service says to an address and a key. */
export type ServiceCheck =
  | { kind: 'good' }
  | { kind: 'badKey'; words: string }
  /** It may be right or wrong; `words` say what came back. */
  | { kind: 'inconclusive'; words: string };

/**
 * Tries an address and a key without cost: a task that cannot exist is asked for. That the service does not know
 * it, in words of its own, means that both are good.
 */
export async function checkService(
  { engine, log }: Pick<Limner, 'engine' | 'log'>,
  baseUrl: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<ServiceCheck> {
  try {
    await queryTask({
      baseUrl,
      apiKey,
      plainHttpOrigins: engine.plainHttpOrigins,
      taskId: `limner-check-${randomUUID()}`,
      transport: new PollTransport(),
      signal,
      log: (line) => log.info(line),
    });
    return { kind: 'inconclusive', words: vscode.l10n.t('It knows a task that cannot exist.') };
  } catch (error) {
    if (!isLimnerError(error)) {
      return { kind: 'inconclusive', words: plainText(String(error)) };
    }
    const words = plainText(error.message);
    if (error.code === 'unauthorized') {
      return { kind: 'badKey', words };
    }
    const { code, type, message } = error.service ?? {};
    const knowsTasks = [code, type, message].some((word) => /task[_ ]?not[_ ]?found/i.test(word ?? ''));
    return error.code === 'task_not_found' && knowsTasks ? { kind: 'good' } : { kind: 'inconclusive', words };
  }
}
