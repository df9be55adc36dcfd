import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClientName } from '../../../src/agents/clients/clients.ts';
import { undoAtExit } from '../../support/cleanup.ts';
import type { World } from '../../support/cli/limner.ts';
import type { dialects } from './dialects.ts';

/** Where a program is, and what it talks to. */
interface Place {
  /** `node_modules`. */
  packages: string;
  /** Its home. */
  home: string;
  /** The origin of its model. */
  model: string;
  /** How a library starts Limner. */
  server: ReturnType<World['mcp']>;
  /** How long a library lets a call take, in milliseconds. */
  timeout?: number | undefined;
}

/** An agent program or library that starts `limner mcp`, as a user of it does. */
export interface Program {
  dialect: keyof typeof dialects;
  /** Whose configuration Limner writes; a library starts the server itself. */
  client?: ClientName;
  /** Whether it asks for progress, so that Limner lets it wait for its answer until the image is there. */
  listens: boolean;
  /** Whether the time of a call can be set in which it gives up. */
  givesUp?: true;
  /** Why it can't run here. */
  skip?: string | false;
  /** Text of its own configuration, by the file in its home. */
  files?: Record<string, (place: Place) => string>;
  env?: (place: Place) => Record<string, string>;
  /** The program and its arguments. */
  command: (place: Place) => string[];
}

export const prompt = 'Make a picture of a fox with limner.';

const node = process.execPath;
const library =
  (name: string) =>
  ({ packages, model, server, timeout }: Place): string[] => [
    node,
    join(import.meta.dirname, 'libraries.mjs'),
    name,
    `${packages}/`,
    prompt,
    JSON.stringify({ server, baseURL: `${model}/v1`, timeout }),
  ];

export const programs: Record<string, Program> = {
  Codex: {
    dialect: 'responses',
    client: 'codex',
    listens: true,
    files: {
      '.codex/config.toml': ({ model }) => `
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "${model}/v1"
wire_api = "responses"
[analytics]
enabled = false
`,
    },
    command: ({ packages }) => [
      node,
      join(packages, '@openai/codex/bin/codex.js'),
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      prompt,
    ],
  },
  'Gemini CLI': {
    dialect: 'gemini',
    client: 'gemini',
    listens: true,
    files: {
      '.gemini/settings.json': () =>
        JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
          general: { enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
        }),
    },
    env: ({ model }) => ({
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
    command: ({ packages }) => [
      node,
      join(packages, '@google/gemini-cli/bundle/gemini.js'),
      '--yolo',
      '--model',
      'gemini-2.5-flash',
      '--prompt',
      prompt,
    ],
  },
  opencode: {
    skip: process.arch !== 'x64' && 'opencode is fetched for x64 only',
    dialect: 'chat',
    client: 'opencode',
    listens: true,
    env: ({ model }) => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'scripted' },
            models: {
              scripted: {
                attachment: true,
                tool_call: true,
                modalities: { input: ['text', 'image'], output: ['text'] },
              },
            },
          },
        },
      }),
    }),
    command: ({ packages }) => [
      join(packages, 'opencode-linux-x64-baseline/bin/opencode'),
      'run',
      '--model',
      'scripted/scripted',
      prompt,
    ],
  },
  'OpenAI Agents SDK': {
    dialect: 'responses',
    listens: false,
    givesUp: true,
    command: library('openaiAgents'),
  },
  LangChain: { dialect: 'chat', listens: false, givesUp: true, command: library('langChain') },
  'Vercel AI SDK': { dialect: 'responses', listens: false, command: library('vercel') },
};

/** How long a program may run before it is considered stuck, in milliseconds. */
const longest = 300_000;

/** Starts a program in the folder of a world. */
export async function start(program: Program, world: World, place: Place): Promise<RunningProgram> {
  for (const [file, text] of Object.entries(program.files ?? {})) {
    const path = join(place.home, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text(place));
  }
  if (program.client !== undefined) {
    await world.run(['mcp', '--config', program.client, '--confirm', 'above', '--install', '--yes']);
  }
  const [command = '', ...args] = program.command(place);
  const child = spawn(command, args, {
    cwd: world.folder,
    // Of a group of its own, which is killed as a whole.
    detached: true,
    timeout: longest,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: place.home,
      LIMNER_API_KEY: world.variables['LIMNER_API_KEY'],
      ...program.env?.(place),
    },
  });
  return new RunningProgram(child);
}

/** A program and what it has started. */
export class RunningProgram {
  readonly ended: Promise<number | null>;
  output = '';
  readonly #kill: () => void;

  constructor(child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.#kill = undoAtExit(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It ended.
      }
    });
    this.ended = new Promise((resolve) => {
      child.once('close', resolve);
    });
  }

  /** Kills the program and all that it has started. */
  async kill(): Promise<void> {
    this.#kill();
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
