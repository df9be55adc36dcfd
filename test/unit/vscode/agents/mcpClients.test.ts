import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { serverCommand } from '../../../../src/vscode/agents/launcherFiles.ts';
import { configurationFor, installLink, type McpClient } from '../../../../src/vscode/agents/mcpClients.ts';

const script = '/home/ada/Code Storage/limner.limner/mcp/limner';
const server = serverCommand('/home/ada/Code Storage/limner.limner/mcp', '/usr/bin/code', 'linux');
const service = 'https://images.example.com/v1';
const clients: readonly McpClient[] = ['claudeCode', 'codex', 'cursor', 'vscode'];

const jsonFile = v.object({
  mcpServers: v.object({
    limner: v.object({
      command: v.literal(script),
      args: v.tuple([v.literal('mcp')]),
      env: v.record(v.string(), v.string()),
    }),
  }),
});

describe('the configuration of MCP clients', () => {
  it("names the launcher, and takes the key from the client's environment", () => {
    for (const client of ['claudeCode', 'cursor'] as const) {
      const { limner } = v.parse(jsonFile, JSON.parse(configurationFor(client, server, service))).mcpServers;
      assert.match(limner.env['LIMNER_API_KEY'] ?? '', /^\$\{(?:env:)?LIMNER_API_KEY(?::-)?\}$/u);
      assert.equal(limner.env['LIMNER_BASE_URL'], service);
    }
    assert.equal(
      configurationFor('codex', server, service),
      `[mcp_servers.limner]\ncommand = "${script}"\nargs = ["mcp"]\nenv_vars = ["LIMNER_API_KEY", "LIMNER_API_KEY_FILE", "LIMNER_NODE"]\ntool_timeout_sec = 900\n\n[mcp_servers.limner.env]\nLIMNER_BASE_URL = "${service}"\n`,
    );
  });

  it('has VS Code ask for the key, which it keeps itself', () => {
    const { inputs, servers } = v.parse(
      v.object({
        inputs: v.tuple([v.object({ id: v.string(), password: v.literal(true) })]),
        servers: v.object({ limner: v.object({ env: v.record(v.string(), v.string()) }) }),
      }),
      JSON.parse(configurationFor('vscode', server, service)),
    );
    assert.equal(servers.limner.env['LIMNER_API_KEY'], `\${input:${inputs[0].id}}`);
    assert.equal(servers.limner.env['LIMNER_BASE_URL'], service);
  });

  it('starts a program on Windows, with any path, since each client hands scripts to `cmd` in its own way', () => {
    const code = String.raw`C:\Users\Ada&Ben\Programs\VS (100%)\Code.exe`;
    const folder = String.raw`C:\Users\Ada&Ben\AppData\^x\mcp`;
    const onWindows = serverCommand(folder, code, 'win32');
    assert.deepEqual(onWindows, {
      command: code,
      args: [String.raw`${folder}\launcher.js`, 'mcp'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    for (const client of clients) {
      const text = configurationFor(client, onWindows, service);
      for (const part of [onWindows.command, ...onWindows.args]) {
        assert.ok(text.includes(JSON.stringify(part)), `${client}: ${part}`);
      }
      assert.match(text, /"?ELECTRON_RUN_AS_NODE"?(?:: | = )"1"/u, client);
    }
  });

  it('leaves Node.js to the path on Windows where that of the editor moves with updates', () => {
    assert.equal(serverCommand(String.raw`C:\mcp`, undefined, 'win32').command, 'node');
  });

  it('has links that install it, for the clients that know some', () => {
    const links = clients.map((client) => installLink(client, server, service, 'vscode-insiders'));
    assert.deepEqual(
      links.map((link) => link?.split('?')[0]),
      [undefined, undefined, 'cursor://anysphere.cursor-deeplink/mcp/install', 'vscode-insiders:mcp/install'],
    );
    const vscode: unknown = JSON.parse(decodeURIComponent(links[3]?.split('?')[1] ?? ''));
    assert.deepEqual(v.parse(v.object({ name: v.string(), command: v.string() }), vscode), {
      name: 'limner',
      command: script,
    });
    const config = new URL(links[2] ?? '').searchParams.get('config') ?? '';
    assert.match(Buffer.from(config, 'base64').toString(), /^\{"command":"\/home\/ada\/Code Storage/u);
  });
});
