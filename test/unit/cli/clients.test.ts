import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { clients } from '../../../src/agents/clients/clients.ts';
import { type Ended, World } from '../../support/cli/limner.ts';

const service = { LIMNER_BASE_URL: 'https://images.example.com/v1', LIMNER_HOME: undefined };

describe('the configuration of MCP clients', { skip: process.platform === 'win32' }, () => {
  let world: World;
  let home: string;
  before(async () => {
    world = await World.open();
    home = dirname(world.home);
  });
  after(async () => world[Symbol.asyncDispose]());

  const run = async (...args: string[]): Promise<Ended> => world.run(args, service);
  /** Puts a file into the home folder, and returns what installing for a client makes of it. */
  async function installed(client: string, file: string, text: string): Promise<Ended & { text: string }> {
    const path = join(home, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    const ended = await run('mcp', '--config', client, '--install', '--yes');
    return { ...ended, text: await readFile(path, 'utf8') };
  }
  const own = /command\W+"?[^\n]*\n/u;

  it('is what the golden file says, and holds no key', async (t: TestContext) => {
    const printed = await Promise.all(
      Object.keys(clients).map(async (name) => {
        const { code, stdout, stderr } = await run('mcp', '--config', name);
        assert.equal(code, 0, stderr);
        return `# ${name}\n${stdout}\n${stderr}`;
      }),
    );
    const text = printed
      .join('\n')
      .replaceAll(process.execPath, 'NODE')
      .replaceAll(/(?<=[\s"])[^\s"]*\/main\.(?:mjs|ts)/gu, 'LIMNER')
      .replaceAll(home, 'HOME');
    assert.ok(!text.includes('demo-key-ada'));
    t.assert.fileSnapshot(text, join(import.meta.dirname, 'golden', 'clients.txt'), {
      serializers: [String],
    });
  });

  it('takes the place of the old one in TOML, and leaves all else alone', async () => {
    const head = '# mine\nmodel = "x" # why\nnote = """\n[mcp_servers.limner]\n"""\n\n';
    const tail = '\n# of the other\n[mcp_servers.other]\ncommand = "other"\n';
    const old =
      '[mcp_servers.limner]\ncommand = "old"\n\n[mcp_servers.limner.env]\nLIMNER_API_KEY = "my-secret"\n';
    const { text, stderr } = await installed('codex', '.codex/config.toml', head + old + tail);
    assert.ok(text.startsWith(head) && text.endsWith(tail), text);
    assert.equal(text.split(own).length, 3);
    assert.match(stderr, /^- LIMNER_API_KEY = "…"$/mu);
    assert.doesNotMatch(stderr, /my-secret/u);
    const again = await run('mcp', '--config', 'codex', '--install', '--yes');
    assert.match(again.stderr, /config\.toml has it already\./u);
  });

  it('is added to JSON with comments and tabs', async () => {
    const [head, tail] = [
      '{\n\t// mine\n\t"ui": { "theme": "x" },\n\t"mcpServers": {',
      ' // all\n\t\t"other": { "args": [1] }, // last\n\t},\n}\n',
    ];
    const { text, stderr } = await installed('gemini', '.gemini/settings.json', head + tail);
    assert.ok(text.startsWith(head) && text.endsWith(tail), text);
    assert.match(text.slice(head.length), /^\n\t\t"limner": \{\n\t\t\t"command": .*\n\t\t\},/su);
    assert.match(stderr, /^\+ \t{4}"LIMNER_API_KEY": "\$\{LIMNER_API_KEY:-\}"$/mu);
    const again = await run('mcp', '--config', 'gemini', '--install', '--yes');
    assert.match(again.stderr, /settings\.json has it already\./u);
  });

  for (const [what, before, kept] of [
    ['an item', 'name: x # mine\nmcpServers:\n- name: limner\n  command: old\n- name: other\nrules: []\n', 3],
    ['an empty list', 'name: x # mine\nmcpServers: []\nrules: []\n', 2],
    ['no list', 'name: x # mine\nrules: []', 2],
    ['another item', 'name: x # mine\nmcpServers:\n  - name: other # keep\n\nrules: []\n', 3],
  ] as const) {
    it(`is put into YAML with ${what}`, async () => {
      const { text, code, stderr } = await installed('continue', '.continue/config.yaml', before);
      assert.equal(code, 0, stderr);
      assert.equal(text.split(own).length, 2, text);
      const lines = before
        .trim()
        .split('\n')
        .filter((line) => /mine|other|rules/u.test(line));
      assert.equal(lines.length, kept);
      assert.ok(
        lines.every((line) => text.split('\n').includes(line)),
        text,
      );
      assert.equal((await run('mcp', '--config', 'continue', '--install', '--yes')).code, 0);
      assert.equal(await readFile(join(home, '.continue/config.yaml'), 'utf8'), text);
    });
  }

  for (const [client, file, text] of [
    ['codex', '.codex/config.toml', '[mcp_servers\n'],
    ['codex', '.codex/config.toml', 'mcp_servers = { limner = { command = "x" } }\n'],
    ['gemini', '.gemini/settings.json', '{ "mcpServers": [] }'],
    ['gemini', '.gemini/settings.json', '{ "a": '],
    ['continue', '.continue/config.yaml', 'mcpServers: { a: 1 }\n'],
    ['continue', '.continue/config.yaml', 'a: [\n'],
  ] as const) {
    it(`leaves a file alone that it doesn't understand: ${JSON.stringify(text)}`, async () => {
      const ended = await installed(client, file, text);
      assert.equal(ended.code, 2);
      assert.match(ended.stderr, /can't be changed/u);
      assert.equal(ended.text, text);
    });
  }

  it('is written only with consent, into the file that a link leads to, whose mode stays', async () => {
    const [file, link] = [join(home, 'dotfiles.json'), join(home, '.qwen/settings.json')];
    await mkdir(dirname(link));
    await writeFile(file, '{}\n');
    await chmod(file, 0o600);
    await symlink(file, link);
    const { code, stderr } = await run('mcp', '--config', 'qwen', '--install');
    assert.equal(code, 1);
    assert.match(stderr, /^Nothing was written: there is no terminal to ask on\. Add --yes/mu);
    assert.equal(await readFile(file, 'utf8'), '{}\n');
    await run('mcp', '--config', 'qwen', '--install', '--yes', '--confirm', 'above');
    assert.match(await readFile(file, 'utf8'), /"LIMNER_AGENTS_CONFIRM": "above"/u);
    assert.equal((await stat(file)).mode % 0o1000, 0o600);
    assert.ok((await lstat(link)).isSymbolicLink());
  });

  it('names the launcher that started the program, which survives updates', async () => {
    const file = join(home, 'launcher.json');
    await writeFile(file, '{"environment":{}}');
    const { stdout } = await world.run(['mcp', '--config', 'cursor'], { ...service, LIMNER_LAUNCHER: file });
    assert.ok(stdout.includes(`"command": "${join(home, 'limner')}"`), stdout);
  });

  it('needs a service that the key is for', async () => {
    const { code, stderr } = await world.run(['mcp', '--config', 'codex'], { LIMNER_BASE_URL: '' });
    assert.equal(code, 2);
    assert.match(stderr, /LIMNER_BASE_URL is not set/u);
  });
});
