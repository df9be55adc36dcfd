import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallStyle } from '../service/messages.ts';
import type { TaskRequest } from '../tasks/task.ts';
import { openCliEngine } from './cliEngine.ts';
import type { Environment } from './environment.ts';
import type { Output } from './output.ts';
import { runTask } from './runTask.ts';

/** Options of `limner generate` and `limner edit`, as commander parsed them. */
export interface PaintOptions {
  model?: string;
  size?: string;
  quality?: string;
  n: number;
  callStyle: CallStyle | 'auto';
  image?: string[];
  mask?: string;
  folder: string;
  name: string;
  json?: true;
}

/**
 * Generates, or edits when there are input images, and prints the saved paths.
 *
 * @returns the exit code
 * @throws LimnerError `no_service`, `no_key`, `invalid_request`, `unsupported_image` before anything is sent
 */
export async function paint(
  prompt: string,
  options: PaintOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const engineModule = await import('../engine.ts');
  const { LimnerError, describeInput } = engineModule;
  const refuse = (code: 'no_service' | 'no_key' | 'invalid_request', message: string): never => {
    throw new LimnerError(code, message, { billing: 'no' });
  };
  const baseUrl = environment.baseUrl ?? refuse('no_service', 'No service is set.');
  if (environment.apiKey === undefined) {
    refuse('no_key', 'No API key is set.');
  }
  if (prompt.trim() === '') {
    refuse('invalid_request', 'The prompt is empty.');
  }
  const model =
    options.model ??
    environment.model ??
    refuse('invalid_request', 'No model is set: use --model or LIMNER_MODEL.');
  const callStyle = options.callStyle === 'auto' ? 'async' : options.callStyle;
  const folder = pathToFileURL(resolve(options.folder)).href;
  const images = await Promise.all((options.image ?? []).map(async (path) => describeInput(resolve(path))));
  const request: TaskRequest = {
    kind: images.length > 0 ? 'edit' : 'generate',
    prompt: prompt.trim(),
    model,
    family: callStyle === 'native' || callStyle === 'nativeStream' ? 'native' : 'image',
    callStyle,
    ...(options.size !== undefined && { size: options.size }),
    ...(options.quality !== undefined && { quality: options.quality }),
    n: options.n,
    ...(images.length > 0 && { images, imageField: images.length > 1 ? 'image[]' : 'image' }),
    ...(options.mask !== undefined && { mask: await describeInput(resolve(options.mask)) }),
    baseUrl,
    target: { folder, root: folder, fileName: options.name },
  };
  const engine = await openCliEngine(engineModule, environment, output);
  try {
    return await runTask(engine, await engine.runner.start(request), output, options.json === true);
  } finally {
    await engine.dispose();
  }
}
