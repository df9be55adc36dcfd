import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { filesKept } from '../../../src/common/resultAvailability.ts';
import { agentSettings } from '../../../src/editor/agents/agentSettingNames.ts';
import * as names from '../../../src/editor/names.ts';
import { projectFolder } from '../../support/folders.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import texts from '../../../package.nls.json' with { type: 'json' };

const { contributes, engines } = packageJson;
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
