import { parseServiceCommand, SERVICE_HELP } from './commandLine.ts';
import { startDemoService, type DemoService } from './demoService.ts';
import type { DemoServiceOptions } from './options.ts';

/**
 * Runs the demo service as a separate process: prints its description as one line of JSON and runs until it is
 * interrupted or, if the flags say so, idle.
 *
 * @param args the flags, without the program's name
 * @returns once the service has started, or at once after `--help`
 * @throws Error with a message for the user, for invalid flags or a port that is in use
 */
export async function runService(args: readonly string[]): Promise<void> {
  const { options, fallBackToFreePort, idleExit, help } = parseServiceCommand(args);
  if (help) {
    process.stdout.write(SERVICE_HELP);
    return;
  }
  surviveBrokenPipes();
  const service = await start(options, fallBackToFreePort);
  const { baseUrl, resultHost, apiKeys, models } = service;
  process.stdout.write(`${JSON.stringify({ baseUrl, resultHost, apiKeys, models })}\n`);
  const end = (): void => {
    void service.dispose().then(() => process.exit(0));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  if (idleExit !== undefined) {
    endWhenIdle(service, idleExit, end);
  }
}

/** Ignores failed output, since the process that started the service may end before it. */
function surviveBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => undefined);
  }
}

async function start(options: DemoServiceOptions, fallBackToFreePort: boolean): Promise<DemoService> {
  try {
    return await startDemoService(options);
  } catch (error) {
    if (!fallBackToFreePort) {
      throw error;
    }
    return startDemoService({ ...options, port: 0, resultPort: 0 });
  }
}

function endWhenIdle(service: DemoService, idleExit: number, end: () => void): void {
  const idleCheck = setInterval(
    () => {
      if (performance.now() - service.lastRequestAt > idleExit) {
        clearInterval(idleCheck);
        end();
      }
    },
    Math.min(idleExit, 30_000),
  );
}
