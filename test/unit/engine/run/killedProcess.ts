import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { wasKilled } from '../../../support/platform.ts';
import { stepsChannel } from '../../crash/stepsChannel.ts';

const script = fileURLToPath(new URL('engineProcess.ts', import.meta.url));
const steps = new URL('../../crash/steps.ts', import.meta.url).href;

/**
 * Runs an engine in a process of its own: `home [request as JSON] [how fast time passes, 50 times unless said]`.
 *
 * @param killPoint the step before which the process kills itself
 * @returns its exit code, or that it was killed
 */
export async function inProcess(
  killPoint: string,
  ...parameters: string[]
): Promise<number | 'killed' | null> {
  const child = spawn(process.execPath, ['--import', steps, script, ...parameters], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [stepsChannel.killVariable]: killPoint },
  });
  await once(child, 'exit');
  return wasKilled(child.exitCode, child.signalCode) ? 'killed' : child.exitCode;
}
