import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { tools } from '../../src/agents/tools/tools.ts';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { dimensionsFromPrefix } from '../../src/images/formats/dimensions.ts';
import { trialFile } from '../../src/engine/files/targetFolder.ts';
import { eventually } from '../support/eventually.ts';
import { pngFile } from '../support/images/pngFile.ts';

const ledger = v.object({ entries: v.array(v.object({ promptSha256: v.string() })) });

/** Calls a tool as another extension does. */
async function call(
  tool: string,
  input: object,
  token?: vscode.CancellationToken,
): Promise<{ text: string; pictures: vscode.LanguageModelDataPart[] }> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(tool, options, token);
  return {
    text: content
      .flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []))
      .join('\n'),
    pictures: content.filter((part) => part instanceof vscode.LanguageModelDataPart),
  };
}

async function exists(path: string): Promise<boolean> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return vscode.workspace.fs.stat(vscode.Uri.joinPath(folder.uri, path)).then(
    () => true,
    () => false,
  );
}

async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** Returns how many requests with a prompt the demo service billed. */
async function bills(prompt: string): Promise<number> {
  const baseUrl = vscode.workspace.getConfiguration().get<string>(settingNames.baseUrl);
  const { entries } = v.parse(ledger, await (await fetch(`${baseUrl}/demo/ledger`)).json());
  const hash = createHash('sha256').update(prompt).digest('hex');
  return entries.filter(({ promptSha256 }) => promptSha256 === hash).length;
}

