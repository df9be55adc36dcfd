import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { eventually } from '../support/eventually.ts';
import { pngFile } from '../support/images/pngFile.ts';

/** Nothing else is paid in it. */
const currency = 'XTS';
const ledger = v.object({ entries: v.array(v.unknown()) });

const set = async (name: string, value: unknown): Promise<void> =>
  vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);

/** Returns how many requests the demo service accepted. */
async function entries(): Promise<number> {
  const baseUrl = vscode.workspace.getConfiguration().get<string>(settingNames.baseUrl);
  return v.parse(ledger, await (await fetch(`${baseUrl}/demo/ledger`)).json()).entries.length;
}

const faults = (): string =>
  `${vscode.workspace.getConfiguration().get<string>(settingNames.baseUrl)}/demo/faults`;

async function bringAbout(fault: object): Promise<void> {
  await fetch(faults(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
}

const generate = async (more: object): Promise<void> =>
  vscode.commands.executeCommand(commands.generate, { prompt: 'A dear snail', ...more });

describe('a budget that is used up', () => {
  const { showErrorMessage, showWarningMessage } = vscode.window;
  let limner: LimnerApi;
  let root: vscode.Uri;
  let image: vscode.Uri;
  /** A task that ended at no cost. */
  let refunded: string;
  let asked: string[];

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(folder && extension);
    root = vscode.Uri.joinPath(folder.uri, 'budget');
    image = vscode.Uri.joinPath(root, 'image.png');
    const picture = pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 6, lines: [0, 0, 0, 0, 0] });
    await vscode.workspace.fs.writeFile(image, picture);
    limner = await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
    const prompt = 'demo:fail of a budget';
    await assert.rejects(async () => vscode.commands.executeCommand(commands.generate, { prompt }));
    refunded = (await limner.tasks()).find((task) => task.prompt === prompt)?.id ?? '';
    await set(settingNames.models, [{ id: 'demo-painter', price: { amount: 1, currency } }]);
    await set(settingNames.agentsConfirm, 'above');
  });
  beforeEach(async () => {
    await set(settingNames.budget, { day: `0 ${currency}` });
    asked = [];
    Object.assign(vscode.window, {
      // A user who declines what would exceed the budget, and agrees to everything else.
      showWarningMessage: async (
        question: string,
        { detail }: vscode.MessageOptions,
        ...buttons: string[]
      ) => {
        asked.push(`${question} ${detail ?? ''}`);
        return Promise.resolve(question.includes('exceeds the budget') ? undefined : buttons[0]);
      },
      showErrorMessage: async () => Promise.resolve(undefined),
    });
  });
  afterEach(() => Object.assign(vscode.window, { showErrorMessage, showWarningMessage }));
  after(async () => {
    for (const name of [settingNames.models, settingNames.budget, settingNames.agentsConfirm]) {
      await set(name, undefined);
    }
    await vscode.workspace.fs.delete(root, { recursive: true });
  });

  const doors: [name: string, images: number, open: () => Thenable<unknown>][] = [
    ['a new image', 1, async () => generate({})],
    ['several', 3, async () => generate({ n: 3 })],
    ['two backgrounds', 2, async () => generate({ background: 'transparent', twoGrounds: true })],
    [
      'an edit with a mask',
      1,
      async () => vscode.commands.executeCommand(commands.edit, image, { prompt: 'Dearer', mask: image }),
    ],
    ['Run Again', 1, async () => vscode.commands.executeCommand(commands.taskRunAgain, refunded)],
    [
      'Run Synchronously',
      1,
      async () => vscode.commands.executeCommand(commands.taskRunSynchronously, refunded),
    ],
  ];
  for (const [name, images, open] of doors) {
    it(`asks before it sends anything: ${name}`, async () => {
      const before = [await entries(), (await limner.tasks()).length];
      // From the row of a task, nothing rejects.
      await open().then(undefined, (error: unknown) => assert.match(String(error), /Nothing was sent/u));
      const [question] = asked.splice(-1);
      assert.equal(
        question?.replace(/ \d image.+\n/u, ' ').replace(/ Spent today: .+/u, ''),
        `This exceeds the budget of 0 ${currency} for today. Send it anyway? This run costs about ${images} ${currency}.`,
      );
      assert.deepEqual([await entries(), (await limner.tasks()).length], before);
    });
  }

  it('asks about the second of two that are sent at the same moment, where there is room for one', async () => {
    const before = await entries();
    await set(settingNames.budget, { day: `1 ${currency}` });
    const both = ['demo:fail the first', 'demo:fail the second'].map(async (prompt) => generate({ prompt }));
    await Promise.allSettled(both);
    assert.equal(asked.length, 1, asked.join('\n'));
    assert.equal(await entries(), before + 1);
  });

  it('asks before it generates others while paid images can still be fetched', async () => {
    await set(settingNames.budget, undefined);
    await bringAbout({ kind: 'status', on: 'query', status: 503, times: 0 });
    const prompt = 'A dear snail in the dark';
    void generate({ prompt }).then(undefined, () => undefined);
    const [task] = await eventually(
      'a task in progress',
      async () => limner.tasks(1),
      ([first]) => first?.prompt === prompt && first.error !== undefined,
    );
    await vscode.commands.executeCommand(commands.taskStop, task?.id);
    await fetch(faults(), { method: 'DELETE' });
    Object.assign(vscode.window, {
      showWarningMessage: async (question: string) => Promise.resolve(void asked.push(question)),
    });
    await vscode.commands.executeCommand(commands.taskRunAgain, task?.id);
    assert.match(asked.join('\n'), /"A dear snail in the dark" can still be fetched or saved at no cost\./u);
    assert.equal((await limner.tasks()).filter((one) => one.prompt === prompt).length, 1);
  });

  it('asks before it pays once more for a failed task that was run again already', async () => {
    await set(settingNames.budget, undefined);
    await bringAbout({ kind: 'status', on: 'generations', status: 400 });
    const prompt = 'A dear snail, slowly';
    await assert.rejects(async () => generate({ prompt }));
    const again = async (): Promise<readonly [questions: string[], tasks: number]> => {
      const [failed, ...others] = (await limner.tasks())
        .filter((task) => task.prompt === prompt)
        .toReversed();
      await vscode.commands.executeCommand(commands.taskRunSynchronously, failed?.id);
      return [asked, others.length];
    };
    assert.deepEqual(await again(), [[], 0]);
    Object.assign(vscode.window, {
      showWarningMessage: async (question: string) => Promise.resolve(void asked.push(question)),
    });
    const question = `"${prompt}" was already run again. Run it once more?`;
    assert.deepEqual(await again(), [[question], 1]);
    assert.deepEqual(await again(), [[question, question], 1]);
  });

  it('refuses what agents call, and asks nobody', async () => {
    const before = await entries();
    const options = {
      input: { prompt: 'A dear snail', path: 'budget/snail.png' },
      toolInvocationToken: undefined,
    };
    const { content } = await vscode.lm.invokeTool('limner_generate_image', options);
    const text = content.find((part) => part instanceof vscode.LanguageModelTextPart);
    assert.match(text?.value ?? '', /^The budget for a day is 0 XTS\. This run costs about 1 XTS\./u);
    assert.match(text?.value ?? '', /^Cost: none\. Nothing was sent\.$/mu);
    assert.deepEqual(asked, []);
    assert.equal(await entries(), before);
  });
});
