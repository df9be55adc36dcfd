import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { paletteCommands } from '../../../scripts/contributions/commands.ts';
import { commands, settings } from '../../../scripts/contributions/manifest.ts';
import { filesKept } from '../../../src/common/taskStatus.ts';
import { extensionId } from '../../../src/vscode/window/names.ts';
import { filesLike, projectFolder } from '../../support/folders.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import bundle from '../../../l10n/bundle.l10n.json' with { type: 'json' };

const inPalette = new Set(Object.values(paletteCommands).map(({ title }) => title));

function textOf(file: string): string {
  return readFileSync(join(projectFolder, file), 'utf8');
}

/** Returns what a pattern's first group matches. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found ?? '');
}

/** Returns the first cells of a page's tables. */
function firstCells(page: string): string[] {
  return all(page, /^\| ([^|]+) \|/gmu).filter((cell) => !/^-+$/u.test(cell.trim()));
}

const pages = ['README.md', 'EXTENSION.md', ...filesLike('docs/user/*.md')];

for (const file of pages) {
  describe(file, () => {
    const page = textOf(file);

    it('names commands of the palette and settings as they are', () => {
      for (const command of all(page, /\*\*Limner: ([^*]+)\*\*/gu)) {
        assert.ok(inPalette.has(command), command);
      }
      const known = new Set<string>([
        ...Object.keys({ ...commands, ...settings }).map((name) => `limner.${name}`),
        extensionId,
        'limner.db',
        'limner.js',
        'limner.vsix',
      ]);
      for (const name of all(page, /[`/'](limner\.[\w.]+)[`']/gu)) {
        assert.ok(known.has(name), name);
      }
    });

    it('shows pictures and links to pages that there are', () => {
      for (const link of all(page, /\]\((?!https?:)([^)#]+)/gu)) {
        assert.ok(existsSync(join(projectFolder, dirname(file), link)), link);
      }
      for (const link of all(page, /\]\(([^)#:]*#[^)]+)\)/gu)) {
        const [path = '', heading] = link.split('#');
        const target = path === '' ? page : textOf(join(dirname(file), path));
        const anchors = all(target, /^#+ (.+)$/gmu).map((title) => title.toLowerCase().replaceAll(' ', '-'));
        assert.ok(anchors.includes(heading ?? ''), link);
      }
    });

    it('counts as the program does', () => {
      for (const days of all(page, /(\d+) days/gu)) {
        assert.equal(days, String(filesKept / 86_400_000));
      }
    });
  });
}

for (const file of ['README.md', 'EXTENSION.md']) {
  it(`${file} tells the oldest VS Code`, () => {
    assert.ok(
      textOf(file).includes(`VS Code ${packageJson.engines.vscode.replace(/^\^|\.0$/gu, '')} or newer`),
    );
  });
}

it('troubleshooting.md names messages that there are', () => {
  const program = filesLike('src/**/*.ts').map(textOf).join('\n');
  const messages = firstCells(textOf('docs/user/troubleshooting.md')).filter((cell) => cell !== 'Message');
  assert.ok(messages.length >= 20);
  for (const message of messages) {
    // The message goes on, or has a value in it.
    const parts = message.split('…');
    assert.ok(
      Object.keys(bundle).some((text) => parts.every((part) => text.includes(part.trim()))) ||
        parts.every((part) => program.includes(part.trim())),
      message,
    );
  }
});

describe('EXTENSION.md', () => {
  it('is for users: nothing is built in it', () => {
    assert.doesNotMatch(textOf('EXTENSION.md'), /\bnpm\b|Node/u);
  });
});