describe('the tools of agents', () => {
  let limner: LimnerApi;
  before(async () => {
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(extension);
    limner = await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
    await set(settingNames.agentsConfirm, 'above');
  });
  after(async () => set(settingNames.agentsConfirm, undefined));

  it('are there, and take objects', () => {
    for (const { name } of tools) {
      const tool = vscode.lm.tools.find((one) => one.name === name);
      assert.deepEqual(v.parse(v.object({ type: v.string() }), tool?.inputSchema), { type: 'object' });
    }
  });

  it('save exactly the file that was asked for, and show it small', async () => {
    const { text, pictures } = await call('limner_generate_image', {
      prompt: 'A lighthouse for an agent',
      path: 'agent/lighthouse.webp',
      size: '900x600',
      altText: 'A lighthouse',
    });
    assert.match(text, /^Saved agent\/lighthouse\.webp \(WebP, asked for 900 × 600, .*saved 900 × 600, /mu);
    assert.match(text, /^Alt text: A lighthouse$/mu);
    assert.match(text, /^Cost: none\. The built-in demo service is free\.$/mu);
    const [picture] = pictures;
    assert.ok(picture);
    assert.equal(picture.mimeType, 'image/jpeg');
    const size = dimensionsFromPrefix(picture.data);
    assert.deepEqual(size.kind === 'known' && [size.width, size.height], [512, 341]);
  });

  it('bill a call once that is made twice at the same moment, and once more', async () => {
    const heron = { prompt: 'A heron for an agent', path: 'agent/heron.png' };
    const twice = await Promise.all([1, 2].map(async () => call('limner_generate_image', heron)));
    twice.push(await call('limner_generate_image', heron));
    for (const { text } of twice) {
      assert.match(text, /^Saved agent\/heron\.png /mu);
    }
    assert.match(twice[2]?.text ?? '', /^This call was made already\./u);
    assert.equal(await bills(heron.prompt), 1);
  });

  it('edit an image into another file, and finish one without the service', async () => {
    const otter = { prompt: 'An otter for an agent', path: 'agent/otter.png', size: '96x64' };
    await call('limner_generate_image', otter);
    const edited = await call('limner_edit_image', {
      prompt: 'An otter at night',
      images: ['agent/otter.png'],
      path: 'agent/otter-night.png',
    });
    assert.match(edited.text, /^Saved agent\/otter-night\.png /mu);
    const { text } = await call('limner_finish_image', {
      image: 'agent/otter.png',
      path: 'agent/icons/otter.webp',
      size: '32x32',
    });
    assert.match(text, /^Saved agent\/icons\/otter\.webp \(WEBP, 96 × 64 became 32 × 32, /u);
    assert.ok(await exists('agent/icons/otter.webp'));
  });

  it('keep what a canceled call was billed for, and give it back when it is made again', async () => {
    const prompt = 'A slow walrus for an agent';
    const walrus = { prompt, path: 'agent/walrus.png' };
    const source = new vscode.CancellationTokenSource();
    const cancelled = call('limner_generate_image', walrus, source.token).then(
      ({ text }) => text,
      (error: unknown) => String(error),
    );
    const statusOf = async (): Promise<string | undefined> =>
      (await limner.tasks()).find((task) => task.prompt === prompt)?.status;
    await eventually('the service has it', statusOf, (status) =>
      ['queued', 'in_progress'].includes(status ?? ''),
    );
    source.cancel();
    assert.match(await cancelled, /cancel/iu);
    await eventually('the image is saved', statusOf, (status) => status === 'completed');
    const { text } = await call('limner_generate_image', walrus);
    assert.match(text, /^Saved agent\/walrus\.png /mu);
    assert.equal(await bills(prompt), 1);
  });

  it('refuse paths outside of the workspace and files that exist, at no cost', async () => {
    const prompt = 'A gull for an agent';
    await call('limner_generate_image', { prompt: 'A gull there already', path: 'agent/gull.png' });
    for (const [path, words] of [
      ['../gull.png', /is outside the workspace\./u],
      ['/tmp/gull.png', /is outside the workspace\./u],
      ['agent/gull.png', /exists\. Choose another path, or set overwrite to true/u],
    ] as const) {
      const { text } = await call('limner_generate_image', { prompt, path });
      assert.match(text, words);
      assert.match(text, /^Cost: none\. Nothing was sent\.$/mu);
    }
    assert.equal(await bills(prompt), 0);
  });

  it('put an image into a document that has unsaved changes, and leave them unsaved', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const at = (path: string): vscode.Uri => vscode.Uri.joinPath(folder.uri, 'agent', path);
    await set('files.autoSave', 'off');
    const saved = '![A pier](https://placehold.co/300x200)\r\n';
    await vscode.workspace.fs.writeFile(at('pier.md'), Buffer.from(saved));
    const pixels = pngFile({ width: 2, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0, 0] });
    await vscode.workspace.fs.writeFile(at('pier.png'), pixels);
    const document = await vscode.workspace.openTextDocument(at('pier.md'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '![A buoy](buoy.png)\n');
    await vscode.workspace.applyEdit(edit);
    const { text } = await call('limner_find_missing_images', { file: 'agent/pier.md' });
    assert.match(text, /^1 missing buoy\.png → agent\/buoy\.png "A buoy"$/mu);
    assert.match(text, /^2 placeholder https:\/\/placehold\.co\/300x200 → \S+\.png 300x200 "A pier"$/mu);
    const pier = {
      file: 'agent/pier.md',
      placeholder: 'https://placehold.co/300x200',
      image: 'agent/pier.png',
    };
    assert.match((await call('limner_replace_placeholder', pier)).text, /^agent\/pier\.md now names /u);
    assert.equal(document.getText(), '![A buoy](buoy.png)\r\n![A pier](pier.png)\r\n');
    assert.ok(document.isDirty);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString(), saved);
    assert.match((await call('limner_replace_placeholder', pier)).text, /already\. Nothing was changed\.$/mu);
    await document.save();
    await set('files.autoSave', undefined);
  });

  it('use only models that are listed', async () => {
    const prompt = 'A crane for an agent';
    const crane = { prompt, path: 'agent/crane.png', model: 'painter-of-nobody' };
    const { text } = await call('limner_generate_image', crane);
    assert.match(text, /^The user did not list the model "painter-of-nobody"\. .*use one of demo-painter,/mu);
    assert.equal(await bills(prompt), 0);
  });

  it('stop at the limit of the user, and write nothing to find out', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    // To try the folder would remove it.
    const trial = vscode.Uri.joinPath(folder.uri, 'agent', trialFile);
    await vscode.workspace.fs.writeFile(trial, new Uint8Array());
    await set(settingNames.agentsSessionLimit, 0);
    try {
      const { text } = await call('limner_generate_image', { prompt: 'One more', path: 'agent/more.png' });
      assert.match(text, /the setting "limner\.agents\.sessionLimit"/u);
      assert.ok(await exists(`agent/${trialFile}`));
    } finally {
      await set(settingNames.agentsSessionLimit, undefined);
      await vscode.workspace.fs.delete(trial);
    }
    assert.equal(await exists('agent/more.png'), false);
  });

  it('are refused a mask that the model does not take, before anybody is asked', async () => {
    const prompt = 'A masked owl for an agent';
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const picture = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] });
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder.uri, 'agent/owl.png'), picture);
    await set(settingNames.models, [{ id: 'demo-painter', mask: 'none' }]);
    // The question would never be answered.
    await set(settingNames.agentsConfirm, 'always');
    try {
      const owl = { prompt, images: ['agent/owl.png'], mask: 'agent/owl.png', path: 'agent/masked-owl.png' };
      const { text } = await call('limner_edit_image', owl);
      assert.match(text, /^demo-painter doesn't support masks\.\nCost: none\. Nothing was sent\.$/mu);
    } finally {
      await set(settingNames.agentsConfirm, 'above');
      await set(settingNames.models, undefined);
    }
    assert.equal(await bills(prompt), 0);
  });

  it('list the tasks of the workspace', async () => {
    const { text } = await call('limner_list_tasks', { limit: 50 });
    assert.match(text, /: completed, \S+ generate "A heron for an agent", agent\/heron\.png$/mu);
  });
});
