import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { plainText } from '../window/plainText.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { PollTransport } from '../../service/http/pollTransport.ts';
import { ImageService } from '../../service/imageService.ts';

/** The outcome of checking a URL and a key. */
export type ServiceCheck =
  | { kind: 'good' }
  | { kind: 'badKey'; words: string }
  /** They may be right or wrong; `words` tell what came back. */
  | { kind: 'inconclusive'; words: string };

const requestTimeout = 30_000;

/** Discards the images of a response. */
const nowhere = {
  write: () => undefined,
  toText: async () => Promise.resolve(),
  close: async () => Promise.resolve(),
  discard: async () => Promise.resolve(),
};

/**
 * Tries a URL and a key free of charge, by querying a task that cannot exist. A service that says in its own words that
 * it does not know the task accepts both.
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
    return { kind: 'inconclusive', words: vscode.l10n.t("The service recognizes a task that can't exist.") };
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
