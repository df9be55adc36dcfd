import { join } from 'node:path';
import type { ServerCommand } from './serverCommand.ts';

/** Where a user's files are. */
export interface Places {
  home: string;
  /** The open folder; undefined if there is none. */
  project: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** A folder below the user's, unless a variable names another, and a folder inside that. */
interface Folder {
  readonly variable?: string;
  readonly below: string;
  readonly inside?: string;
}

/** A program that can start `limner mcp`. */
export interface Client {
  readonly label: string;
  /** Whether it shows the question before an image. The others refuse calls that need one. */
  readonly asks: boolean;
  readonly format: 'json' | 'toml' | 'yaml';
  /** Where servers are listed in its file. */
  readonly list: string;
  /** The folder of its file: without one, the file belongs to a project. */
  readonly folder?: Folder;
  /** Names that its file may have: that of a new one comes first. */
  readonly files: readonly string[];
  /** How its file refers to the API key. One that can't names a file with the key; one passes variables on by name. */
  readonly key: { readonly as: string } | 'file' | 'passed';
  /** How its file refers to the open folder, if the server is started elsewhere. */
  readonly workspace?: string;
  /** Returns its entry for the server. */
  readonly entry: (server: ServerCommand) => Record<string, unknown>;
  /** Further parts that its file needs. */
  readonly inputs?: readonly Readonly<Record<string, unknown>>[];
  /** The folder of its skills. */
  readonly skills: Folder;
}

/** How long an image may take, in seconds: most clients give up after a minute by default. */
const patience = 900;

/** Tools that neither cost anything nor create a file of their own choice. Where a client can, it runs them unasked. */
const harmless = ['limner_list_tasks', 'limner_resume_task', 'limner_find_missing_images', 'limner_describe'];

const stdio = (server: ServerCommand): Record<string, unknown> => ({ type: 'stdio', ...server });
const inMilliseconds = (server: ServerCommand): Record<string, unknown> => ({
  ...server,
  timeout: patience * 1000,
});

const codex = { variable: 'CODEX_HOME', below: '.codex' };
const configuration = { variable: 'XDG_CONFIG_HOME', below: '.config' };
const copilot = { variable: 'COPILOT_HOME', below: '.copilot' };

/** All clients that Limner knows, by the name that the command line has for each. */
export const clients = {
  claude: {
    label: 'Claude Code',
    asks: true,
    format: 'json',
    list: 'mcpServers',
    files: ['.mcp.json'],
    // Without the variable, the server reports the problem itself.
    key: { as: '${LIMNER_API_KEY:-}' },
    entry: stdio,
    skills: { variable: 'CLAUDE_CONFIG_DIR', below: '.claude', inside: 'skills' },
  },
  codex: {
    label: 'Codex',
    asks: true,
    format: 'toml',
    list: 'mcp_servers',
    folder: codex,
    files: ['config.toml'],
    key: 'passed',
    entry: ({ env, ...server }) => ({
      ...server,
      env_vars: ['LIMNER_API_KEY', 'LIMNER_API_KEY_FILE', 'LIMNER_NODE'],
      // Others have a second to start, or their tools are missing in the first turn.
      required: true,
      tool_timeout_sec: patience,
      env,
      tools: Object.fromEntries(harmless.map((name) => [name, { approval_mode: 'approve' }])),
    }),
    skills: { ...codex, inside: 'skills' },
  },
  cursor: {
    label: 'Cursor',
    asks: true,
    format: 'json',
    list: 'mcpServers',
    folder: { below: '.cursor' },
    files: ['mcp.json'],
    key: { as: '${env:LIMNER_API_KEY}' },
    workspace: '${workspaceFolder}',
    entry: stdio,
    skills: { below: '.cursor/skills' },
  },
  vscode: {
    label: 'VS Code',
    asks: true,
    format: 'json',
    list: 'servers',
    files: ['.vscode/mcp.json'],
    key: { as: '${input:limner-api-key}' },
    workspace: '${workspaceFolder}',
    entry: stdio,
    inputs: [
      {
        type: 'promptString',
        id: 'limner-api-key',
        description: 'API key of the image service',
        password: true,
      },
    ],
    skills: { ...copilot, inside: 'skills' },
  },
  gemini: {
    label: 'Gemini CLI',
    asks: false,
    format: 'json',
    list: 'mcpServers',
    folder: { below: '.gemini' },
    files: ['settings.json'],
    key: { as: '${LIMNER_API_KEY:-}' },
    entry: inMilliseconds,
    skills: { below: '.gemini/skills' },
  },
  opencode: {
    label: 'opencode',
    asks: false,
    format: 'json',
    list: 'mcp',
    folder: configuration,
    files: ['opencode/opencode.json', 'opencode/opencode.jsonc'],
    key: { as: '{env:LIMNER_API_KEY}' },
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      environment: env,
      enabled: true,
      timeout: patience * 1000,
    }),
    skills: { ...configuration, inside: 'opencode/skills' },
  },
  copilot: {
    label: 'Copilot CLI',
    asks: true,
    format: 'json',
    list: 'mcpServers',
    folder: copilot,
    files: ['mcp-config.json'],
    key: { as: '${LIMNER_API_KEY}' },
    entry: (server) => ({ type: 'local', ...inMilliseconds(server), tools: ['*'] }),
    skills: { ...copilot, inside: 'skills' },
  },
  qwen: {
    label: 'Qwen Code',
    asks: false,
    format: 'json',
    list: 'mcpServers',
    folder: { below: '.qwen' },
    files: ['settings.json'],
    // It doesn't understand `:-`.
    key: { as: '${LIMNER_API_KEY}' },
    entry: inMilliseconds,
    skills: { below: '.qwen/skills' },
  },
  cline: {
    label: 'Cline',
    asks: false,
    format: 'json',
    list: 'mcpServers',
    folder: { below: '.cline/data/settings' },
    files: ['cline_mcp_settings.json'],
    key: 'file',
    entry: (server) => ({ ...server, timeout: patience, disabled: false, autoApprove: harmless }),
    skills: { below: '.cline/skills' },
  },
  continue: {
    label: 'Continue',
    asks: false,
    format: 'yaml',
    list: 'mcpServers',
    folder: { below: '.continue' },
    files: ['config.yaml'],
    key: { as: '${{ secrets.LIMNER_API_KEY }}' },
    entry: (server) => ({ name: 'limner', ...server }),
    skills: { below: '.continue/skills' },
  },
  windsurf: {
    label: 'Windsurf',
    asks: false,
    format: 'json',
    list: 'mcpServers',
    folder: { below: '.codeium/windsurf' },
    files: ['mcp_config.json'],
    key: { as: '${env:LIMNER_API_KEY}' },
    entry: (server) => ({ ...server }),
    skills: { below: '.codeium/windsurf/skills' },
  },
} satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;

/** Returns the entry of a client, without the API key, which stays in a variable or a file. */
export function entryOf(
  { entry, key, workspace }: Client,
  server: ServerCommand,
  keyFile: string,
): Record<string, unknown> {
  return entry({
    ...server,
    env: {
      ...server.env,
      ...(key === 'file' && { LIMNER_API_KEY_FILE: keyFile }),
      ...(typeof key === 'object' && { LIMNER_API_KEY: key.as }),
      ...(workspace !== undefined && { LIMNER_WORKSPACE: workspace }),
    },
  });
}

export function pathOf({ variable = '', below, inside = '' }: Folder, { home, env }: Places): string {
  return join(env[variable] || join(home, below), inside);
}
