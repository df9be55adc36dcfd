import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as v from 'valibot';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { RunLimits } from '../../src/vscode/ask/runLimits.ts';
import { spendingReport } from '../../src/vscode/cost/spendingReport.ts';
import { spendingFile, spendingTable } from '../../src/vscode/cost/spendingTable.ts';
import { SpendingView } from '../../src/vscode/cost/spendingView.ts';
import { taskDetails } from '../../src/vscode/taskList/taskDetails.ts';
import { Settings } from '../../src/vscode/window/settings.ts';
import { defaultSettings } from '../../src/engine/task/ports.ts';
import { readBudget } from '../../src/engine/task/budget.ts';
import type { StartOptions } from '../../src/engine/run/taskRunner.ts';
import type { Task } from '../../src/engine/task/task.ts';
import { readCsv } from '../readers/csv.ts';
import { anError, aRequest, aResult, aTask } from '../support/engine/taskBuilders.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { type EngineOfWindow, openWindow } from './windows.ts';

const price = { amount: 0.5, currency: 'USD' };
const ledger = v.object({ entries: v.array(v.object({ promptSha256: v.string() })) });

describe('what is spent', () => {
  const folder = temporaryFolder('spending');
  const { showInformationMessage, showSaveDialog, showWarningMessage } = vscode.window;
  let window: EngineOfWindow;
  let settings: Settings;
  let limits: RunLimits;
  let asked: unknown[][];
  /** The button that a user presses in the next question. */
  let answer: string | undefined;

  before(async () => {
    const budgeted = { ...defaultSettings, budget: { day: '1 USD, 9 EUR', agentsDay: '0.50 EUR' } };
    window = await openWindow(join(folder.path, 'home'), budgeted);
    const { engine, log } = window;
    settings = new Settings(log);
    limits = new RunLimits(window.host, settings);
    const now = Date.now();
    const results = [aResult()];
    const done = { status: 'completed', createdAt: now, completedAt: now, results } as const;
    await engine.store.add(aTask({ ...done, request: aRequest({ price, model: 'a|b *c*' }) }));
    const error = anError({ billing: 'maybe' });
    await engine.store.add(aTask({ status: 'unknown', createdAt: now, error, request: aRequest({ price }) }));
    await engine.store.add(aTask({ ...done, request: aRequest({ model: '=cheap' }) }));
  });
  beforeEach(() => {
    asked = [];
    const reply = async (...given: unknown[]): Promise<string | undefined> => {
      asked.push(given);
      return Promise.resolve(answer);
    };
    Object.assign(vscode.window, { showWarningMessage: reply, showInformationMessage: reply });
  });
  afterEach(() => {
    answer = undefined;
    Object.assign(vscode.window, { showInformationMessage, showSaveDialog, showWarningMessage });
  });
  after(async () => {
    settings.dispose();
    await window.dispose();
    folder.remove();
  });

  it('asks a person before the budget is exceeded, with what was spent, and what may have been', async () => {
    const run = [aRequest({ price })];
    await assert.rejects(limits.confirm(run), vscode.CancellationError);
    assert.deepEqual(asked, [
      [
        'This exceeds the budget of 1 USD for today. Send it anyway?',
        {
          modal: true,
          detail:
            '1 image · about 0.50 USD · 127.0.0.1:9\nThis run costs about 0.50 USD. Spent today: 0.50 USD. Up to 0.50 USD more may have been billed.',
        },
        'Set Budget…',
        'Send Anyway',
      ],
    ]);
    answer = 'Send Anyway';
    assert.deepEqual(await limits.confirm(run), { isBeyondBudget: true });
    assert.deepEqual(await limits.confirm([aRequest({ price: { amount: 1, currency: 'EUR' } })]), {});
  });

  it('asks a person who sends what an agent began beyond its budget', async () => {
    const run = aRequest({ price: { amount: 0.6, currency: 'EUR' }, startedBy: 'agent' });
    await assert.rejects(limits.confirm([run]), vscode.CancellationError);
    assert.equal(asked[0]?.[0], 'This exceeds the budget of 0.50 EUR for agents today. Send it anyway?');
    answer = 'Send Anyway';
    assert.deepEqual(await limits.confirm([run]), { isBeyondBudget: true });
  });

  it('asks once more where other runs have used up the budget since it was confirmed', async () => {
    const root = vscode.Uri.file(folder.path).toString();
    const run = aRequest({ price, target: { folder: root, root, fileName: 'dear' } });
    const sent: StartOptions[] = [];
    const start = async (options: StartOptions): Promise<Task> => {
      sent.push(options);
      return options.isBeyondBudget ? aTask() : window.engine.runner.start(run, options);
    };
    await assert.rejects(limits.send(run, {}, start), vscode.CancellationError);
    assert.equal(asked.length, 1);
    answer = 'Send Anyway';
    await limits.send(run, {}, start);
    assert.deepEqual(sent, [{}, {}, { isBeyondBudget: true }]);
  });

  it('is told by the tooltip of its task', () => {
    const request = aRequest({ price, n: 2 });
    const results = [aResult({ state: 'saved' }), aResult({ state: 'saved', index: 1 })];
    const done = aTask({ status: 'completed', completedAt: 1, request, results });
    assert.match(taskDetails(done), /^Billed\nCost: about 1 USD$/mu);
    const unknown = aTask({ status: 'unknown', request, error: anError({ billing: 'maybe' }) });
    assert.match(taskDetails(unknown), /^Cost: up to 1 USD$/mu);
    assert.match(
      taskDetails({ ...done, request: { ...request, free: true } }),
      /^Counted as: about 1 USD$/mu,
    );
    assert.doesNotMatch(taskDetails({ ...done, request: aRequest() }), /Cost|Counted/u);
  });

  it('is shown in one table for each currency, with what is left, whatever models are called', async () => {
    const rows = await spendingTable(window.engine.store.spent);
    const report = spendingReport(rows, readBudget({ day: '1 USD, 9 images' }), Date.now());
    const [, inUsd = '', inImages = '', usd = '', images = ''] = report.split(
      /^\|(?: |.*, in).*\n\|[ -:|]+\n/mu,
    );
    assert.match(inUsd, /^\| Today \| 1 \| 0\.50 \| 0\.50 \| 0 \|$/mu);
    assert.match(inImages, /^\| Today \| 9 \| 2 \| 1 \| 6 \|$/mu);
    assert.match(
      usd,
      /^\| \*\*Today\*\* \|  \|  \|  \| \*\*1\*\* \| \*\*2\*\* \| \*\*0\.50\*\* \| \*\*1\*\* \|$/mu,
    );
    assert.ok(usd.includes('|  | a\\|b \\*c\\* | `http://127.0.0.1:9` | you | 1 | 1 | 0.50 | 0.50 |'), usd);
    assert.match(images, /^\| \*\*Today\*\* \| =cheap \| .+ \| you \| 1 \|$/mu);
  });

  it('is exported as CSV', async () => {
    const target = vscode.Uri.file(join(folder.path, 'spending.csv'));
    Object.assign(vscode.window, { showSaveDialog: async () => Promise.resolve(target) });
    await new SpendingView(window.host, settings).exportCsv();
    const exported = await readFile(target.fsPath, 'utf8');
    assert.deepEqual(
      readCsv(exported).map(({ model, images, images_at_most, cost, currency }) => [
        model,
        images,
        images_at_most,
        cost,
        currency,
      ]),
      [
        ["'=cheap", '1', '1', '', ''],
        ['a|b *c*', '1', '1', '0.5', 'USD'],
        ['painter-1', '0', '1', '0', 'USD'],
      ],
    );
  });
});

