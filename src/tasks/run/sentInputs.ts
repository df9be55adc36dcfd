import { hashInput } from '../files/inputHash.ts';
import { inputsNeededLater, type TaskInput, type TaskRequest } from '../task.ts';
import type { Run } from './run.ts';

/** Copies the files that the images are made with when they have arrived, so that they are those that were sent. */
export async function copyInputs(run: Run, request: TaskRequest): Promise<void> {
  for (const input of inputsNeededLater(request)) {
    const path = await sentFrom(run, input);
    await (path !== undefined && run.context.staging.copyInput(run.id, { ...input, path }));
  }
}

/**
 * Returns where the bytes of an input are: in the copy, in the file itself while it is as it was, or in Limner's storage
 * since they were replaced or deleted.
 */
export async function sentFrom({ id, context }: Run, input: TaskInput): Promise<string | undefined> {
  const { staging, keptFiles } = context;
  const copy = staging.inputCopyPath(id, input);
  const isCopied = (await hashInput(copy).catch(() => undefined)) === input.sha256;
  return isCopied ? copy : keptFiles.whereabouts(input);
}
