import type { ErrorRecord } from '../service/limnerError.ts';
import { exitCodes } from './exitCodes.ts';
import type { Output } from './output.ts';
import { describeError } from './taskText.ts';
import { jsonLine, printable } from './terminalText.ts';

/**
 * Says why a command could not do its work at all; nothing was sent then.
 *
 * @returns the exit code
 */
export async function fail(error: unknown, output: Output): Promise<number> {
  const { isLimnerError } = await import('../engine.ts');
  if (!isLimnerError(error)) {
    // A mistake in Limner: where it is helps whoever mends it.
    output.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return exitCodes.failed;
  }
  const record = error.toRecord();
  if (output.json) {
    output.result(jsonLine({ error: record }));
  }
  output.say(`error: ${printable(describeError(record))}`);
  return isUsage(record) ? exitCodes.usage : exitCodes.failed;
}

/** Whether the person gave something that cannot be used. */
function isUsage({ code }: ErrorRecord): boolean {
  return (
    code === 'invalid_request' || code === 'unsupported_image' || code === 'no_service' || code === 'no_key'
  );
}