describe('a budget of the settings', () => {
  it('that can not be read lets nothing reach the service', async () => {
    await vscode.extensions.getExtension<LimnerApi>(extensionId)?.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
    const configuration = vscode.workspace.getConfiguration();
    const prompt = 'A snail that is too dear';
    await configuration.update(settingNames.budget, { day: 'two' }, vscode.ConfigurationTarget.Global);
    try {
      await assert.rejects(async () => vscode.commands.executeCommand(commands.generate, { prompt }), {
        code: 'over_budget',
        sent: false,
      });
    } finally {
      await configuration.update(settingNames.budget, undefined, vscode.ConfigurationTarget.Global);
    }
    const response = await fetch(`${String(configuration.get(settingNames.baseUrl))}/demo/ledger`);
    const { entries } = v.parse(ledger, await response.json());
    // Tasks of other tests may still be on their way.
    const digest = createHash('sha256').update(prompt).digest('hex');
    assert.ok(!entries.some(({ promptSha256 }) => promptSha256 === digest));
  });

  it('is compared with what was spent, in a page of its own', async () => {
    await vscode.commands.executeCommand(commands.showSpending);
    await eventually(
      'the page is open',
      async () => Promise.resolve(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)),
      (tabs) => tabs.some(({ label }) => label.includes(spendingFile)),
    );
  });
});
