import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clients } from '../../../../src/agents/clients/clients.ts';
import { configurationOf } from '../../../../src/agents/clients/install.ts';
import { serverCommand } from '../../../../src/agents/clients/serverCommand.ts';

describe('the command that starts the launcher', () => {
  it('is a program on Windows, with any path, since each client hands scripts to `cmd` in its own way', async () => {
    const code = String.raw`C:\Users\Ada&Ben\Programs\VS (100%)\Code.exe`;
    const folder = String.raw`C:\Users\Ada&Ben\AppData\^x\mcp`;
    const onWindows = serverCommand(folder, code, 'win32');
    assert.deepEqual(onWindows, {
      command: code,
      args: [String.raw`${folder}\launcher.js`, 'mcp'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    const places = { home: '/home/ada', project: undefined, env: {} };
    for (const [name, client] of Object.entries(clients)) {
      const text = await configurationOf(client, onWindows, places);
      for (const part of [onWindows.command, ...onWindows.args]) {
        assert.ok(text.includes(client.format === 'yaml' ? part : JSON.stringify(part)), `${name}: ${part}`);
      }
      assert.match(text, /"?ELECTRON_RUN_AS_NODE"?(?:: | = )"1"/u, name);
    }
  });

  it('leaves Node.js to the path on Windows where that of the editor moves with updates', () => {
    assert.equal(serverCommand(String.raw`C:\mcp`, undefined, 'win32').command, 'node');
  });
});
