import type { ServerCommand } from './launcherFiles.ts';

export type McpClient = 'claudeCode' | 'codex' | 'cursor' | 'vscode';

/** Time limit for an image, in seconds: most clients give up after a minute by default. */
const patience = 900;

/**
 * Returns the configuration of a client, without the key, which stays in the client's environment.
 *
 * @param baseUrl of the service that the key is for: it must not reach a service that is configured later
 */
export function configurationFor(client: McpClient, server: ServerCommand, baseUrl: string): string {
  switch (client) {
    case 'claudeCode':
      // Without the variable, the server reports the problem itself.
      return json({
        mcpServers: {
          limner: {
            type: 'stdio',
            ...server,
            env: { ...server.env, LIMNER_API_KEY: '${LIMNER_API_KEY:-}', LIMNER_BASE_URL: baseUrl },
          },
        },
      });
    case 'cursor':
      return json({
        mcpServers: { limner: { type: 'stdio', ...server, env: cursorVariables(server, baseUrl) } },
      });
    case 'vscode':
      return json({
        inputs: [keyInput],
        servers: { limner: { type: 'stdio', ...server, env: vscodeVariables(server, baseUrl) } },
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
        ...Object.entries({ ...server.env, LIMNER_BASE_URL: baseUrl }).map(
          ([name, value]) => `${name} = ${JSON.stringify(value)}`,
        ),
        '',
      ].join('\n');
  }
}

/**
 * Returns the link that installs the server in a client; undefined if the client has none.
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
      const config = Buffer.from(
        JSON.stringify({ ...server, env: cursorVariables(server, baseUrl) }),
      ).toString('base64');
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=limner&config=${encodeURIComponent(config)}`;
    }
    case 'vscode': {
      const config = {
        name: 'limner',
        type: 'stdio',
        ...server,
        env: vscodeVariables(server, baseUrl),
        inputs: [keyInput],
      };
      return `${scheme}:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
    }
    default:
      return undefined;
  }
}

const cursorVariables = ({ env }: ServerCommand, baseUrl: string): Record<string, string> => ({
  ...env,
  LIMNER_API_KEY: '${env:LIMNER_API_KEY}',
  LIMNER_BASE_URL: baseUrl,
  LIMNER_WORKSPACE: '${workspaceFolder}',
});
const vscodeVariables = ({ env }: ServerCommand, baseUrl: string): Record<string, string> => ({
  ...env,
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
