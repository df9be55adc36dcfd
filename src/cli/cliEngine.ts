import type { Engine } from '../engine.ts';
import type { Environment } from './environment.ts';
import type { Output } from './output.ts';
import { UndiciTransport } from './undiciTransport.ts';

const silent = (): void => undefined;

type EngineModule = typeof import('../engine.ts');

/** Opens the same engine that the editor runs, with undici as its transport and the key from the environment. */
export async function openCliEngine(
  { Exchange, openEngine }: EngineModule,
  environment: Environment,
  output: Output,
): Promise<Engine> {
  const transport = new UndiciTransport(Exchange);
  const key = environment.apiKey;
  const origin = environment.baseUrl === undefined ? undefined : originOf(environment.baseUrl);
  return openEngine({
    home: environment.home,
    transports: { posts: transport, polls: transport, downloads: transport },
    keys: {
      get: async (asked) => Promise.resolve(asked === origin ? key : undefined),
      onDidChange: () => ({ dispose: silent }),
    },
    settings: () => ({
      maxConcurrentTasks: 4,
      requestTimeout: 900_000,
      historyLimit: 5000,
      resultHosts: [],
      plainHttpOrigins: [],
    }),
    log: {
      trace: silent,
      debug: silent,
      info: silent,
      warn: (line) => output.say(line),
      error: (line) => output.say(line),
    },
    notice: ({ file }) => output.say(`The task list could not be used; it is kept as ${file}.`),
  });
}

function originOf(baseUrl: string): string | undefined {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}
