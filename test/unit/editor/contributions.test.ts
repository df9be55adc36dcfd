import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import { join } from 'node:path';
import * as commands from '../../../src/editor/commandIds.ts';
import * as names from '../../../src/editor/names.ts';
import { callStyleSettings } from '../../../src/common/callStyle.ts';
import { agentSettings } from '../../../src/editor/agents/agentSettingNames.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import texts from '../../../package.nls.json' with { type: 'json' };
import { filesKept } from '../../../src/common/resultAvailability.ts';
import { projectFolder } from '../../support/folders.ts';

const { contributes, engines } = packageJson;
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

const packed = textOf('.vscodeignore');
const title = (key: string): string => new Map(Object.entries(texts)).get(key.replaceAll('%', '')) ?? key;
const hidden = new Set(
  contributes.menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
);
const titles = new Map(contributes.commands.map(({ command, title: key }) => [command, title(key)]));
const inPalette = contributes.commands
  .filter(({ command }) => !hidden.has(command))
  .map(({ command }) => titles.get(command) ?? '');

function textOf(file: string): string {
  return readFileSync(join(projectFolder, file), 'utf8');
}

/** Returns what a pattern's first group matches. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found ?? '');
}

/** Returns the first cells of a section's table. */
function firstCells(page: string, heading: string): string[] {
  const section = page.split(/^## /mu).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return all(section, /^\| ([^|]+) \|/gmu).filter((cell) => !/^-+$|^Command$|^Setting$/u.test(cell.trim()));
}

for (const file of ['README.md', 'EXTENSION.md']) {
  describe(file, () => {
    const page = textOf(file);

    it('has a row for every command of the palette, and no other', () => {
      const rows = firstCells(page, 'Commands').flatMap((cell) => all(cell, /\*\*([^*]+)\*\*/gu));
      assert.deepEqual(rows.toSorted(), inPalette.toSorted());
    });

    it('names commands of the palette and settings as they are', () => {
      for (const command of all(page, /\*\*Limner: ([^*]+)\*\*/gu)) {
        assert.ok(inPalette.includes(command), command);
      }
      const known = new Set<string>([
        ...Object.values(names.settingNames),
        ...Object.values(agentSettings),
        ...titles.keys(),
        names.extensionId,
        'limner.js',
        'limner.vsix',
      ]);
      for (const name of all(page, /[`/'](limner\.[\w.]+)[`']/gu)) {
        assert.ok(known.has(name), name);
      }
    });

    // The README is read where the pictures are.
    it('shows pictures that there are, and those of the package are packed', () => {
      for (const picture of all(page, /\]\((media\/[^)]+)\)/gu)) {
        assert.ok(existsSync(join(projectFolder, picture)), picture);
        assert.ok(file === 'README.md' || packed.includes(`!${picture}\n`), picture);
      }
    });

    it('counts as the program does', () => {
      assert.deepEqual(new Set(all(page, /(\d+) days/gu)), new Set([String(filesKept / 86_400_000)]));
      assert.ok(page.includes(`VS Code ${engines.vscode.replace(/^\^|\.0$/gu, '')} or newer`));
    });
  });
}

describe('README.md', () => {
  it('has a row for every setting, with its default', () => {
    const rows = all(textOf('README.md'), /^\| (`limner\.[^\n]+)$/gmu).flatMap((row) => {
      const [cell = '', value = ''] = row.split(' | ');
      return all(cell, /`([^`]+)`/gu).map((name) => [name, all(value, /`([^`]+)`/gu)[0] ?? '']);
    });
    const defaults = contributes.configuration
      .flatMap(({ properties }) => Object.entries<{ default: unknown }>(properties))
      .map(([name, { default: value }]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
    assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(defaults));
  });
});

describe('EXTENSION.md', () => {
  it('is for users: nothing is built in it', () => {
    assert.doesNotMatch(textOf('EXTENSION.md'), /\bnpm\b|Node/u);
    assert.ok(packageJson.scripts.package.includes('--readme-path EXTENSION.md'));
  });
});
