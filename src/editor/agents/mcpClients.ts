/** A program that can start the MCP server. */
export type McpClient = 'claudeCode' | 'codex' | 'cursor' | 'vscode';

/** How the server is started. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
}

/** How long an image may take, in seconds: most clients give up after a minute. */
const patience = 900;

/**
 * Returns the command that starts the launcher's script. On Windows, programs start no scripts by themselves. There, `/d`
 * leaves out what a person has every command interpreter print, and `call` keeps the quotes around a path that has
 * parentheses or an ampersand.
 */
export function serverCommand(script: string, platform: NodeJS.Platform): ServerCommand {
  return platform === 'win32'
    ? { command: 'cmd', args: ['/d', '/c', 'call', script, 'mcp'] }
    : { command: script, args: ['mcp'] };
}

/**
 * Returns what a client's configuration file needs, without the key: that stays in the client's environment.
 *
 * @param baseUrl of the service that the key is for: a key goes to no service that is configured later
 */
export function configurationFor(client: McpClient, server: ServerCommand, baseUrl: string): string {
  switch (client) {
    case 'claudeCode':
      // Where the variable is not set, the server says so itself.
      return json({
        mcpServers: {
          limner: {
            type: 'stdio',
            ...server,
            env: { LIMNER_API_KEY: '${LIMNER_API_KEY:-}', LIMNER_BASE_URL: baseUrl },
          },
        },
      });
    case 'cursor':
      return json({ mcpServers: { limner: { type: 'stdio', ...server, env: cursorVariables(baseUrl) } } });
    case 'vscode':
      return json({
        inputs: [keyInput],
        servers: { limner: { type: 'stdio', ...server, env: vscodeVariables(baseUrl) } },
      });
    case 'codex':
      return [
        '[mcp_servers.limner]',
        `command = ${JSON.stringify(server.command)}`,
        `args = ${JSON.stringify(server.args)}`,
        'env_vars = ["LIMNER_API_KEY", "LIMNER_API_KEY_FILE", "LIMNER_NODE"]',
        `tool_timeout_sec = ${patience}`,
        '',
        '[mcp_servers.limner.env]',
        `LIMNER_BASE_URL = ${JSON.stringify(baseUrl)}`,
        '',
      ].join('\n');
  }
}

/**
 * Returns the link that installs the server in a client; undefined for those that have none.
 *
 * @param baseUrl of the service that the key is for
 * @param scheme of VS Code's own links
 */
export function installLink(
  client: McpClient,
  server: ServerCommand,
  baseUrl: string,
  scheme: string,
): string | undefined {
  switch (client) {
    case 'cursor': {
      const config = Buffer.from(JSON.stringify({ ...server, env: cursorVariables(baseUrl) })).toString(
        'base64',
      );
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=limner&config=${encodeURIComponent(config)}`;
    }
    case 'vscode': {
      const config = {
        name: 'limner',
        type: 'stdio',
        ...server,
        env: vscodeVariables(baseUrl),
        inputs: [keyInput],
      };
      return `${scheme}:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
    }
    default:
      return undefined;
  }
}

const cursorVariables = (baseUrl: string): Record<string, string> => ({
  LIMNER_API_KEY: '${env:LIMNER_API_KEY}',
  LIMNER_BASE_URL: baseUrl,
  LIMNER_WORKSPACE: '${workspaceFolder}',
});
const vscodeVariables = (baseUrl: string): Record<string, string> => ({
  LIMNER_API_KEY: '${input:limner-api-key}',
  LIMNER_BASE_URL: baseUrl,
  LIMNER_WORKSPACE: '${workspaceFolder}',
});
const keyInput = {
  type: 'promptString',
  id: 'limner-api-key',
  description: 'API key of the image service',
  password: true,
};

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
