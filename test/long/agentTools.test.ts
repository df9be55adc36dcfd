import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import {
  type DemoServiceSession,
  passTime,
  startDemoServiceSession,
  submissionsTo,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

const run = promisify(execFile);
const reply = v.union([v.object({ text: v.string() }), v.object({ error: v.string() })]);
const harbor = { prompt: 'A harbor at dawn', path: 'public/harbor.webp', size: '300x200' };

/** Has an agent make a call. */
async function call(
  { workspace, workbench }: DemoServiceSession,
  tool: string,
  input: object,
): Promise<void> {
  await rm(join(workspace, 'reply.json'), { force: true });
  await writeFile(join(workspace, 'call.json'), JSON.stringify({ tool, input }));
  await workbench.runCommand('Agent: Call');
}

async function replyIn({ workspace }: DemoServiceSession): Promise<v.InferOutput<typeof reply>> {
  const text = await eventually(
    'the agent gets a reply',
    async () => readFile(join(workspace, 'reply.json'), 'utf8').catch(() => ''),
    (seen) => seen !== '',
  );
  return v.parse(reply, JSON.parse(text));
}

story('an agent that calls the tools', (part) => {
  let started: DemoServiceSession;

  before(async () => {
    const price = { amount: 0.04, currency: 'USD', variants: { high: 0.4 } };
    started = await startDemoServiceSession({
      beside: 'agentCaller',
      settings: {
        'limner.models': [{ id: 'demo-painter', family: 'image', price }],
        'limner.quality': 'high',
      },
    });
  });
  after(async () => started.dispose());
  screenshotFailures(() => started?.workbench);

  part('asks the user first, in words that say what it is about to cost', async () => {
    const { workbench, service } = started;
    await call(started, 'limner_generate_image', harbor);
    const dialog = workbench.dialog('Generate 1 image with Limner?');
    await dialog.waitFor();
    const words = await dialog.innerText();
    const facts = ['about 0.40 USD', 'Model: ', '300 × 200', 'Quality: high'];
    for (const said of [...facts, 'public/harbor.webp', 'A harbor at dawn']) {
      assert.ok(words.includes(said), `${said}: ${words}`);
    }
    await workbench.pressInDialog('Generate 1 image with Limner?', 'Cancel');
    assert.ok('error' in (await replyIn(started)));
    assert.equal(await submissionsTo(service), 0);
  });

  part('gets the file once the user agreed', async () => {
    const { workbench, workspace, service } = started;
    await call(started, 'limner_generate_image', harbor);
    await workbench.dialog('Generate 1 image with Limner?').waitFor();
    await workbench.page.keyboard.press('Enter');
    const file = join(workspace, harbor.path);
    await passTime(service, 'the file is saved', async () =>
      access(file).then(
        () => true,
        () => false,
      ),
    );
    const answer = await replyIn(started);
    assert.ok('text' in answer, JSON.stringify(answer));
    assert.match(answer.text, /^Saved public\/harbor\.webp /mu);
    assert.equal(await submissionsTo(service), 1);
  });

  part('is not asked again for the same call, which is not sent again', async () => {
    await call(started, 'limner_generate_image', harbor);
    const answer = await replyIn(started);
    assert.ok('text' in answer, JSON.stringify(answer));
    assert.match(answer.text, /^This call was made already\./u);
    assert.equal(await submissionsTo(started.service), 1);
  });

  part('replaces a file only once the user agreed, also where it costs nothing', async () => {
    const { workbench, workspace } = started;
    const file = join(workspace, harbor.path);
    const original = await readFile(file);
    const smaller = { image: harbor.path, path: harbor.path, size: '30x20', overwrite: true };
    await call(started, 'limner_finish_image', smaller);
    await workbench.dialog('This replaces a file.').waitFor();
    await workbench.pressInDialog('This replaces a file.', 'Cancel');
    assert.ok('error' in (await replyIn(started)));
    assert.deepEqual(await readFile(file), original);

    await call(started, 'limner_finish_image', smaller);
    await workbench.dialog('This replaces a file.').waitFor();
    await workbench.page.keyboard.press('Enter');
    const answer = await replyIn(started);
    assert.ok('text' in answer, JSON.stringify(answer));
    assert.match(answer.text, /300 × 200 became 30 × 20/u);
    assert.notDeepEqual(await readFile(file), original);
  });

  part('asks about an edit by what is sent for one, and keeps in sight what that replaces', async () => {
    const { workbench } = started;
    const night = {
      prompt: 'night '.repeat(1000),
      images: [harbor.path],
      path: harbor.path,
      overwrite: true,
    };
    await call(started, 'limner_edit_image', night);
    const dialog = workbench.dialog('Generate 1 image with Limner?');
    await dialog.waitFor();
    const words = await dialog.innerText();
    assert.match(words, /^This replaces a file\..+about 0\.04 USD.+File: .+"night /msu);
    assert.doesNotMatch(words, /Quality/u);
    assert.ok(words.length < 1000, words);
    await workbench.pressInDialog('Generate 1 image with Limner?', 'Cancel');
    assert.ok('error' in (await replyIn(started)));
    assert.equal(await submissionsTo(started.service), 1);
  });

  part('saves the image of a call that was canceled after it was sent', async () => {
    const { workbench, workspace, service, limner } = started;
    const mill = { prompt: 'A mill by the river', path: 'public/mill.webp' };
    await call(started, 'limner_generate_image', mill);
    await workbench.dialog('Generate 1 image with Limner?').waitFor();
    await workbench.page.keyboard.press('Enter');
    await limner.whenProgress('A mill by the river', 0);
    await workbench.runCommand('Agent: Cancel');
    assert.ok('error' in (await replyIn(started)));
    const file = join(workspace, mill.path);
    await passTime(service, 'the file is saved', async () =>
      access(file).then(
        () => true,
        () => false,
      ),
    );
    assert.equal(await submissionsTo(service), 2);
  });

  part('elsewhere gets a launcher that starts, and a configuration without the key', async () => {
    const { workbench, session, workspace, apiKey } = started;
    await workbench.runCommand('Limner: Copy MCP Configuration…');
    await workbench.quickInput.pick('Gemini CLI');
    const question = "Gemini CLI can't show Limner's question before each image.";
    await workbench.pressInDialog(question, 'Allow');
    await workbench.notifications.dismiss('Copied the configuration for Gemini CLI');
    await workbench.runCommand('Limner: Copy MCP Configuration…');
    await workbench.quickInput.pick('Claude Code');
    await workbench.notifications.press('Copied the configuration for Claude Code', 'Install…');
    const file = join(workspace, '.mcp.json');
    await workbench.pressInDialog(`Create ${file}?`, 'Write');
    await workbench.notifications.press(`Wrote ${file}.`, 'Open File');
    assert.match(await readFile(file, 'utf8'), /"command": ".*\/mcp\/limner"/u);
    const folder = join(session.userDataFolder, 'User/globalStorage/limner.limner/mcp');
    const { environment } = v.parse(
      v.object({ environment: v.record(v.string(), v.string()) }),
      JSON.parse(await readFile(join(folder, 'launcher.json'), 'utf8')),
    );
    assert.equal(environment['LIMNER_BASE_URL'], started.service.baseUrl);
    assert.match(environment['LIMNER_MODELS'] ?? '', /"id":"demo-painter"/u);
    assert.equal(environment['LIMNER_CALL_STYLE'], 'auto');
    assert.ok(!JSON.stringify(environment).includes(apiKey));
    const { stdout } = await run(join(folder, 'limner'), ['tasks', '--json'], {
      env: { PATH: '/usr/bin:/bin' },
    });
    assert.match(stdout, /"prompt":"A harbor at dawn"/u);
  });

  part(
    'elsewhere goes by the settings of the user that the next window finds, not by those of its workspace',
    async () => {
      const { workbench, session, workspace } = started;
      await mkdir(join(workspace, '.vscode'), { recursive: true });
      await writeFile(
        join(workspace, '.vscode/settings.json'),
        JSON.stringify({ 'limner.model': 'expensive' }),
      );
      const settings = join(session.userDataFolder, 'User/settings.json');
      const before = v.parse(v.record(v.string(), v.unknown()), JSON.parse(await readFile(settings, 'utf8')));
      await writeFile(settings, JSON.stringify({ ...before, 'limner.budget': { agentsDay: '3 images' } }));
      await workbench.reload();
      const launcher = join(session.userDataFolder, 'User/globalStorage/limner.limner/mcp/launcher.json');
      const written = await eventually(
        'the launcher has the new budget',
        async () => readFile(launcher, 'utf8'),
        (text) => text.includes(String.raw`{\"agentsDay\":\"3 images\"}`),
      );
      assert.match(written, /"LIMNER_MODEL": "demo-painter"/u);
    },
  );

  part('is refused beyond the budget, rather than that the user is asked first', async () => {
    const before = await submissionsTo(started.service);
    await call(started, 'limner_generate_image', { prompt: 'Ten mills', path: 'public/mills.webp', n: 10 });
    const answer = await replyIn(started);
    assert.ok('text' in answer, JSON.stringify(answer));
    assert.match(answer.text, /^The budget of agents for a day is 3/u);
    assert.match(answer.text, /^Cost: none\. Nothing was sent\.$/mu);
    assert.equal(await submissionsTo(started.service), before);
  });
});

story('an agent in a workspace that is not trusted', (part) => {
  let started: DemoServiceSession;

  before(async () => {
    started = await startDemoServiceSession({
      beside: 'agentCaller',
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
      },
    });
  });
  after(async () => started.dispose());
  screenshotFailures(() => started?.workbench);

  part('finds no tool until it is', async () => {
    const { workbench } = started;
    await call(started, 'limner_list_tasks', {});
    const before = await replyIn(started);
    assert.ok('error' in before, JSON.stringify(before));
    assert.match(before.error, /does not have an implementation registered/u);
    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    await workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await workbench.page.getByText('Restricted Mode', { exact: true }).waitFor({ state: 'detached' });
    await call(started, 'limner_list_tasks', {});
    assert.deepEqual(await replyIn(started), { text: 'There are no image tasks in this workspace.' });
  });
});
