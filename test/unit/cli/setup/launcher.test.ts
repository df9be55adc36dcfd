import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { serverCommand } from '../../../../src/agents/clients/serverCommand.ts';
import { writeLauncher } from '../../../../src/vscode/agents/launcherFiles.ts';
import { projectFolder } from '../../../support/folders.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const run = promisify(execFile);

interface Installed {
  /** The folder that the launcher was copied to. */
  folder: string;
  extensions: string;
  script: string;
}

describe('the launcher of the MCP server', { skip: process.platform === 'win32' }, () => {
  const roots: string[] = [];
  after(async () => Promise.all(roots.map(async (root) => rm(root, { recursive: true }))));

  it('starts the newest version that is installed, with its settings and without arguments of its own', async () => {
    const { script, extensions, folder } = await install('1.2.0', process.execPath);
    await addVersion(extensions, '1.10.0');
    await addVersion(extensions, '1.9.0');
    const { stdout } = await run(script, ['mcp'], { env: environment });
    assert.deepEqual(JSON.parse(stdout), {
      version: '1.10.0',
      args: ['mcp'],
      settings: join(folder, 'launcher.json'),
      key: null,
      path: join(extensions, 'limner.limner-1.10.0', 'dist', 'limner.js'),
    });
  });

  it("starts from the same path after an update took the old version's folder away", async () => {
    const { script, extensions } = await install('1.2.0', process.execPath);
    await addVersion(extensions, '1.2.1');
    const start = async (): Promise<string> => (await run(script, ['mcp'], { env: environment })).stdout;
    assert.match(await start(), /"version":"1\.2\.1"/u);
    await rm(join(extensions, 'limner.limner-1.2.0'), { recursive: true });
    assert.match(await start(), /"version":"1\.2\.1"/u);
  });

  it("leaves service and key to the client's environment", async () => {
    const { script } = await install('1.2.0', process.execPath);
    const given = { LIMNER_BASE_URL: 'https://other.example.com', LIMNER_API_KEY: 'own' };
    const { stdout } = await run(script, ['mcp'], { env: { ...environment, ...given } });
    assert.match(stdout, /"baseUrl":"https:\/\/other\.example\.com","key":"own"/u);
  });

  it('takes the next Node.js where the first is gone, and says what to do where none will do', async () => {
    const { script, folder } = await install('1.2.0', '/nowhere/node');
    assert.match((await run(script, ['mcp'], { env: environment })).stdout, /"version":"1\.2\.0"/u);
    const old = join(folder, 'node');
    await writeFile(old, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    await assert.rejects(
      run(script, ['mcp'], { env: { PATH: `${folder}:/usr/bin:/bin`, LIMNER_NODE: old } }),
      {
        code: 1,
        stderr: /Limner found no Node\.js 22\.19 or newer\./u,
      },
    );
  });

  it('starts no version that is not whole, nor another extension', async () => {
    const { folder, extensions } = await install('1.2.0', process.execPath);
    for (const version of ['1.2.10', '1.2.9', '0.99.99', '1.1.100']) {
      await addVersion(extensions, version);
    }
    await rename(await addVersion(extensions, '4.0.0'), join(extensions, 'acme.limner-4.0.0'));
    const other = await addVersion(extensions, '3.0.0');
    await writeFile(join(other, 'package.json'), JSON.stringify({ name: 'other', version: '3.0.0' }));
    await rm(join(await addVersion(extensions, '2.0.0'), 'dist', 'limner.js'));
    const launcher = join(folder, 'launcher.js');
    const { stdout } = await run(process.execPath, [launcher, 'mcp', '--verbose'], { env: environment });
    assert.match(stdout, /^\{"version":"1\.2\.10","args":\["mcp","--verbose"\]/u);
    const checked = await run(process.execPath, [launcher, '--check'], { env: environment });
    assert.deepEqual([checked.stdout, checked.stderr], ['', '']);
  });

  it('says which parts of what VS Code wrote are missing', async () => {
    const { folder } = await install('1.2.0', process.execPath);
    const launcher = join(folder, 'launcher.js');
    for (const damaged of [
      'null',
      '"text"',
      '{"environment":{}}',
      '{"extension":"x"}',
      '{"extension":"x","environment":null}',
    ]) {
      await writeFile(join(folder, 'launcher.json'), damaged);
      await assert.rejects(run(process.execPath, [launcher, '--check'], { env: environment }), {
        code: 41,
        stderr:
          /launcher\.json is damaged\. Run "Limner: Copy MCP Configuration…" in VS Code\. Parts of it are missing\.\n$/u,
      });
    }
  });

  it('starts in no Node.js that is too old', async () => {
    const { folder } = await install('1.2.0', process.execPath);
    const codes = await Promise.all(
      ['20.19.5', '21.20.0', '22.18.9', '22.19.0', '23.0.0', '24.1.0'].map(async (node) => {
        const versions = `Object.defineProperty(process, 'versions', { value: { node: '${node}' } })`;
        const argv = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`];
        const checked = run(process.execPath, [...argv, join(folder, 'launcher.js'), '--check'], {
          env: environment,
        });
        return checked.then(
          () => 0,
          (error: unknown) => {
            assert.ok(error instanceof Error && 'code' in error && 'stderr' in error);
            assert.equal(error.stderr, `Limner needs Node.js 22.19 or newer; this is ${node}.\n`);
            return error.code;
          },
        );
      }),
    );
    assert.deepEqual(codes, [3, 3, 3, 0, 0, 0]);
  });

  it('says that Limner is no longer installed', async () => {
    const { script, extensions } = await install('1.2.0', process.execPath);
    await rename(join(extensions, 'limner.limner-1.2.0'), join(extensions, 'gone'));
    await assert.rejects(run(script, ['mcp'], { env: environment }), {
      code: 40,
      stderr: /The extension Limner is no longer in /u,
    });
  });

  it('says that what VS Code wrote is damaged', async () => {
    const { script, folder } = await install('1.2.0', process.execPath);
    await writeFile(join(folder, 'launcher.json'), '{"extension":');
    await assert.rejects(run(script, ['mcp'], { env: environment }), {
      code: 41,
      stderr: /launcher\.json is damaged\. Run "Limner: Copy MCP Configuration…" in VS Code\. SyntaxError/u,
    });
  });

  it('starts while it is written again and again, as windows do', async () => {
    const { script, folder, extensions } = await install('1.2.0', process.execPath);
    const extension = join(extensions, 'limner.limner-1.2.0');
    const over = new AbortController();
    const writing = (async () => {
      for (let count = 0; !over.signal.aborted; count++) {
        const variables = { LIMNER_MODEL: `painter-${count}`.repeat(10_000) };
        await writeLauncher({
          folder,
          extension,
          node: process.execPath,
          settings: '',
          environment: variables,
        });
      }
    })();
    for (let count = 0; count < 5; count++) {
      assert.match((await run(script, ['mcp'], { env: environment })).stdout, /"version":"1\.2\.0"/u);
    }
    over.abort();
    await writing;
    assert.deepEqual((await readdir(folder)).toSorted(), ['launcher.js', 'launcher.json', 'limner']);
  });

  it('remembers no Node.js that somebody else may put another program in the place of', async () => {
    const { script } = await install('1.0.0', '/tmp/.mount_editor/node');
    assert.doesNotMatch(await readFile(script, 'utf8'), /\.mount_/u);
  });

  /** Puts the launcher where the extension puts it, with a space and a quote in its path. */
  async function install(version: string, node: string): Promise<Installed> {
    const root = await mkdtemp(join(memoryFolder, 'limner-launcher-'));
    roots.push(root);
    const extensions = join(root, 'extensions');
    const extension = await addVersion(extensions, version);
    const folder = join(root, "Ada's storage", 'mcp');
    await writeLauncher({
      folder,
      extension,
      node,
      settings: '',
      environment: { LIMNER_MODEL: 'painter' },
    });
    return { folder, extensions, script: serverCommand(folder, node, 'linux').command };
  }
});

/** A client's environment, with a Node.js on its path. */
const environment = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin` };

/** Makes what an installed version looks like to the launcher: its command line says what it was started with. */
async function addVersion(extensions: string, version: string): Promise<string> {
  const folder = join(extensions, `limner.limner-${version}`);
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'limner', version }));
  await writeFile(
    join(folder, 'dist', 'limner.js'),
    `const { LIMNER_LAUNCHER: settings, LIMNER_BASE_URL: baseUrl, LIMNER_API_KEY: key = null } = process.env;
     console.log(JSON.stringify({ version: '${version}', args: process.argv.slice(2), settings, baseUrl, key, path: process.argv[1] }));`,
  );
  const [source, launcher] = [
    join(projectFolder, 'src/cli/setup/launcher.ts'),
    join(folder, 'dist', 'launcher.js'),
  ];
  if (process.env['NODE_V8_COVERAGE'] !== undefined) {
    await writeFile(launcher, measured(source));
    return folder;
  }
  buildSync({
    entryPoints: [source],
    outfile: launcher,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  return folder;
}

/** Returns a launcher that is the source itself, told another place, for where it is measured what tests execute. */
function measured(source: string): string {
  return `const { registerHooks } = require('node:module');
    const { pathToFileURL } = require('node:url');
    const source = pathToFileURL(${JSON.stringify(source)}).href;
    globalThis.here = pathToFileURL(__filename).href;
    registerHooks({
      load(url, context, load) {
        const loaded = load(url, context);
        // As long as before: what is executed is told by its offset.
        const text = () => String(loaded.source).replaceAll('import.meta.url', 'globalThis.here');
        return url === source ? { ...loaded, source: text() } : loaded;
      },
    });
    import(source);`;
}
