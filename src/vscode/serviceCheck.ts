import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { plainText } from './window/plainText.ts';
import { isLimnerError } from '../common/limnerError.ts';
import { PollTransport } from '../service/http/pollTransport.ts';
import { ImageService } from '../service/wire/imageService.ts';
import { whatHappened } from '../engine/messages/failureText.ts';

export type ServiceCheck =
  | { kind: 'good' }
  | { kind: 'badKey'; words: string }
  /** Inconclusive; `words` describe the response. */
  | { kind: 'inconclusive'; words: string };

const requestTimeout = 30_000;

const nowhere = {
  write: () => undefined,
  toText: async () => Promise.resolve(),
  close: async () => Promise.resolve(),
  discard: async () => Promise.resolve(),
};

/**
 * Checks a URL and a key at no cost, by querying a task that can't exist. A service accepts both if it says in its own
 * words that it doesn't know the task.
 */
export async function checkService(
  connection: { baseUrl: string; apiKey: string; plainHttpOrigins: readonly string[] },
  log: vscode.LogOutputChannel,
  signal: AbortSignal,
): Promise<ServiceCheck> {
  const transport = new PollTransport();
  const transports = { posts: transport, polls: transport };
  try {
    const service = new ImageService({
      ...connection,
      transports,
      requestTimeout,
      log: (line) => log.info(line),
    });
    await service.query(`limner-check-${randomUUID()}`, { signal, openSink: () => nowhere });
    return { kind: 'inconclusive', words: l10n.t("The service recognizes a task that can't exist.") };
  } catch (error) {
    if (!isLimnerError(error)) {
      return { kind: 'inconclusive', words: plainText(String(error)) };
    }
    const words = whatHappened(error.toRecord(), undefined, plainText);
    if (error.code === 'unauthorized') {
      return { kind: 'badKey', words };
    }
    const { code, type, message } = error.service ?? {};
    const knowsTasks = [code, type, message].some((word) => /task[_ ]?not[_ ]?found/i.test(word ?? ''));
    return error.code === 'task_not_found' && knowsTasks ? { kind: 'good' } : { kind: 'inconclusive', words };
  }
}
