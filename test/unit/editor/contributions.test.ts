import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { callStyleSettings } from '../../../src/common/callStyle.ts';
import * as commands from '../../../src/editor/commandIds.ts';
import * as names from '../../../src/editor/names.ts';
import { agentSettings } from '../../../src/editor/agents/agentSettingNames.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import texts from '../../../package.nls.json' with { type: 'json' };

const { contributes } = packageJson;
interface Contributed {
  default: unknown;
  scope: string;
  enum?: readonly string[];
  items?: { type: string; properties?: { callStyle: { enum: readonly string[] } } };
}
const settings: Record<string, Contributed> = Object.fromEntries(
  contributes.configuration.flatMap(({ properties }) => Object.entries<Contributed>(properties)),
);
const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');

const sorted = (values: Iterable<string>): string[] => [...new Set(values)].toSorted();

test('package.json contributes exactly the commands of the table', () => {
  assert.deepEqual(
    sorted(contributes.commands.map(({ command }) => command)),
    sorted(Object.values(commands)),
  );
});

test('package.json contributes exactly the settings of the table', () => {
  assert.deepEqual(
    sorted(Object.keys(settings)),
    sorted([...Object.values(names.settingNames), ...Object.values(agentSettings)]),
  );
});

test('package.json offers the call styles that there are, for all models and for one', () => {
  assert.deepEqual(settings['limner.callStyle']?.enum, callStyleSettings);
  assert.deepEqual(settings['limner.models']?.items?.properties?.callStyle.enum, callStyleSettings);
});

test('every task command is in the menu of the rows that it is for', () => {
  const offered = contributes.menus['view/item/context'].map(({ command }) => command);
  const ofTasks = Object.values(commands).filter((command) => /^limner\.(?:task|batch)\./u.test(command));
  assert.deepEqual(sorted(offered), sorted([...ofTasks, commands.setApiKey]));
});

test('every name that a menu or a condition uses is in the table', () => {
  const known = new Set<string>([
    ...Object.values(commands),
    ...Object.values(names.settingNames),
    ...Object.values(names.contextKeys),
    ...Object.values(names.views),
    ...Object.values(names.taskContext),
  ]);
  const menus: readonly { command?: string; submenu?: string; when?: string }[] = Object.values(
    contributes.menus,
  ).flat();
  const submenus = new Set(contributes.submenus.map(({ id }) => id));
  for (const { command = '', submenu } of menus) {
    assert.ok(submenu === undefined ? known.has(command) : submenus.has(submenu), command);
  }
  const completions = contributes.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap((step) => step.completionEvents),
  );
  const conditions = [
    ...[...menus, ...contributes.viewsWelcome].map(({ when }) => when),
    ...completions,
  ].join(' ');
  for (const [used] of conditions.matchAll(/(?<![\w/^\\])limner\.[\w.]+/g)) {
    assert.ok(known.has(used), used);
  }
});

test('the views are those of the table', () => {
  assert.deepEqual(
    contributes.viewsContainers.activitybar.map(({ id }) => id),
    [names.views.container],
  );
  assert.deepEqual(
    contributes.views.limner.map(({ id }) => id),
    [names.views.tasks],
  );
});

test('keys act on the selected rows, and only while the task list has the focus', () => {
  for (const { command, when, args } of contributes.keybindings) {
    assert.ok(Object.values<string>(commands).includes(command), command);
    assert.equal(when, `focusedView == ${names.views.tasks} && listFocus && !inputFocus`);
    assert.deepEqual(args, { rows: 'selected' });
  }
});

test('commands that need a row or a file stay out of the palette', () => {
  const hidden = contributes.menus.commandPalette
    .filter(({ when }) => when === 'false')
    .map(({ command }) => command);
  const needOne = Object.values(commands).filter((command) =>
    /^limner\.(?:task|batch|file)\./u.test(command),
  );
  assert.deepEqual(sorted(hidden), sorted(needOne));
});

test('where the key and the results go is out of reach for a workspace', () => {
  const outOfReach = Object.entries(settings)
    .filter(([, { scope }]) => scope === 'application')
    .map(([name]) => name);
  assert.deepEqual(
    sorted(outOfReach),
    sorted([...[...names.personalSettings].map((key) => `limner.${key}`), ...Object.values(agentSettings)]),
  );
  for (const name of ['limner.baseUrl', 'limner.models', 'limner.resultHosts', 'limner.confirmAbove']) {
    assert.ok(outOfReach.includes(name), name);
  }
  assert.equal(packageJson.capabilities.untrustedWorkspaces.supported, 'limited');
  assert.deepEqual(
    packageJson.capabilities.untrustedWorkspaces.restrictedConfigurations,
    [...names.restrictedSettings].map((key) => `limner.${key}`),
  );
});

test('what an image costs, whether it arrives, and what becomes of it is for no workspace to say that nobody trusts', () => {
  const { restrictedConfigurations } = packageJson.capabilities.untrustedWorkspaces;
  const inReach = Object.entries(settings)
    .filter(([name, { scope }]) => scope !== 'application' && !restrictedConfigurations.includes(name))
    .map(([name]) => name);
  assert.deepEqual(sorted(inReach), ['limner.afterSave', 'limner.codeLens', 'limner.missingImages']);
});

test('every text of package.json is in package.nls.json, and none is left over', () => {
  const used = [...manifest.matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key ?? '');
  assert.deepEqual(sorted(used), sorted(Object.keys(texts)));
});
